#include "core/picture/picture_processor.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/json_field.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

constexpr int longest_prepared = 4096;  // after resizing; of a cropped picture too

constexpr std::array<float, 3> clip_mean{0.48145466F, 0.4578275F, 0.40821073F},
    clip_deviation{0.26862954F, 0.26130258F, 0.27577711F}, imagenet_mean{0.485F, 0.456F, 0.406F},
    imagenet_deviation{0.229F, 0.224F, 0.225F};

struct ProcessorClass {
  const char* name;  ///< without ImageProcessor, ImageProcessorFast or FeatureExtractor
  PictureProcessor defaults;
};
constexpr ProcessorClass processor_classes[] = {
    {"ViT", {}},
    {"DeiT", {.width = 256, .height = 256, .resample = Resample::bicubic, .crop = true}},
    {"Bit",
     {.shortest_edge = 224,
      .by_edge = true,
      .resample = Resample::bicubic,
      .crop = true,
      .mean = clip_mean,
      .deviation = clip_deviation}},
    {"CLIP",
     {.shortest_edge = 224,
      .by_edge = true,
      .resample = Resample::bicubic,
      .crop = true,
      .mean = clip_mean,
      .deviation = clip_deviation}},
    {"Siglip", {.by_edge = true, .resample = Resample::bicubic}},
    {"Siglip2", {.most_patches = 256}},
    {"DINOv3ViT", {.rounds = false, .mean = imagenet_mean, .deviation = imagenet_deviation}},
    {"Beit", {.resample = Resample::bicubic}},
};

int read_side(const JsonField& field) {
  return static_cast<int>(field.integer(1, longest_prepared));
}

/// A number, [height, width], {"height", "width"}, {"max_height", "max_width"} or {"shortest_edge"}, which
/// may have {"longest_edge"} beside it.
void read_size(const JsonField& size, PictureProcessor& processor) {
  processor.shortest_edge = processor.longest_edge = 0;
  processor.fits = false;
  const auto set = [&](const JsonField& height, const JsonField& width) {
    processor.height = read_side(height);
    processor.width = read_side(width);
  };
  if (size.is_list() && size.items() == 2) {
    set(size.item(0), size.item(1));
  } else if (!size.is_object() && processor.by_edge) {
    processor.shortest_edge = read_side(size);
  } else if (!size.is_object()) {
    processor.width = processor.height = read_side(size);
  } else if (size.has("shortest_edge")) {
    processor.shortest_edge = read_side(size.at("shortest_edge"));
    if (const auto longest = size.find("longest_edge")) processor.longest_edge = read_side(*longest);
  } else if (size.has("max_height") && size.has("max_width")) {
    set(size.at("max_height"), size.at("max_width"));
    processor.fits = true;
  } else if (size.has("height") && size.has("width")) {
    set(size.at("height"), size.at("width"));
  } else {
    throw size.wrong("{}: {} is {}; expected a number, height and width, or shortest_edge");
  }
}

std::array<float, 3> read_channels(const JsonField& field, double minimum) {
  constexpr double largest = 1e6;
  std::array<float, 3> channels;
  if (!field.is_list()) {
    channels.fill(static_cast<float>(field.number(minimum, largest)));
    return channels;
  }
  if (field.items() != channels.size())
    throw field.wrong("{}: {} is {}; expected a list of length {}", channels.size());
  for (std::size_t i = 0; i < channels.size(); ++i)
    channels[i] = static_cast<float>(field.item(i).number(minimum, largest));
  return channels;
}

void read_processor_fields(const JsonField& json, PictureProcessor& processor) {
  processor.resize = json.flag("do_resize", processor.resize);
  processor.by_edge = !json.flag("default_to_square", !processor.by_edge);
  if (const auto size = json.find("size")) read_size(*size, processor);
  if (const auto resample = json.find("resample"))
    processor.resample = static_cast<Resample>(resample->integer(0, static_cast<int>(Resample::hamming)));
  processor.crop = json.flag("do_center_crop", processor.crop);
  if (const auto size = json.find("crop_size")) {
    PictureProcessor crop;
    read_size(*size, crop);
    if (crop.shortest_edge > 0 || crop.fits)
      throw size->wrong("{}: {} is {}; expected a number, or height and width");
    processor.crop_width = crop.width;
    processor.crop_height = crop.height;
  }
  if (json.flag("do_pad", false) && json.has("pad_size"))
    throw json.at("do_pad").wrong("{}: {} is {}; expected false: it is not supported");
  constexpr double largest_factor = 1e6, smallest_deviation = 1e-6;
  if (processor.most_patches > 0) {
    constexpr int most = 1 << 16;
    if (const auto size = json.find("patch_size")) processor.patch = read_side(*size);
    if (const auto count = json.find("max_num_patches"))
      processor.most_patches = static_cast<int>(count->integer(1, most));
  }
  processor.rescale = json.flag("do_rescale", processor.rescale);
  if (const auto factor = json.find("rescale_factor"))
    processor.rescale_factor = factor->positive(largest_factor);
  processor.normalize = json.flag("do_normalize", processor.normalize);
  if (const auto mean = json.find("image_mean")) processor.mean = read_channels(*mean, -1e6);
  if (const auto deviation = json.find("image_std"))
    processor.deviation = read_channels(*deviation, smallest_deviation);
}

struct PixelSize {
  int width = 0, height = 0;
};

/// As large as width and height allow, which one of the sides then has.
PixelSize fitting_size(const PictureProcessor& processor, const Picture& picture) {
  const double scale = std::min(static_cast<double>(processor.height) / picture.height,
                                static_cast<double>(processor.width) / picture.width);
  const auto scaled = [&](int side) { return std::max(1, static_cast<int>(side * scale)); };
  return {scaled(picture.width), scaled(picture.height)};
}

/// The shorter edge as stated, and the other in proportion; where that is too long, both smaller.
PixelSize size_by_edges(const PictureProcessor& processor, const Picture& picture) {
  const bool upright = picture.width <= picture.height;
  const double shorter = upright ? picture.width : picture.height,
               longer = upright ? picture.height : picture.width;
  double edge = processor.shortest_edge;
  double length = edge * longer / shorter;
  if (processor.longest_edge > 0 && longer / shorter * edge > processor.longest_edge) {
    const double wanted = processor.longest_edge * shorter / longer;
    edge = std::nearbyint(wanted);
    // transformers gives a picture that has this edge already back as it is.
    length = edge == shorter ? longer : wanted * longer / shorter;
  }
  const int one = std::max(1, static_cast<int>(edge)),
            other = static_cast<int>(std::clamp(length, 1.0, longest_prepared + 1.0));
  return upright ? PixelSize{one, other} : PixelSize{other, one};
}

/// In its own proportions, whole patches and as many of them as may be; by halving, as transformers does.
PixelSize size_by_patches(const PictureProcessor& processor, const Picture& picture) {
  constexpr double exact = 1e-5;
  const auto patches = [&](int side, double scale) {
    return std::max(1, static_cast<int>(std::ceil(side * scale / processor.patch)));
  };
  double least = exact / 10, most = 100;
  while (most - least >= exact) {
    const double scale = (least + most) / 2,
                 count = static_cast<double>(patches(picture.height, scale)) * patches(picture.width, scale);
    (count <= processor.most_patches ? least : most) = scale;
  }
  return {patches(picture.width, least) * processor.patch, patches(picture.height, least) * processor.patch};
}

/// Of a whole picture after resizing.
PixelSize resized_size(const PictureProcessor& processor, const Picture& picture, const std::string& source) {
  if (!processor.resize) {
    if (picture.width > longest_prepared || picture.height > longest_prepared)
      throw input_error(
          "{}: {} × {} pixels, which this model's settings do not make smaller; expected at most {} a side",
          source, picture.width, picture.height, longest_prepared);
    return {picture.width, picture.height};
  }
  if (processor.fits) return fitting_size(processor, picture);
  if (processor.most_patches > 0) return size_by_patches(processor, picture);
  if (processor.shortest_edge == 0) return {processor.width, processor.height};
  const PixelSize size = size_by_edges(processor, picture);
  if (std::max(size.width, size.height) > longest_prepared)
    throw input_error("{}: {} × {} pixels; expected a picture of less extreme proportions", source,
                      picture.width, picture.height);
  return size;
}

int floor_half(int number) {
  return number >= 0 ? number / 2 : -((1 - number) / 2);
}

/// The middle, from `first` on, of a side that is surrounded by zeros to be long enough; as transformers'
/// center_crop rounds.
struct Middle {
  int first = 0;   ///< in the picture, negative: so many zeros before it
  int length = 0;  ///< of the result
};
Middle middle_of(int side, int crop) {
  return {floor_half(side - crop), crop};
}
/// Where one side is too short, both are padded by half of what each lacks, rounded up.
Middle padded_middle_of(int side, int crop) {
  const int whole = std::max(side, crop), before = (whole - side + 1) / 2;
  const int first = floor_half(side - crop) + before;
  const int begin = std::max(0, first), end = std::min(whole, first + crop);
  return {begin - before, end - begin};
}

}  // namespace

PictureProcessor default_processor(const std::string& name, const std::string& source) {
  std::string stem = name, known;
  for (const std::string end : {"Fast", "Pil", "ImageProcessor", "FeatureExtractor"})
    if (stem.ends_with(end)) stem.resize(stem.size() - end.size());
  for (const ProcessorClass& row : processor_classes) {
    if (stem == row.name) return row.defaults;
    known += (known.empty() ? "" : ", ") + std::string(row.name) + "ImageProcessor";
  }
  throw input_error("{}: {} is {}; expected one of: {}", source, "image_processor_type", name, known);
}

namespace {

PictureProcessor read_processor(const JsonField& settings, const std::string& name) {
  settings.expect_object();
  std::string own = name;
  for (const char* field : {"feature_extractor_type", "image_processor_type"})
    if (const auto type = settings.find(field)) own = type->text();
  PictureProcessor processor = default_processor(own, settings.file());
  read_processor_fields(settings, processor);
  return processor;
}

}  // namespace

PictureProcessor parse_picture_processor(std::string_view text, const std::string& source,
                                         const std::string& name) {
  const nlohmann::json json = parse_json(text, source);
  return read_processor(JsonField(json, source), name);
}

std::optional<PictureProcessor> parse_nested_processor(std::string_view text, const std::string& source,
                                                       const std::string& name) {
  const nlohmann::json json = parse_json(text, source);
  const JsonField file(json, source);
  file.expect_object();
  const auto settings = file.find("image_processor");
  return settings ? std::optional(read_processor(*settings, name)) : std::nullopt;
}

PreparedPicture prepare_picture(const PictureProcessor& processor, const Picture& picture,
                                const std::string& source) {
  constexpr int longest_shown = 1024;
  const PixelSize size = resized_size(processor, picture, source);
  constexpr Index most_pixels = Index{1} << 23;
  if (Index{size.width} * size.height > most_pixels)
    throw input_error("{}: {} × {} pixels after resizing; expected at most {}", source, size.width,
                      size.height, most_pixels);
  const Picture whole =
      processor.resize ? resized(picture, size.width, size.height, processor.resample) : picture;
  const bool exact = processor.resize && !processor.rounds && processor.resample != Resample::nearest;
  std::vector<float> levels;
  if (exact) levels = resized_levels(picture, size.width, size.height, processor.resample);
  Middle across{0, size.width}, down{0, size.height};
  if (processor.crop) {
    const bool fits = processor.crop_width <= size.width && processor.crop_height <= size.height;
    across = (fits ? middle_of : padded_middle_of)(size.width, processor.crop_width);
    down = (fits ? middle_of : padded_middle_of)(size.height, processor.crop_height);
  }
  PreparedPicture result{Tensor({3, down.length, across.length}), {}};
  Picture seen{across.length, down.length, {}};
  seen.rgba.resize(4 * static_cast<std::size_t>(seen.width) * seen.height);
  bool padded = false;
  for (int y = 0; y < down.length; ++y)
    for (int x = 0; x < across.length; ++x) {
      const int from_x = x + across.first, from_y = y + down.first;
      const bool inside = from_x >= 0 && from_x < size.width && from_y >= 0 && from_y < size.height;
      padded = padded || !inside;
      std::uint8_t* const shown = seen.at(x, y);
      if (inside) std::copy_n(whole.at(from_x, from_y), 3, shown);
      shown[3] = 255;
      for (Index part = 0; part < 3; ++part) {
        const std::size_t channel = part;
        float value = shown[channel];
        if (exact && inside)
          value = levels[3 * (from_y * static_cast<std::size_t>(size.width) + from_x) + channel];
        if (processor.rescale) value = static_cast<float>(value * processor.rescale_factor);
        if (processor.normalize) value = (value - processor.mean[channel]) / processor.deviation[channel];
        result.pixels.data()[(part * down.length + y) * across.length + x] = value;
      }
    }
  const auto scaled = [](int place, int from, int to) {
    return static_cast<int>(static_cast<std::int64_t>(place) * to / from);
  };
  if (padded)
    result.shown = std::move(seen);
  else
    result.shown = cropped(picture, scaled(across.first, size.width, picture.width),
                           scaled(down.first, size.height, picture.height),
                           scaled(across.length, size.width, picture.width),
                           scaled(down.length, size.height, picture.height));
  result.shown = scaled_down(std::move(result.shown), longest_shown);
  return result;
}

}  // namespace headscope

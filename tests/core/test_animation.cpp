// The output is read by independent decoders: giflib, libwebp's, and libpng one frame at a time.

#include <gif_lib.h>
#include <webp/demux.h>
#include <zlib.h>

#include "core/figure/animation/animation.h"
#include "core/figure/boards/color_palette.h"
#include "core/inputs/sweep.h"
#include "core/source/engine/engine.h"
#include "tests/support/figures.h"
#include "tests/support/png.h"

namespace headscope::tests {

struct Played {
  int width = 0, height = 0, plays = -1;
  std::vector<int> milliseconds = {};
  std::vector<std::vector<std::uint8_t>> frames = {};  // RGBA, as displayed
};

// Composites `part`, RGBA, onto the picture so far.
void lay_over(Played& played, const std::vector<std::uint8_t>& part, int x, int y, int width, int height) {
  auto seen = played.frames.empty()
                  ? std::vector<std::uint8_t>(4UL * static_cast<unsigned>(played.width * played.height))
                  : played.frames.back();
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const auto* from = part.data() + 4 * (row * width + column);
      if (from[3] != 0) std::copy(from, from + 4, seen.begin() + 4 * ((y + row) * played.width + x + column));
    }
  played.frames.push_back(std::move(seen));
}

Played played_gif(const std::string& bytes) {
  std::string_view rest = bytes;
  int error = 0;
  GifFileType* gif = DGifOpen(
      &rest,
      [](GifFileType* file, GifByteType* to, int size) {
        auto& from = *static_cast<std::string_view*>(file->UserData);
        const std::size_t count = from.copy(reinterpret_cast<char*>(to), static_cast<std::size_t>(size));
        from.remove_prefix(count);
        return static_cast<int>(count);
      },
      &error);
  EXPECT_EQ(DGifSlurp(gif), GIF_OK);
  Played played{gif->SWidth, gif->SHeight};
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& image = gif->SavedImages[i];
    const GifImageDesc& at = image.ImageDesc;
    GraphicsControlBlock control;
    EXPECT_EQ(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
    EXPECT_EQ(control.DisposalMode, DISPOSE_DO_NOT);
    std::vector<std::uint8_t> part;
    for (int p = 0; p < at.Width * at.Height; ++p) {
      const GifColorType c = gif->SColorMap->Colors[image.RasterBits[p]];
      const bool shown = image.RasterBits[p] != control.TransparentColor;
      part.insert(part.end(), {c.Red, c.Green, c.Blue, static_cast<std::uint8_t>(shown ? 255 : 0)});
    }
    played.milliseconds.push_back(10 * control.DelayTime);
    lay_over(played, part, at.Left, at.Top, at.Width, at.Height);
  }
  EXPECT_THAT(bytes, HasSubstr(std::string("NETSCAPE2.0\3\1\0\0", 15))) << "plays for ever";
  played.plays = 0;
  EXPECT_EQ(DGifCloseFile(gif, &error), GIF_OK);
  return played;
}

Played played_webp(const std::string& bytes) {
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
  WebPAnimInfo info;
  EXPECT_TRUE(WebPAnimDecoderGetInfo(decoder, &info));
  Played played{static_cast<int>(info.canvas_width), static_cast<int>(info.canvas_height),
                static_cast<int>(info.loop_count)};
  for (int before = 0, until = 0; WebPAnimDecoderHasMoreFrames(decoder); before = until) {
    std::uint8_t* pixels = nullptr;
    EXPECT_TRUE(WebPAnimDecoderGetNext(decoder, &pixels, &until));
    played.milliseconds.push_back(until - before);
    played.frames.emplace_back(pixels, pixels + 4UL * info.canvas_width * info.canvas_height);
  }
  WebPAnimDecoderDelete(decoder);
  return played;
}

std::uint32_t number_at(std::string_view bytes, std::size_t i, std::size_t size = 4) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < size; ++k) value = value << 8 | static_cast<std::uint8_t>(bytes[i + k]);
  return value;
}

std::string chunk(const std::string& type, const std::string& data) {
  const auto number = [](std::uint32_t v) {
    return std::string{static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
                       static_cast<char>(v)};
  };
  const std::string checked = type + data;
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), checked.size());
  return number(static_cast<std::uint32_t>(data.size())) + checked + number(static_cast<std::uint32_t>(sum));
}

std::vector<std::uint8_t> decoded_rgba(const std::string& png) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&image, png.data(), png.size())) << image.message;
  image.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr)) << image.message;
  return pixels;
}

Played played_apng(const std::string& bytes) {
  Played played;
  std::string head, control;
  std::uint32_t sequence = 0, frames = 0;
  for (std::size_t i = 8; i < bytes.size();) {
    const std::uint32_t size = number_at(bytes, i);
    const std::string type = bytes.substr(i + 4, 4), data = bytes.substr(i + 8, size);
    i += 12 + size;
    if (type == "IHDR") {
      head = data;
      played.width = static_cast<int>(number_at(data, 0));
      played.height = static_cast<int>(number_at(data, 4));
    } else if (type == "acTL") {
      frames = number_at(data, 0);
      played.plays = static_cast<int>(number_at(data, 4));
    } else if (type == "fcTL") {
      EXPECT_EQ(number_at(data, 0), sequence++);
      EXPECT_EQ(number_at(data, 22, 2), 1000U);
      EXPECT_EQ(data[24], 0) << "stays";
      played.milliseconds.push_back(static_cast<int>(number_at(data, 20, 2)));
      control = data;
    } else if (type == "IDAT" || type == "fdAT") {
      if (type == "fdAT") {
        EXPECT_EQ(number_at(data, 0), sequence++);
      }
      const std::string png = bytes.substr(0, 8) + chunk("IHDR", control.substr(4, 8) + head.substr(8)) +
                              chunk("IDAT", type == "IDAT" ? data : data.substr(4)) + chunk("IEND", "");
      const auto at = [&](std::size_t k) { return static_cast<int>(number_at(control, k)); };
      lay_over(played, decoded_rgba(png), at(12), at(16), at(4), at(8));
    }
  }
  EXPECT_EQ(frames, played.frames.size());
  return played;
}

int largest_error(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double mean_error(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

class AnimationFile : public InFolder {
 protected:
  // A sweep of the temperature over a few tokens, each run from the previous one.
  Scene scene(double temperature) {
    session.inputs.temperature = temperature;
    RunOptions run;
    run.previous = last_;
    last_ = engine_.run(session.inputs, run);
    return scene_of(session, last_);
  }
  Played play(const std::string& ending) {
    Animation animation{static_cast<int>(values.size()), 120, [&](int i) {
                          const double value = values[static_cast<std::size_t>(i)];
                          return AnimationFrame{scene(value), fmt::format("Temperature {}", value)};
                        }};
    animation.progress = [&](int done, int all) { steps = {done, all}; };
    export_animation(at("a" + ending), animation, "{}", options);
    const std::string bytes = read_file(at("a" + ending));
    return ending == ".gif" ? played_gif(bytes) : ending == ".webp" ? played_webp(bytes) : played_apng(bytes);
  }
  // A still figure of one value, with its caption in the title and the colour range of all values.
  Picture still(double value, const std::string& title) {
    Scene one = scene(value);
    one.view.title = title;
    if (one.view.range.kind == Range::shared) {
      ColorLimits limits{1e9, -1e9};
      for (const double other : values) {
        const BlockTrace& block = *scene(other).block;
        for (int h = 0; h < block.heads(); ++h) {
          limits.low = std::min(limits.low, static_cast<double>(block.extent(0, h).low));
          limits.high = std::max(limits.high, static_cast<double>(block.extent(0, h).high));
        }
      }
      one.view.range.kind = Range::fixed;
      one.view.range.limits = limits;
    }
    return figure_picture(one, options);
  }

  AnimationFile() {
    session.inputs.sentence = "a b c";
    session.inputs.d_model = 16;
    session.inputs.heads = 2;
    session.view.range.kind = Range::shared;
    options.width = 4;
    options.height = 2;
    options.dpi = 60;
    options.extras.legend = false;  // as animations have none
  }

  std::vector<double> values{0.1, 0.5, 1, 4};
  Session session;
  FigureOptions options;
  std::pair<int, int> steps;

 private:
  Engine engine_{1};
  std::shared_ptr<const Trace> last_;
};

TEST_F(AnimationFile, is_read_by_others_as_the_stills_it_consists_of) {
  for (const AnimationFormatRow& format : animation_formats())
    for (const Theme theme : {Theme::light, Theme::dark}) {
      SCOPED_TRACE(format.name);
      session.view.theme = theme;
      const Played played = play(format.ending);
      EXPECT_EQ(std::pair(played.width, played.height), std::pair(240, 120));
      EXPECT_EQ(played.plays, 0) << "for ever";
      EXPECT_THAT(played.milliseconds, ElementsAre(120, 120, 120, 1120));
      ASSERT_EQ(played.frames.size(), values.size());
      EXPECT_EQ(steps.first, steps.second);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto expected =
            still(values[i], fmt::format("Attention of 2 heads · Temperature {}", values[i])).rgba;
        if (format.colors == 0) {
          EXPECT_EQ(largest_error(played.frames[i], expected), 0) << "frame " << i;
        } else {
          EXPECT_LT(mean_error(played.frames[i], expected), 0.5) << "frame " << i;
          EXPECT_LE(largest_error(played.frames[i], expected), 32) << "frame " << i;
        }
      }
    }
}

TEST_F(AnimationFile, frames_have_one_page_that_holds_all) {
  options.height.reset();
  options.tight = true;
  values = {1, 0.00123};
  session.view.range.kind = Range::head;
  const Played played = play(".apng");
  EXPECT_EQ(played.width, 240) << "only the height is cut";
  EXPECT_LT(played.height, 240);
  options.height = 2;
  EXPECT_LT(play(".webp").width, 240);
}

TEST_F(AnimationFile, each_views_colours_hold_still) {
  for (const ViewKind kind : {ViewKind::grid, ViewKind::head, ViewKind::lines, ViewKind::layers})
    for (const Range range : {Range::shared, Range::logarithm}) {
      session.view.kind = kind;
      session.view.range.kind = range;
      session.view.head = kind == ViewKind::head ? std::optional(1) : std::nullopt;
      session.view.show_title = false;
      values = {1, 0.05};
      const Played there = play(".webp");
      values = {0.05, 1};
      const Played back = play(".webp");
      EXPECT_EQ(there.frames[0], back.frames[1]) << static_cast<int>(kind);
      EXPECT_EQ(there.frames[1], back.frames[0]) << static_cast<int>(kind);
      EXPECT_NE(there.frames[0], figure_picture(scene(1), options).rgba) << "as it is by itself";
    }
}

TEST_F(AnimationFile, gives_up_where_it_cannot_be) {
  const auto refused = [&](const std::string& path, Error::Kind kind = Error::Kind::input) {
    const Animation animation{2, 100, [&](int) { return AnimationFrame{scene(1), "1"}; }};
    return complaint([&] { export_animation(at(path), animation, "", options); }, kind);
  };
  EXPECT_THAT(refused("a.png"), HasSubstr(".gif"));
  EXPECT_THAT(refused("none/a.gif", Error::Kind::unable), HasSubstr("its folder does not exist"));
  options.dpi = 1200;
  options.width = 14;
  EXPECT_THAT(refused("a.webp"),
              HasSubstr("16800 × 2400 pixels are too many for WebP; expected at most 16383"));
  EXPECT_THAT(refused("a.apng"), HasSubstr("40 megapixels; expected at most 16"));
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(ColorCount, keeps_few_colours_and_cuts_many_where_they_differ_most) {
  ColorCount few;
  few.add({1, 2, 3}, 5);
  few.add({200, 0, 7}, 1);
  EXPECT_EQ(few.palette(255).size(), 2U);
  ColorCount many;
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < 16; ++j) many.add({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), 9}, 1);
  many.add({0, 255, 0}, 1'000'000);
  const std::vector<Rgb> palette = many.palette(64);
  EXPECT_LE(palette.size(), 64U);
  EXPECT_EQ(palette.front(), (Rgb{0, 255, 0}));
  for (int i = 0; i < 256; ++i) {
    const bool near = std::ranges::any_of(
        palette, [&](Rgb c) { return std::abs(c.r - i) <= 8 && std::abs(c.g - 8) <= 8 && c.b == 9; });
    EXPECT_TRUE(near) << i;
  }
}

TEST(SweepValues, go_evenly_and_whole_numbers_once) {
  const auto values = [](const char* field, double from, double to, int frames, const Inputs& inputs = {}) {
    return sweep_values({find_input_field(field), from, to, frames}, inputs).values;
  };
  EXPECT_THAT(values("temperature", 0.1, 4, 3), ElementsAre(0.1, testing::DoubleEq(2.05), 4));
  EXPECT_THAT(values("gain-q", 1, -1, 3), ElementsAre(1, 0, -1));
  EXPECT_THAT(values("layers", 1, 3, 24), ElementsAre(1, 2, 3));
  EXPECT_THAT(values("seed", 9007199254740990, 9007199254740992, 3),
              ElementsAre(9007199254740990, 9007199254740991, 9007199254740992));
  const Sweep heads{find_input_field("heads"), 1, 8, 8};
  const SweepValues fit = sweep_values(heads, {});
  EXPECT_THAT(fit.values, ElementsAre(1, 2, 4, 8));
  ASSERT_EQ(fit.left_out.size(), 4U);
  EXPECT_EQ(fit.left_out[0].first, 3);
  EXPECT_THAT(fit.left_out[0].second.what(), HasSubstr("d_model 512 is not divisible by heads 3"));
  EXPECT_THROW(values("heads", 2, 3, 2), Error) << "one is left";
  EXPECT_THROW(values("heads", 5, 7, 3), Error) << "none is";
  EXPECT_EQ(find_input_field("nothing"), nullptr);
  Inputs masked;
  masked.mask = {parse_mask_part("causal"), parse_mask_part("window:1")};
  const Sweep width{&input_field(&Inputs::mask), 1, 5, 5, find_mask_number("mask.window")};
  EXPECT_THAT(sweep_values(width, masked).values, ElementsAre(1, 2, 3, 4, 5));
  set_number(masked, width, 4);
  EXPECT_EQ(to_string(masked.mask.back()), "window:4");
  EXPECT_THROW(sweep_values(width, {}), Error) << "no part has a width";
  masked.mask = mask_parts({"padding:1", "longformer:1,global=0,3"});
  const Sweep global{&input_field(&Inputs::mask), 0, 3, 4, find_mask_number("mask.global")};
  EXPECT_STREQ(global.label(), "Global");
  set_number(masked, global, 2);
  EXPECT_EQ(masked.mask, mask_parts({"padding:1", "longformer:1,global=2"})) << "of the part that has them";
  EXPECT_FALSE(is_number(*find_input_field("scale")));
}

TEST(SweepValues, are_reported_with_the_decimals_that_distinguish_them) {
  EXPECT_THAT(number_texts({1, 2, 4}), ElementsAre("1", "2", "4"));
  EXPECT_THAT(number_texts({0.1, 0.2, 0.3}), ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(number_texts({0.1, 0.2696, 0.4391}), ElementsAre("0.10", "0.27", "0.44"));
  EXPECT_THAT(number_texts({-1, -1e-17, 1.5}), ElementsAre("−1.0", "0.0", "1.5"));
  EXPECT_THAT(number_texts({1e-8, 2e-8}), ElementsAre("1e-08", "2e-08"));
}

}  // namespace headscope::tests

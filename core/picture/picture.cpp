#include "core/picture/picture.h"

#include <algorithm>
#include <filesystem>

#include "core/base/budget.h"
#include "core/base/error.h"
#include "core/io/file.h"
#include "core/picture/decoders.h"

namespace headscope {
namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

struct PictureFormat {
  bool (*is)(std::string_view start);
  DecodedPicture (*decode)(std::string_view bytes, const std::string& source);
};
constexpr PictureFormat picture_formats[] = {
    {[](std::string_view start) { return start.starts_with(png_signature); }, decode_png},
    {[](std::string_view start) { return start.starts_with("\xFF\xD8\xFF"); }, decode_jpeg},
    {[](std::string_view start) { return start.starts_with("RIFF") && start.substr(8).starts_with("WEBP"); },
     decode_webp},
};

const PictureFormat& picture_format_of(std::string_view start, const std::string& source) {
  for (const PictureFormat& format : picture_formats)
    if (start.size() > 8 && format.is(start)) return format;
  throw input_error("{}: not a picture; expected PNG, JPEG or WebP", source);
}

std::uint32_t big_endian_number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

void check_picture_sides(std::uint64_t width, std::uint64_t height, const std::string& source) {
  if (width == 0 || height == 0 || width > longest_picture || height > longest_picture)
    throw input_error("{}: {} × {} pixels; expected 1 to {} a side", source, width, height, longest_picture);
}

/// EXIF 2.3, 4.6.4 A: where the picture's first row and column lie for the viewer.
Picture turned_upright(DecodedPicture decoded) {
  const Picture& from = decoded.picture;
  if (decoded.orientation < 2 || decoded.orientation > 8) return std::move(decoded.picture);
  const int last_x = from.width - 1, last_y = from.height - 1;
  const bool lies = decoded.orientation >= 5;
  Picture to{lies ? from.height : from.width, lies ? from.width : from.height, {}};
  to.rgba.resize(from.rgba.size());
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const std::uint8_t* pixel = nullptr;
      switch (decoded.orientation) {
        case 2:
          pixel = from.at(last_x - x, y);
          break;
        case 3:
          pixel = from.at(last_x - x, last_y - y);
          break;
        case 4:
          pixel = from.at(x, last_y - y);
          break;
        case 5:
          pixel = from.at(y, x);
          break;
        case 6:
          pixel = from.at(y, last_y - x);
          break;
        case 7:
          pixel = from.at(last_x - y, last_y - x);
          break;
        default:
          pixel = from.at(last_x - y, x);
      }
      std::copy_n(pixel, 4, to.at(x, y));
    }
  return to;
}

}  // namespace

Picture empty_picture(std::uint64_t width, std::uint64_t height, std::string_view bytes,
                      const std::string& source) {
  check_picture_sides(width, height, source);
  Budget(source, bytes.size()).charge(static_cast<std::size_t>(width * height), 4);
  Picture picture{static_cast<int>(width), static_cast<int>(height), {}};
  picture.rgba.resize(static_cast<std::size_t>(width * height * 4));
  return picture;
}

Picture decode_picture(std::string_view bytes, const std::string& source) {
  return turned_upright(picture_format_of(bytes, source).decode(bytes, source));
}

Picture read_picture(const std::string& path) {
  constexpr std::size_t largest = std::size_t{64} << 20;
  expect_picture(path);
  return decode_picture(read_file(path, largest), path);
}

Picture scaled_down(Picture picture, int maximum) {
  const int longest = std::max(picture.width, picture.height);
  if (longest <= maximum) return picture;
  const auto smaller = [&](int side) {
    return std::max(1, static_cast<int>(static_cast<std::int64_t>(side) * maximum / longest));
  };
  Picture small{smaller(picture.width), smaller(picture.height), {}};
  small.rgba.resize(4 * static_cast<std::size_t>(small.width) * small.height);
  const auto edge = [](int i, int from, int to) {
    return static_cast<int>(static_cast<std::int64_t>(i) * from / to);
  };
  std::uint8_t* out = small.rgba.data();
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x, out += 4) {
      const int top = edge(y, picture.height, small.height),
                bottom = edge(y + 1, picture.height, small.height);
      const int left = edge(x, picture.width, small.width), right = edge(x + 1, picture.width, small.width);
      unsigned sum[4] = {};
      for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column)
          for (std::size_t c = 0; c < 4; ++c) sum[c] += picture.at(column, row)[c];
      const unsigned count = (bottom - top) * (right - left);
      for (std::size_t c = 0; c < 4; ++c) out[c] = static_cast<std::uint8_t>(sum[c] / count);
    }
  return small;
}

Picture cropped(const Picture& picture, int left, int top, int width, int height) {
  left = std::clamp(left, 0, picture.width);
  top = std::clamp(top, 0, picture.height);
  Picture part{std::clamp(width, 0, picture.width - left), std::clamp(height, 0, picture.height - top), {}};
  part.rgba.resize(4 * static_cast<std::size_t>(part.width) * part.height);
  if (part.width > 0)
    for (int y = 0; y < part.height; ++y)
      std::copy_n(picture.at(left, top + y), 4 * part.width, part.at(0, y));
  return part;
}

void expect_picture(const std::string& path) {
  // PNG (ISO/IEC 15948), 5.2 and 11.2.2: the signature, then IHDR, which begins with width and height.
  constexpr std::size_t width_at = 16, height_at = 20, known = 24;
  std::error_code code;
  const auto kind = std::filesystem::status(path, code).type();
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    throw input_error("{}: not a regular file", path);
  const std::string start = read_start(path, known);
  picture_format_of(start, path);
  if (!start.starts_with(png_signature) || start.size() < known) return;
  check_picture_sides(big_endian_number(std::string_view(start).substr(width_at, 4)),
                      big_endian_number(std::string_view(start).substr(height_at, 4)), path);
}

bool has_picture_name(const std::string& path) {
  const std::string end = ending(path);
  return end == ".png" || end == ".jpg" || end == ".jpeg" || end == ".webp";
}

}  // namespace headscope

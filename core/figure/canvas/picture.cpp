#include "core/figure/canvas/picture.h"

#include <png.h>

#include <algorithm>
#include <string_view>

#include "core/base/budget.h"
#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/png_header.h"

namespace headscope {
namespace {

/// The mean of the pixels under each pixel of a smaller picture.
FigurePicture scaled_down(FigurePicture picture, int maximum) {
  const int longest = std::max(picture.width, picture.height);
  if (longest <= maximum) return picture;
  FigurePicture small;
  const auto smaller = [&](int side) {
    return std::max(1, static_cast<int>(static_cast<std::int64_t>(side) * maximum / longest));
  };
  small.width = smaller(picture.width);
  small.height = smaller(picture.height);
  small.rgba.resize(4 * static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height));
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
        for (int column = left; column < right; ++column) {
          const std::size_t at =
              4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.width) +
                   static_cast<std::size_t>(column));
          for (std::size_t c = 0; c < 4; ++c) sum[c] += picture.rgba[at + c];
        }
      const auto count = static_cast<unsigned>((bottom - top) * (right - left));
      for (std::size_t c = 0; c < 4; ++c) out[c] = static_cast<std::uint8_t>(sum[c] / count);
    }
  return small;
}

/// Frees libpng's own memory.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

}  // namespace

FigurePicture read_picture(const std::string& path) {
  constexpr std::size_t largest = std::size_t{64} << 20;
  constexpr int max_shown = 1024;
  expect_picture(path);
  const std::string bytes = read_file(path, largest);
  PngImage image;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
    throw input_error("{}: damaged: {}", path, image.message);
  if (image.width > longest_picture || image.height > longest_picture)
    throw input_error("{}: {} × {} pixels; expected at most {} a side", path, image.width, image.height,
                      longest_picture);
  image.format = PNG_FORMAT_RGBA;
  Budget budget(path, bytes.size());
  budget.charge(std::size_t{image.width} * image.height, 4);
  FigurePicture picture;
  picture.width = static_cast<int>(image.width);
  picture.height = static_cast<int>(image.height);
  picture.rgba.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0)
    throw input_error("{}: damaged: {}", path, image.message);
  return scaled_down(std::move(picture), max_shown);
}

}  // namespace headscope

#pragma once
#include <png.h>

#include "core/scene/colormap.h"
#include "tests/support/testing.h"

namespace headscope::tests {

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> bytes;
  Rgb at(int x, int y) const {
    const std::uint8_t* p =
        bytes.data() +
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return {p[0], p[1], p[2]};
  }
};

/// Read by libpng, independently of how it was written.
inline Pixels decoded(const std::string& png) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&image, png.data(), png.size())) << image.message;
  image.format = PNG_FORMAT_RGB;
  Pixels pixels{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  pixels.bytes.resize(PNG_IMAGE_SIZE(image));
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, pixels.bytes.data(), 0, nullptr)) << image.message;
  return pixels;
}

}  // namespace headscope::tests

#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// A character that no font of the program has, as the device draws it that shows the page.
struct DeviceGlyph {
  int width = 0, height = 0;  ///< of the bitmap, in pixels
  int left = 0, top = 0;      ///< of its upper left corner: from the pen to the right, from the baseline up
  double advance = 0;         ///< in pixels
  bool colored = false;       ///< as emoji are; else the pixels are white, for any colour
  std::vector<std::uint32_t> pixels;  ///< [height, width]: red in the lowest byte, then green, blue, opacity
};

/// `em`: the size in pixels. Empty if the device has no font for it either, and outside a browser, where
/// fontconfig knows every font.
std::optional<DeviceGlyph> device_glyph(char32_t character, double em);

}  // namespace headscope

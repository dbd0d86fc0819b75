#include <array>
#include <cstdlib>

#include "core/figure/text/device_glyph.h"

// Of app/window/page/glyphs.js: the pixels, to be freed, and what describes them; nullptr: there are none.
extern "C" std::uint32_t* page_glyph(char32_t character, double em, int* size, double* advance);

namespace headscope {

std::optional<DeviceGlyph> device_glyph(char32_t character, double em) {
  std::array<int, 5> size{};
  double advance = 0;
  std::uint32_t* const pixels = page_glyph(character, em, size.data(), &advance);
  if (pixels == nullptr) return std::nullopt;
  const auto [width, height, left, top, colored] = size;
  DeviceGlyph glyph{width, height, left, top, advance, colored != 0, {}};
  glyph.pixels.assign(pixels, pixels + static_cast<std::ptrdiff_t>(width) * height);
  std::free(pixels);
  return glyph;
}

}  // namespace headscope

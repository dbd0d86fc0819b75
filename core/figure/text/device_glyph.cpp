#include "core/figure/text/device_glyph.h"

namespace headscope {

std::optional<DeviceGlyph> device_glyph(char32_t, double) {
  return std::nullopt;
}

}  // namespace headscope

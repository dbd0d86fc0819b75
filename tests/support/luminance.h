#pragma once
#include <cmath>

#include "core/scene/rgb.h"

namespace headscope::tests {

/// WCAG 2.1: relative luminance of an sRGB colour.
inline double luminance(Rgb c) {
  const auto linear = [](std::uint8_t byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

}  // namespace headscope::tests

#include "core/scene/colormap.h"

#include <algorithm>
#include <cmath>

namespace headscope {
namespace {

std::uint8_t to_byte(double x) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(x, 0.0, 1.0)));
}

/// HSV to sRGB, hue in [0, 1).
Rgb from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](double n) {
    const double k = std::fmod(n + hue * 6, 6);
    return to_byte(value - value * saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  return {channel(5), channel(3), channel(1)};
}

}  // namespace

const Colors& colors(Colormap colormap) {
  return colormaps()[static_cast<std::size_t>(colormap)].colors;
}

Rgb head_color(int h, int heads) {
  // Chosen to be distinguishable on white and on black, also side by side as lines.
  static constexpr std::array<Rgb, 10> ten{{{0x2a, 0x78, 0xd6},
                                            {0xdc, 0x6c, 0x0c},
                                            {0x1f, 0x9e, 0x54},
                                            {0xd6, 0x30, 0x3b},
                                            {0x8e, 0x5b, 0xd0},
                                            {0x94, 0x62, 0x3f},
                                            {0xe0, 0x5a, 0xac},
                                            {0x7c, 0x84, 0x8c},
                                            {0x96, 0x8e, 0x0e},
                                            {0x0e, 0x9a, 0xac}}};
  if (heads <= 10) return ten[static_cast<std::size_t>(std::clamp(h, 0, 9))];
  return from_hsv(static_cast<double>(h % heads) / heads, 0.75, 0.85);
}

float ColorRange::position(float value) const {
  if (!(value > low)) return 0;  // NaN too
  if (value >= high) return 1;
  const float p = logarithm ? std::log2(value / low) / std::log2(high / low) : (value - low) / (high - low);
  return std::clamp(p, 0.0F, 1.0F);
}

int ColorRange::index(float value) const {
  return std::min(255, static_cast<int>(position(value) * 256));
}

MaskedStyle masked_style(Theme theme) {
  if (theme == Theme::dark) return {{0x3a, 0x3d, 0x42}, {0x5c, 0x61, 0x68}};
  return {{0xe4, 0xe5, 0xe7}, {0xb9, 0xbc, 0xc1}};
}

}  // namespace headscope

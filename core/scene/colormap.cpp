#include "core/scene/colormap.h"

#include <algorithm>
#include <cmath>

#include "core/base/enum_table.h"

namespace headscope {

const Colors& colors(Colormap colormap) {
  return of_kind(colormaps(), colormap).colors;
}

Rgb head_color(int h, int heads, int layer) {
  constexpr double first_hue = 290, hues = 296;  // all but those around blue
  constexpr double shift = 0.618;                // of the distance of two heads, from layer to layer
  // Both contrast with light and with dark; neighbours differ in it, too.
  constexpr double lightness[] = {0.6, 0.555}, chroma = 0.15;
  const double place = std::fmod(h + shift * layer, std::max(heads, 1)) / std::max(heads, 1);
  return from_oklch(lightness[(h + layer) % 2], chroma, first_hue + hues * place);
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

Rgb diverging_color(double value, double largest, Theme theme) {
  const long code = std::clamp(std::lround(127.5 + 127.5 * value / largest), 0L, 255L);
  return diverging_colors(theme)[code];
}

}  // namespace headscope

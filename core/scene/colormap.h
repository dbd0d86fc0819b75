#pragma once
#include <array>
#include <cstdint>

#include "core/scene/view.h"

namespace headscope {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// 256 colours, perceptually even, dark to bright (greys: white to black, for print).
const std::array<Rgb, 256>& colors(Colormap colormap);
/// Diverging about its middle (index 127 and 128), for signed differences and scores.
const std::array<Rgb, 256>& diverging_colors();

/// Head h's own colour; hue = h / heads beyond ten.
Rgb head_color(int h, int heads);

/// Where `value` lies between the ends of a colour range, 0 to 1; the same formula as shaders/heatmap.frag.
struct ColorRange {
  float low = 0, high = 1;
  bool logarithm = false;
  float position(float value) const;
  int index(float value) const;  ///< of the 256 colours
};

/// How masked cells look: a grey and a hatch of diagonal lines, by theme.
struct MaskedStyle {
  Rgb background, line;
};
MaskedStyle masked_style(Theme theme);

}  // namespace headscope

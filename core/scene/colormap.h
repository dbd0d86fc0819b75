#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/scene/colormap_data.h"

namespace headscope {

const Colors& colors(Colormap colormap);
/// Of diverging_colors(), for a value between -largest and largest.
Rgb diverging_color(double value, double largest, Theme theme);

/// The default colour of head h of a layer: its hue is its place among the layer's heads; heads of other
/// layers have hues in between. None is blue, which is what the window selects with.
Rgb head_color(int h, int heads, int layer = 0);

/// The position of `value` between the ends of a colour range, 0 to 1; same formula as shaders/heatmap.frag.
struct ColorRange {
  float low = 0, high = 1;
  bool logarithm = false;
  bool below = false, above = false;  ///< there are values beyond this end, drawn in its colour
  /// Of each row of the map, what its values are multiplied by first; null: nothing.
  std::shared_ptr<const std::vector<float>> row_factors = nullptr;
  std::int64_t cells_beyond = 0;  ///< of a range that is held: how many cells are, if they were counted
  /// Of a value, after its row's factor.
  float position(float value) const;
  int index(float value) const;  ///< of the 256 colours
};

/// How masked cells look: a grey and a hatch of diagonal lines, by theme.
struct MaskedStyle {
  Rgb background, line;
};
MaskedStyle masked_style(Theme theme);

}  // namespace headscope

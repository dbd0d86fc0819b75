#pragma once
#include <array>
#include <span>

#include "core/scene/rgb.h"
#include "core/scene/view.h"

namespace headscope {

using Colors = std::array<Rgb, 256>;

/// A map from weights to colours, perceptually even, dark to bright (greys and blues: white to dark, for
/// print).
struct ColormapRow {
  Colormap value;
  const char* name;   ///< in files, on the command line and in the window, the same in all languages
  const char* alias;  ///< another accepted spelling, or nullptr
  Colors colors;
};

/// In the order of Colormap.
std::span<const ColormapRow> colormaps();
/// Diverging around its middle (index 127 and 128), for signed differences and scores: white on a light
/// background, which is that of paper, and the background's own colour on a dark one.
const Colors& diverging_colors(Theme theme);
/// Behind maps in the dark theme.
inline constexpr Rgb dark_background{0x17, 0x19, 0x1d};

}  // namespace headscope

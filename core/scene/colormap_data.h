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
/// Diverging around its middle (index 127 and 128), for signed differences and scores.
const Colors& diverging_colors();

}  // namespace headscope

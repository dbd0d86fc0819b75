#pragma once
#include <array>

#include "core/scene/colormap.h"

namespace headscope::gl {

/// For each of the 256 colours the smallest float that ColorRange::index maps to it, or infinity: the shader
/// compares with these, so that a graphics card's rounding of a division or logarithm can't change a colour.
/// [0] is -infinity.
std::array<float, 256> color_thresholds(const ColorRange& range);

}  // namespace headscope::gl

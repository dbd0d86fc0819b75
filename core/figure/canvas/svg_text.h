#pragma once
#include <string>

#include "core/scene/rgb.h"

namespace headscope {

/// "#1f77b4".
std::string svg_color(Rgb color);
/// A coordinate or length with at most so many decimals, without trailing zeros.
std::string svg_number(double value, int decimals = 2);

}  // namespace headscope

#pragma once
#include <string>

#include "core/figure/canvas/rect.h"
#include "core/scene/rgb.h"

namespace headscope {

/// "#1f77b4".
std::string svg_color(Rgb color);
/// `x="1" y="2" width="3" height="4"`.
std::string svg_box(const Rect& rect, int decimals = 2);
/// A coordinate or length with at most so many decimals, without trailing zeros.
std::string svg_number(double value, int decimals = 2);

}  // namespace headscope

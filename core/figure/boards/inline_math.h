#pragma once
#include <string>
#include <string_view>

#include "core/figure/boards/board.h"

namespace headscope {

/// A text for set_formula() in which names are set as formulas: W_Q with its subscript, √d_k with its root,
/// e^−max with its exponent. Without braces or backslashes.
std::string text_to_tex(std::string_view text);

/// A text in lines no wider than `width`, its names set so.
Board math_paragraph(std::string_view text, double width, double size, Rgb color, const BoardStyle& style);

}  // namespace headscope

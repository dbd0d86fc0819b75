#pragma once
#include <string_view>

#include "core/figure/boards/board.h"

namespace headscope {

/// A typeset formula: as wide as its signs, as high as its lines.
struct Formula {
  Board board;
  double baseline = 0;  ///< below the board's upper edge: the baseline of the line of text that contains it
};

/// Typesets a formula written in a small subset of TeX: \frac, \sqrt, _ and ^, groups, \left and \right,
/// \text, \mathrm, \mathbf, \mathbb, \operatorname, Greek letters, signs, named functions and spaces
/// (formula_symbols.cpp lists them), and \color{q}{…}, whose colours are those of role_colors.h and quiet,
/// accent and warning of the style. Everything is upright: the window has no italics. `size` is that of its
/// letters. Throws Error (input) that names what was found.
Formula set_formula(std::string_view tex, const BoardStyle& style, double size);
inline Board formula_board(std::string_view tex, const BoardStyle& style, double size) {
  return set_formula(tex, style, size).board;
}

}  // namespace headscope

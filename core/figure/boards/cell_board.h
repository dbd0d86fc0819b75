#pragma once
#include <functional>
#include <span>
#include <string>

#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/text/words.h"

namespace headscope {

// Boards of cells with numbers: predictions and causes.

/// What they are drawn with.
struct CellPen {
  Board& board;
  const BoardStyle& style;

  /// The size of a text: as large as `share` says, or as its cell has room for.
  double fitted(const std::string& text, const Rect& rect, double share) const;
  /// Centred in `rect`, left out if not even one character fits.
  void text(const std::string& text, const Rect& rect, double share, Rgb color) const;
  /// A number, if all of it fits: cut it would be another one.
  void number(const std::string& number, const Rect& rect, double share, Rgb color) const;
  /// A token, with its number if it is repeated: the number is whole, the token cut off.
  void token(const std::vector<Token>& tokens, Index i, const Rect& rect, double share, Rgb color) const;
  /// How much smaller than `share` the widest of these percentages has to be for cells of that size; none
  /// gets smaller than can be read.
  double fitting_share(std::span<const double> probabilities, double width, double height,
                       double share) const;
  /// A number is whole, with fewer digits in a narrow cell, or left out.
  void percentage(double probability, const Rect& rect, double share, Rgb color) const;
  void label(const std::string& text, double x, double y, double share, Rgb color, Anchor anchor,
             double room) const;
  double paragraph_height(const std::string& text, double share, double room) const;
  /// On several lines if it does not fit on one; returns where they end.
  double paragraph(const std::string& text, double x, double y, double share, double room) const;
  void cell(const Rect& rect, Rgb color, double gap) const;
  static constexpr double spacing = 1.35;  ///< of the lines of a paragraph
};

/// A horizontal bar with its name above and its numbers below.
Board color_bar(const Colors& colors, const ColorRange& range, const std::string& name,
                const BoardStyle& style, double width);
/// Its usual width, of the type.
inline constexpr double bar_width = 10;

/// The area for a board, in its unit.
struct BoardRoom {
  double width = 0, height = 0;
  bool fill = false;  ///< cells grow until it is full; otherwise a board may be higher
};
/// `make(style, true)`, whose board has the height; with `scrolls`, `make(style, false)` if that is higher.
Board filled_board(const BoardStyle& style, double height, bool scrolls,
                   const std::function<Board(const BoardStyle& style, bool fill)>& make);
/// The same in a figure.
void draw_filled(const FigurePen& pen, const Rect& area,
                 const std::function<Board(const BoardStyle& style, bool fill)>& make);

}  // namespace headscope

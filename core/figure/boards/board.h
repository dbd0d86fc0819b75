#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/boards/figure_style.h"
#include "core/figure/boards/layout.h"
#include "core/figure/canvas/canvas.h"

namespace headscope {

// A page of texts, boxes and lines that screen and figure share: what is laid out once is drawn with Dear
// ImGui (app/panels/widgets/board.h) and on a Canvas alike.

/// Width of a line of text of that size, in the unit of `size`.
using MeasureSized = std::function<double(std::string_view text, double size)>;

/// Where the colours of a board come from: those of the figure, or of the window.
struct BoardStyle {
  double font_size = 9;  ///< of ordinary text; everything else follows it
  double least = 0;      ///< of any text, its scripts too: what the back of a room can read
  Rgb background, text, quiet, border, accent, panel, warning;
  MeasureSized measure;
  double sized(double share) const { return share * font_size > least ? share * font_size : least; }
};
BoardStyle board_style(const FigureStyle& style, TextShaper& shaper);

struct BoardText {
  std::string text;
  double x = 0, y = 0;  ///< as Canvas::text
  TextStyle style;
};
struct BoardFill {
  Rect rect;
  Rgb color;
};
struct BoardLine {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, width = 1;
  Rgb color;
  double opacity = 1;
};
/// A map; its picture's part has no width and height.
struct BoardMap {
  Rect rect;
  MapPicture picture;
  std::shared_ptr<const void> owner;  ///< keeps its numbers
};
/// A place that can be pointed at and clicked.
struct BoardRegion {
  Rect rect;
  std::string name;  ///< what it is: stays when texts are worded anew
  std::string help;  ///< translated; empty: none
};

/// Fills are drawn first, then maps, lines and texts, each in their order. The unit is the caller's, from the
/// upper left corner.
struct Board {
  double width = 0, height = 0;
  std::vector<BoardFill> fills;
  std::vector<BoardMap> maps;
  std::vector<BoardLine> lines;
  std::vector<BoardText> texts;
  std::vector<BoardRegion> regions;  ///< a later one lies above
  std::vector<Rect> wholes;          ///< what is not to be parted, as a chart and its legend
};

/// `part` with its upper left corner at (x, y).
void add(Board& board, Board part, double x, double y);
/// The region at a point; nullptr: there is none.
const BoardRegion* region_at(const Board& board, double x, double y);
void draw_board(Canvas& canvas, const Board& board, double x, double y);

}  // namespace headscope

#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/figure/boards/figure_style.h"
#include "core/figure/boards/layout.h"
#include "core/figure/canvas/canvas.h"
#include "core/inputs/head_places.h"

namespace headscope {

// A page of texts, boxes and lines that screen and figure share: it is laid out once and drawn either with
// Dear ImGui (app/panels/map/board.h) or on a Canvas.

/// Where the colours of a board come from: those of the figure, or of the window.
struct BoardStyle {
  double font_size = 9;  ///< of ordinary text; everything else follows it
  double minimum = 0;    ///< of any text, its scripts too: readable from the back of a room
  double smallest = 0;   ///< what a text shrinks to before it is cut; 0: it does not shrink
  Rgb background, text, muted, border, accent, panel, warning;
  MeasureSized measure;
  double sized(double share) const { return share * font_size > minimum ? share * font_size : minimum; }
};
BoardStyle board_style(const FigureStyle& style, MeasureSized measure);
BoardStyle board_style(const FigureStyle& style, TextShaper& shaper);
MeasureSized measure_with(TextShaper& shaper);

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
struct BoardMap {
  Rect rect;
  MapPicture picture;  ///< with its owner
};
struct BoardPicture {
  Rect rect;
  std::shared_ptr<const Picture> picture;
};

// What a region is of; numbers are from 0.

/// A word that is highlighted so strongly that it must not be covered.
struct LitWord {
  bool operator==(const LitWord&) const = default;
};
/// A token after a layer.
struct TokenOfLayer {
  int layer = 0;
  Index query = 0;
  bool operator==(const TokenOfLayer&) const = default;
};
/// A map of the whole model, or its title.
struct LayerMap {
  BlockKind block = BlockKind::encoder;
  int layer = 0;
  bool title = false;
  bool operator==(const LayerMap&) const = default;
};
/// A word of the whole model: of the source, or one that the model has written, identified by the position of
/// the target token before it. -1: the start token, before which nothing was written.
struct PointedWord {
  bool of_source = false;
  Index at = 0;
  bool operator==(const PointedWord&) const = default;
};
/// A part of a stage of a cell's arithmetic: its card, the card's title, where its list begins, the sum below
/// the list, and what folds and unfolds the list.
struct StagePlace {
  enum Part { card, title, list, result, fold, unfold } part = card;
  std::string stage;
  bool operator==(const StagePlace&) const = default;
};
/// A number that a click selects: a component of q and k, or one of the output.
struct StageNumber {
  bool of_output = false;
  Index at = 0;
  bool operator==(const StageNumber&) const = default;
};
/// What was changed in a run to see what it causes; -1: all.
struct CauseTarget {
  BlockKind block = BlockKind::self;
  int layer = 0, head = -1, query = -1, key = -1;
  std::size_t value = 0;  ///< its number in the CauseMap of the block
  bool operator==(const CauseTarget&) const = default;
};
using BoardTarget = std::variant<std::monostate, LitWord, HeadPlace, TokenOfLayer, LayerMap, PointedWord,
                                 StagePlace, StageNumber, CauseTarget>;

/// A place that can be pointed at and clicked.
struct BoardRegion {
  Rect rect;
  std::string
      name;  ///< by which it is found from outside, as by lessons; "note …": there is nothing to click
  std::string help;  ///< translated; empty: none
  BoardTarget target = {};
  /// What it is of, if that is a `Target`; otherwise nullptr.
  template <typename Target>
  const Target* of() const {
    return std::get_if<Target>(&target);
  }
};

/// Fills are drawn first, then maps, pictures, lines and texts, each in their order. The unit is the
/// caller's, the origin the upper left corner.
struct Board {
  double width = 0, height = 0;
  std::vector<BoardFill> fills;
  std::vector<BoardMap> maps;
  std::vector<BoardPicture> pictures;
  std::vector<BoardLine> lines;
  std::vector<BoardText> texts;
  std::vector<BoardRegion> regions;  ///< a later one is above earlier ones
  std::vector<Rect> wholes;          ///< must not be split, such as a chart and its legend
};

/// A text at that size, cut to the room.
std::string shortened(std::string_view text, double room, double size, const BoardStyle& style);

/// Four lines along the edges.
void frame(Board& board, const Rect& rect, double width, Rgb color);
/// A line with a head at its end, `head` long and at each side `spread` times that.
void arrow(Board& board, double x0, double y0, double x1, double y1, double head, double width, Rgb color,
           double spread = 1);
/// The colours from left to right, in so many pieces.
void add_colors(Board& board, const Rect& bar, const Colors& colors, int pieces);

/// The colours with their numbers below.
void add_level_bar(Board& board, const LevelBar& level, const Colors& colors, const BoardStyle& style);

/// `part` with its upper left corner at (x, y).
void add(Board& board, Board part, double x, double y);
/// The region at a point; nullptr if there is none.
const BoardRegion* region_at(const Board& board, double x, double y);
/// The first region of `target`; nullptr if there is none.
const BoardRegion* region_of(const Board& board, const BoardTarget& target);
void draw_board(Canvas& canvas, const Board& board, double x, double y);

/// Where a board can be cut horizontally without cutting its content: between lines of text, rows of cells
/// and charts. Anything higher than `highest`, such as the frame of a card, may be cut; of Board::wholes,
/// anything higher than `highest_whole`.
class BoardGaps {
 public:
  BoardGaps(const Board& board, double highest, double highest_whole);
  /// The last position up to `y` that cuts nothing, but not before `minimum`: then `y` itself.
  double before(double y, double minimum) const;
  /// The first position from `y` on that cuts nothing, but not after `maximum`: then `y` itself.
  double after(double y, double maximum) const;

 private:
  /// What is cut at `y`; nullptr if nothing is.
  const std::pair<double, double>* at(double y) const;

  std::vector<std::pair<double, double>> whole_;  // disjoint, from top to bottom
};

}  // namespace headscope

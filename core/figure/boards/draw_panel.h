#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/translate.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/draw_marks.h"
#include "core/figure/boards/figure_style.h"
#include "core/figure/boards/layout.h"
#include "core/figure/boards/ticks.h"
#include "core/figure/canvas/canvas.h"
#include "core/scene/signs.h"

namespace headscope {

struct HeadLabel;

/// A part of a figure that a user can move; in points.
struct FigureHandle {
  enum class Of { label, mark, title };
  Of of = Of::label;
  std::size_t mark = 0;        ///< of a mark and its label, in the scene
  int layer = -1, head = -1;   ///< of a title
  Rect place, map;             ///< where it is, and its map as if all of it were shown
  double column = 0, row = 0;  ///< the size of the map's cells
};

/// What is known of a figure once it is drawn: what a reader does not see in it, and where its parts are.
struct FigureFindings {
  int labelled_every = 1;           ///< every n-th token has a label; 0: none has
  std::set<char32_t> missing = {};  ///< characters that no font has
  double smallest_text = 0;         ///< in points; 0: there is no text
  std::vector<FigureHandle> handles = {};
};

/// What the parts of a figure draw with.
struct FigurePen {
  Canvas& canvas;
  MeasureSized width;
  const FigureStyle& style;
  const Translator& tr;
  /// The colour range of all maps, in place of the one that Range::shared and logarithm find in their
  /// weights: the common range of several figures that are shown one after the other.
  std::optional<ColorRange> range = {};
  FigureExtras extras = {};
  /// Where parts note what they left out; nullptr: nowhere.
  FigureFindings* findings = nullptr;
  /// What a legend below the view explains.
  Signs signs = {};
  /// Where parts note signs of theirs that no text or cell shows; nullptr: nowhere.
  Signs* noted = nullptr;

  MeasureText measure(double size) const;
  void text(std::string_view text, double x, double y, double size, Rgb color, Anchor anchor,
            bool rotated = false) const;
  void map(MapPicture picture, const Rect& rect) const;
  /// Of the texts at that size.
  double widest(const std::vector<std::string>& texts, double size) const;
  /// A text at that size, cut to the room.
  std::string shortened(std::string_view text, double room, double size) const;
  /// One character below the other, starting at `top`.
  void vertical(std::string_view label, double x, double top, double size, double line, Rgb color) const;
  /// Centred in `rect`, shortened to its width.
  void centered(std::string_view text, const Rect& rect, double size, Rgb color, bool rotated = false) const;
  /// Centred in `room`; text that is too long gets smaller before it is cut.
  void heading(std::string_view text, const Rect& room, double size, Rgb color) const;
};

/// One map with everything around it.
struct FigurePanel {
  std::string title;
  std::optional<Rgb> mark;  ///< a square of this colour before the title
  MapPicture picture;
  std::vector<int> empty_rows;                     ///< rows without any key to attend to
  bool no_key = false;                             ///< these are 0; otherwise uniform
  std::string empty_text;                          ///< written over them if it fits
  std::optional<std::pair<int, int>> framed = {};  ///< a cell by its row and column, whose labels are shown
  std::optional<AxisTokens> tokens = {};           ///< all labels, if a cell is framed
  NumberExtent numbers = {};  ///< of all maps shown together, whose numbers have one size
  std::vector<PlacedMark> marks = {};
  std::string short_title = {};  ///< in place of the title where it and the ends of the range do not fit
  int layer = -1, head = -1;     ///< whose name the title is; -1: no head's
  LabelPlace moved = {};         ///< how far the title is from its usual place
  std::string letter = {};       ///< in bold, at the left end of the title's line

  /// The title is the name of that head, where a user may have moved it.
  void place_title(const std::vector<HeadLabel>& labels, int layer, int head);
};

/// What all layouts of maps share; `ranges`: of their colour bars.
LayoutRequest layout_request(const FigurePen& pen, const View& view, const Rect& area, std::vector<int> heads,
                             const AxisTokens& tokens, std::span<const ColorRange> ranges);

/// Draws `panel` at its place in `grid`.
void draw_panel(const FigurePen& pen, const GridLayout& grid, PanelLayout place, const FigurePanel& panel);

/// What a bold letter at a title takes of its line.
inline constexpr double bold_letter_width = 1.1;  // of the title's size
/// "a" of the first of several maps, if the figure has bold letters.
std::string bold_letter(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place);
/// "(a) " before the title of the first of several maps, if the figure has such letters.
std::string lettered(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                     const std::string& title);

/// Margins around it: above, below, left and right.
void draw_edges(Canvas& canvas, const Rect& rect, double line, Rgb color);
/// A cell: a dark line around a light one, visible on every colour.
void draw_marked(Canvas& canvas, const Rect& cell, double line);
/// The colours with their numbers.
void draw_color_bar(const FigurePen& pen, const BarPlace& bar, double size, const Colors& colors,
                    const ColorRange& range);
/// The same, of one map of a grid or of all; where the grid has level bars, from left to right.
void draw_color_bar(const FigurePen& pen, const GridLayout& grid, const BarPlace& bar, const Colors& colors,
                    const ColorRange& range);
/// How wide the title of a map can be beside what is in its line.
double title_room(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                  const ColorRange& range);
/// "Key" and "Query" of a grid that has them once for all its maps.
void draw_axis_names(const FigurePen& pen, const GridLayout& grid);
/// What the bars show, at GridLayout::bar_name.
void draw_bar_name(const FigurePen& pen, const Rect& place, double size, std::string_view name);
/// "Attention weight · Per head · range held" without its middle, or its first part alone, where it is too
/// long.
std::string bar_name_that_fits(std::string_view name, double room, const MeasureText& measure);

}  // namespace headscope

#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/figure/canvas/rect.h"
#include "core/scene/colormap.h"
#include "core/scene/range.h"
#include "core/scene/view.h"

namespace headscope {

/// Rows and columns of the panels.
struct GridShape {
  int rows = 1, columns = 1;
  bool operator==(const GridShape&) const = default;
};

/// The grids for `heads` panels: full ones only if one of them is well-proportioned (at most three times as
/// wide as high), otherwise also those with empty places. `rows` and `columns` other than 0 are kept if
/// possible: rows are added if the two together have too few places.
std::vector<GridShape> grid_shapes(int heads, int rows, int columns);
/// The shape whose maps have the largest side, with a penalty for empty places and for being higher than
/// wide: 8 square maps in a wide or square area give 2 x 4.
GridShape largest_shape(const std::vector<GridShape>& shapes, int heads,
                        const std::function<double(GridShape)>& side);

/// One tick label of an axis.
struct Tick {
  int token = 0;
  double position = 0;  ///< centre along its axis, in the caller's unit
  std::string label;    ///< the token, shortened with … if it is too long
};

/// The angle of a slanted label, reading upwards to the right.
struct Slant {
  double sine = 0, cosine = 1;  ///< of the angle; 0: not at all
  explicit operator bool() const { return sine > 0; }
};

/// A colour bar, large values on top; `values`: where its numbers are, left aligned.
struct BarPlace : Rect {
  Rect values;
};

/// The position of every part of one head's panel, in the unit of the caller (pixels or points). Parts
/// without room have width and height 0; nothing overlaps, and nothing has a negative size.
struct PanelLayout {
  int head = 0;
  Rect frame;          ///< the whole panel
  Rect title;          ///< "Head i", centred
  Rect map;            ///< the cells: square, unless one side would then be too thin to point at
  Rect x_ticks;        ///< below the map
  Rect y_ticks;        ///< left of it; labels end at its right side
  Rect x_label;        ///< "Key", centred; without size where the grid has one for all
  Rect y_label;        ///< "Query", rotated, reading upwards, centred; the same
  BarPlace color_bar;  ///< right of the map; with `level_bars` or `strips`, above it
  bool ticks_rotated =
      false;          ///< x labels rotated by 90 degrees, reading upwards, ending at the top of x_ticks
  Slant ticks_slant;  ///< otherwise slanted, their ends below their columns
  std::vector<Tick> x_tick_labels, y_tick_labels;
  bool numbers_fit = false;  ///< a short number fits into a cell; for which ones see cell_numbers()
};

struct GridLayout {
  GridShape shape;
  std::vector<PanelLayout> panels;  ///< in the order of the request's heads
  BarPlace color_bar;               ///< the one bar for all panels if the request has `shared_bar`
  bool level_bars = false;  ///< color_bar is a line for the bar and, below it, its numbers: level_bar()
  bool strips = false;      ///< each panel's bar is a strip under its title, whose line has the range's ends
  Rect x_label, y_label;    ///< "Key" and "Query" once for all panels, as in PanelLayout
  Rect bar_name;            ///< what the bars show: rotated next to the only one, otherwise level above all
  // Text sizes in the caller's unit; smaller than requested where panels are small.
  double tick_size = 0, title_size = 0, label_size = 0;
  double tick_line = 0;    ///< distance of ticks that do not touch
  int labelled_every = 1;  ///< every n-th token has a label; 0: none has
};

/// Measures a text on one line in the caller's unit, at the request's font_size.
using MeasureText = std::function<double(std::string_view text)>;
/// Width of a line of text of that size, in the unit of `size`.
using MeasureSized = std::function<double(std::string_view text, double size)>;

/// The text broken at a space so that the longer line is as short as possible; the second line may be empty.
std::pair<std::string, std::string> in_two_lines(const std::string& text, const MeasureText& measure);

/// Whether one colour bar applies to all panels, on screen and in figures: wherever their ranges are the
/// same.
inline bool one_bar_for_all(Range range, std::size_t panels) {
  return !is_per_head(range) && panels > 1;
}

/// What a layout depends on.
struct LayoutRoom {
  Rect area;
  std::vector<int> heads;  ///< which heads, in the order they are shown
  std::vector<std::string> x_tokens, y_tokens;
  int rows = 0, columns = 0;  ///< 0: chosen to fit
  double font_size = 13;      ///< of tick labels; the rest scales with it
  /// Tick labels get as small as this, the rest of the text not, before any is left out; 0: they keep the
  /// size of the rest.
  double smallest = 0;
  /// Factors of font_size, the largest first: text is as large as leaves maps most of their size, and every
  /// token a label.
  std::vector<double> larger;
  bool numbers = true;
  bool titles = true;       ///< each panel has one
  bool shared_bar = false;  ///< one_bar_for_all(): instead of one each
  bool maps_first = false;  ///< as in the window, which gives the maps all the room it can
  /// Heads of one text: words at the left and lower edge of the grid alone, "Query" and "Key" once, bars of
  /// their own as GridLayout::strips.
  bool one_frame = false;
  bool scrolled = false;  ///< of `one_frame`: by rows, each of which has words and names of its own
  /// On a projector: text keeps its size whatever is dropped for it, and numbers in cells are bare_numbers().
  bool presented = false;
  double stretch = 1;  ///< how much longer than the other a side of a cell may be, to fill the area
  double min_map = 0;  ///< if presented: the height that ticks leave to a single map; with `maps_first`
                       ///< the side that maps have, where they can, whatever is dropped for it
  double line_height = 1.08;            ///< of ticks that do not touch, in font_size
  std::vector<std::string> bar_values;  ///< the numbers next to the bars, to reserve room for them
  bool named_bars = false;              ///< GridLayout::bar_name has room
  bool operator==(const LayoutRoom&) const = default;
};

struct LayoutRequest : LayoutRoom {
  MeasureText measure;  ///< follows from the size and the fonts
};

/// Used for both the screen and the figure, so that the export matches what was seen. Crowded ticks are
/// thinned out or rotated; labels that are too long are shortened. Where panels are small, text shrinks to
/// 0.7 of its size, then axis labels and ticks are only at the left and lower edge of the grid, then ticks
/// and labels are dropped; titles and colour bars are dropped last. With `smallest` a label for every token
/// comes before the grid's shape and before bars beside the maps. With `maps_first` queries are only at the
/// left edge, keys under every row of maps if that leaves the maps most of their size, bars are horizontal
/// above the maps, columns are close together, and text keeps its size while any of it can be shown. With
/// `one_frame` too, of several maps, a larger area never has smaller maps: they have the largest side of all
/// shapes, and larger text takes only what a bound on their side leaves it. Cheap enough for every frame: it
/// measures only what can be shown.
GridLayout grid_layout(const LayoutRequest& request);

/// The numbers next to a colour bar, as many as `fits` allows; empty if not even two fit.
std::vector<BarTick> fitting_ticks(const ColorRange& range,
                                   const std::function<bool(const std::vector<BarTick>&)>& fits);

/// A horizontal colour bar with its numbers below it, in one line of the layout. If they would touch there
/// are fewer of them, then they get smaller and lose the 0 before their point, and are then dropped.
struct LevelBar {
  Rect bar;
  double font_size = 0;
  double text_y = 0;                  ///< the middle of the numbers
  std::vector<BarTick> ticks;         ///< their positions are of the bar's width
  bool below = false, above = false;  ///< triangles at the bar: bar_ends.h
  double x_of(const BarTick& tick) const { return bar.x + tick.position * bar.width; }
  /// The middle of a number of that width: below its tick, or as close as the bar's ends allow.
  double text_x(const BarTick& tick, double width) const;
};
/// With `presented` they keep their size; they never get smaller than `minimum`.
LevelBar level_bar(const Rect& line, const ColorRange& range, double font_size, const MeasureText& measure,
                   bool presented = false, double minimum = 0);

/// The longest beginning of `text` with … that is no wider than `width`; cut between whole characters. "" if
/// not even … fits.
std::string shortened(std::string_view text, double width, const MeasureText& measure);

}  // namespace headscope

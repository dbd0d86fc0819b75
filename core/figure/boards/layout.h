#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/colormap.h"
#include "core/scene/view.h"

namespace headscope {

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool contains(double px, double py) const { return px >= x && px < right() && py >= y && py < bottom(); }
};

/// Rows and columns of the panels.
struct GridShape {
  int rows = 1, columns = 1;
  bool operator==(const GridShape&) const = default;
};

/// One tick label of an axis.
struct Tick {
  int token = 0;
  double position = 0;  ///< centre along its axis, in the caller's unit
  std::string label;    ///< the token, shortened with … where it is too long
};

/// How far a label leans out of the level, reading upwards to the right.
struct Slant {
  double sine = 0, cosine = 1;  ///< of the angle; 0: not at all
  explicit operator bool() const { return sine > 0; }
};

/// Where everything of one head's panel lies, in the unit of the caller (pixels or points). What has no room
/// has width and height 0; nothing overlaps, and nothing has a negative size.
struct PanelLayout {
  int head = 0;
  Rect frame;      ///< the whole panel
  Rect title;      ///< "Head i", centred
  Rect map;        ///< the cells: square, unless one side would then be too thin to point at
  Rect x_ticks;    ///< below the map
  Rect y_ticks;    ///< left of it; labels end at its right side
  Rect x_label;    ///< "Key", centred
  Rect y_label;    ///< "Query", turned, reading upwards, centred
  Rect color_bar;  ///< right of the map, large values on top; where the layout has `level_bars`, above it
  Rect bar_high;   ///< the text of its upper end, left aligned
  Rect bar_low;    ///< and of its lower end
  bool ticks_turned =
      false;          ///< x labels turned by 90 degrees, reading upwards, ending at the top of x_ticks
  Slant ticks_slant;  ///< and these lean instead, their ends below their columns
  std::vector<Tick> x_tick_labels, y_tick_labels;
  bool numbers_fit = false;  ///< a short number fits into a cell; which do: cell_numbers()
};

struct GridLayout {
  GridShape shape;
  std::vector<PanelLayout> panels;    ///< in the order of the request's heads
  Rect color_bar, bar_high, bar_low;  ///< the one bar for all panels where the request asked for it
  bool level_bars = false;  ///< color_bar is a line for both values with the bar between them: level_bar()
  // Sizes of text in the caller's unit; smaller than asked for where panels are small.
  double tick_size = 0, title_size = 0, label_size = 0;
  double tick_line = 0;  ///< how far ticks lie apart that don't touch
};

/// Measures a text on one line in the caller's unit, at the request's font_size.
using MeasureText = std::function<double(std::string_view text)>;

/// Whether one colour bar stands for all panels, on screen and in figures: wherever their ranges are the
/// same.
inline bool one_bar_for_all(Range range, std::size_t panels) {
  return range != Range::head && panels > 1;
}

struct LayoutRequest {
  Rect area;
  std::vector<int> heads;  ///< which heads, in the order they are shown
  std::vector<std::string> x_tokens, y_tokens;
  int rows = 0, columns = 0;  ///< 0: chosen to fit
  double font_size = 13;      ///< of tick labels; the rest scales with it
  bool numbers = true;
  bool titles = true;       ///< each panel has one
  bool shared_bar = false;  ///< one_bar_for_all(): instead of one each
  bool maps_first = false;  ///< the window's way, which spares the maps every column it can
  /// On a projector: text keeps its size whatever has to go for it, and numbers in cells are bare_numbers().
  bool presented = false;
  double stretch = 1;         ///< how much longer than the other a side of a cell may be, to fill the room
  double least_map = 0;       ///< where presented: what ticks leave to the height of a map that is alone
  double line_height = 1.08;  ///< of ticks that do not touch, in font_size
  std::vector<std::string> bar_values;  ///< the texts at the bars' ends, to give them room
  MeasureText measure;
};

/// One function for the screen and for the figure, so that what is exported is what was seen. Ticks thin out
/// or turn when crowded; labels that are too long are shortened. Where panels are small, text shrinks to 0.7
/// of its size, then axis labels and ticks stand at the left and lower edge of the grid only, then ticks and
/// labels go; titles and colour bars go last. With `maps_first` queries stand at the left edge only, keys
/// under every row of maps where that leaves the maps most of their size, bars lie level above the maps, the
/// columns stand close together, and text keeps its size while any of it can be shown. Cheap enough for every
/// frame: it measures only what can be shown.
GridLayout grid_layout(const LayoutRequest& request);

/// A level colour bar with its values at both ends, in a line of the layout. Where the bar would have no room
/// beside them, values get smaller, lose a digit and the 0 before their point, and then go.
struct LevelBar {
  Rect bar;
  double font_size = 0;
  std::string low, high;  ///< left and right of it; both or none
};
/// With `presented` they keep their size and lose digits alone; they never get smaller than `least`.
LevelBar level_bar(const Rect& line, const ColorRange& range, double font_size, const MeasureText& measure,
                   bool presented = false, double least = 0);

/// The beginning of `text` with … that is no wider than `width`; cut between whole characters. "" where not
/// even … fits.
std::string shortened(std::string_view text, double width, const MeasureText& measure);

}  // namespace headscope

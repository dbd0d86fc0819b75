#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool contains(double px, double py) const { return px >= x && px < right() && py >= y && py < bottom(); }
};

/// Rows and columns that show `heads` maps of n_k x n_q cells largest in width x height; 8 square maps in a wide
/// window give 2 x 4. `rows` and `columns` not 0 are kept where they can be.
struct GridShape {
  int rows = 1, columns = 1;
};
GridShape grid_shape(int heads, double width, double height, double aspect, int rows = 0, int columns = 0);

/// One tick label of an axis.
struct Tick {
  int token = 0;
  double position = 0;  ///< centre along its axis
  std::string label;    ///< the token, shortened with … where it is too long
};

/// Where everything of one head's panel lies, in the unit of the caller (pixels or points).
struct PanelLayout {
  int head = 0;
  Rect frame;      ///< the whole panel
  Rect title;      ///< "Head i"
  Rect map;        ///< the cells; square cells
  Rect x_ticks;    ///< below the map
  Rect y_ticks;    ///< left of it
  Rect x_label;    ///< "Key"
  Rect y_label;    ///< "Query", turned
  Rect color_bar;  ///< right of the map; its two end values stand at its ends
  bool ticks_turned = false;  ///< x labels turned by 90 degrees
  std::vector<Tick> x_tick_labels, y_tick_labels;
  bool numbers_fit = false;
};

struct GridLayout {
  GridShape shape;
  std::vector<PanelLayout> panels;
};

/// Measures a text on one line in the caller's unit.
using MeasureText = std::function<double(std::string_view text)>;

struct LayoutRequest {
  Rect area;
  std::vector<int> heads;  ///< which heads, in the order they are shown
  std::vector<std::string> x_tokens, y_tokens;
  int rows = 0, columns = 0;  ///< 0: chosen to fit
  double font_size = 13;      ///< of tick labels; the rest scales with it
  bool numbers = true;
  MeasureText measure;
};

/// One function for the screen and for the figure, so that what is exported is what was seen. Ticks thin out or turn
/// when crowded; labels that are too long are shortened.
GridLayout grid_layout(const LayoutRequest& request);

/// The cell under a point of a map, or false.
bool cell_at(const PanelLayout& panel, int n_q, int n_k, double x, double y, int& query, int& key);

}  // namespace headscope

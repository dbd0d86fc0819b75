#pragma once
#include <cmath>

#include "core/figure/boards/layout.h"
#include "core/figure/boards/ticks.h"

namespace headscope {

/// Which parts an attempt shows, from everything down to the bare maps.
enum class Parts { all, keys_in_rows, ticks_in_rows, outer_axes, outer_ticks, no_axes, maps_only };

struct Attempt {
  double scale;
  Parts parts;
  double enough;  ///< accepted from this share of the side that maps could have with nothing around
  bool level_bars = false;
};
/// Spaces and sizes of one attempt, in the caller's unit.
struct Metrics {
  double font = 0, line = 0, tick_line = 0, title_line = 0, label_line = 0, tick_gap = 0, gap_x = 0,
         gap_y = 0;
  double bar_gap = 0, bar_width = 0, value_gap = 0, value_width = 0;
  double bar_line = 0;       ///< height of a level bar with its values
  bool every_panel = false;  ///< axes at each panel, otherwise at the grid's left and lower edge
  bool every_row = false;    ///< keys below each row of panels
  bool level_bars = false;
  double apart_x = 0, apart_y = 0;  ///< largest distance between panels, relative to the size of a map
  bool ticks = false, labels = false, titles = false, bars = false;
  bool labels_beside = false;  ///< the keys' label is after the last tick, not below the ticks
  MeasureText measure;

  double bar_room() const { return bar_gap + bar_width + value_gap + value_width; }
};

Metrics metrics(const LayoutRequest& request, const Attempt& attempt);

/// How long tick labels are at the request's font size.
struct LabelLengths {
  double x = 0, y = 0;
};

/// One attempt at the grid: all panels have the same size.
class Arrangement {
 public:
  Arrangement(const LayoutRequest& request, const Metrics& metrics, GridShape shape);
  void arrange();
  /// Sizes only, quickly: as if all labels were rotated and as long as the longest.
  void estimate(const LabelLengths& labels);
  double side() const { return std::sqrt(map_.width * map_.height); }
  /// Side of the maps relative to what they could have with nothing around them, 0 to 1.
  double share() const;
  GridShape shape() const { return shape_; }
  GridLayout layout() const;

 private:
  void leave_room_for_bar();
  double longest_x_tick() const;
  double longest_y_tick() const;
  void fit_map();
  void fit_ticks();
  void pull_together();
  void plan_axes(double x_limit, double y_limit);
  PanelLayout panel(std::size_t index) const;
  double x_label_begin(const PanelLayout& p) const;
  Rect bar_line(const PanelLayout& p, double half) const;
  void place_axes(PanelLayout& p, bool x_axis, bool y_axis) const;
  void place_bar(Rect& bar, Rect& high, Rect& low, double x, Rect beside, Rect within) const;
  Rect map_for(double width, double height) const;

  const LayoutRequest& request_;
  Metrics m_;
  GridShape shape_;
  double n_q_, n_k_;
  Rect area_;                                // without the shared bar
  double x_extent_ = 0, y_extent_ = 0;       // of the tick labels, across their axes
  double left_ = 0, bottom_ = 0;             // space for the axes
  double top_ = 0, right_ = 0;               // space for title and colour bar
  double room_width_ = 0, room_height_ = 0;  // the largest a map can be
  Rect map_;                                 // size only
  TickPlan x_, y_;
};

}  // namespace headscope

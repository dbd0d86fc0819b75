#pragma once
#include <imgui.h>

#include <optional>

#include "app/panels/map/map_text.h"
#include "app/panels/shell/ui.h"
#include "core/figure/boards/layout.h"

namespace headscope {

// What all views that show maps draw the same way: the picture, numbers, ticks, colour bar, crosshair. Rows
// and columns are those of the request, whatever tokens stand for them.

/// A map at its place on the screen.
struct ScreenMap {
  int slot = 0;            ///< of the painter
  HeatmapRequest request;  ///< with width and height
  ImVec2 min, max;         ///< the picture, on whole framebuffer pixels

  /// Where row / column (and fractions) begin; on whole pixels.
  float row_edge(double row) const;
  float column_edge(double column) const;
  bool contains(ImVec2 point) const;
  bool shows_row(int row) const {
    return row >= 0 && row + 1 > request.query_begin && row < request.query_end;
  }
  bool shows_column(int column) const {
    return column >= 0 && column + 1 > request.key_begin && column < request.key_end;
  }
  float cell_width() const;
  float cell_height() const;
};

/// How masked cells look in this theme, with lines as far apart as the text is large.
void hatch_masked(HeatmapRequest& request, const Ui& ui);
/// A request for the part [query_begin, query_end) x [key_begin, key_end) of a head; all of it where they are
/// 0.
HeatmapRequest head_request(const Ui& ui, int head, const ColorRange& range);
ScreenMap place_map(const Ui& ui, int slot, const Rect& map, const HeatmapRequest& request);

void draw_picture(ImDrawList& list, const Ui& ui, const ScreenMap& map);
/// A number in every cell that is shown, where they fit (cell_numbers()); `font` is the size of ticks, and
/// `largest` that of numbers against it.
/// None stands on what lies over the map's lower right corner from `covered` on.
void draw_numbers(ImDrawList& list, const Ui& ui, const ScreenMap& map, double font, double largest = 1.4,
                  std::optional<ImVec2> covered = {});
/// Marks rows that have no key to attend to: by words where they fit, else by a stroke at the row's
/// beginning.
void draw_empty_rows(ImDrawList& list, const Ui& ui, const ScreenMap& map, const std::vector<int>& rows,
                     float size);

/// The axes of a panel: labels, "Key", "Query". `row` and `column` are marked and labelled even where their
/// labels were thinned out; -1: none.
struct AxisTexts {
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
  int row = -1, column = -1;
  bool tokens = true;  ///< else labels whose spaces stand between words
  float bottom = 0;    ///< a marked label goes no further down; 0: to the end of the window
};
void draw_axes(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
               const ScreenMap& map, const AxisTexts& texts);
void draw_color_bar(ImDrawList& list, const Ui& ui, const Rect& bar, const Rect& high, const Rect& low,
                    float size, const ColorRange& range, const std::array<Rgb, 256>& colors);
/// One that lies level with its values at its ends.
void draw_level_bar(ImDrawList& list, const Ui& ui, const Rect& line, float size, const ColorRange& range,
                    const std::array<Rgb, 256>& colors);
/// That of a panel, above its map or beside it as the layout has it.
void draw_panel_bar(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                    const ColorRange& range, const std::array<Rgb, 256>& colors);

/// What the pointer is on.
struct PointedCell {
  int row = 0, column = 0;
  float value = 0;
  bool shown = true;    ///< else masked or filtered out
  bool pooled = false;  ///< it is the largest of several cells under the pixel
};
std::optional<PointedCell> pointed_cell(const ScreenMap& map, ImVec2 point);

/// The row and column of a cell, strongest on the map that is pointed at.
void draw_cross(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, int column, bool strong);
void draw_lock(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, int column, bool strong);

}  // namespace headscope

#pragma once
#include <imgui.h>

#include <functional>
#include <optional>
#include <span>

#include "app/panels/ui/ui.h"
#include "app/panels/widgets/placed_text.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/draw_marks.h"
#include "core/figure/boards/layout.h"

namespace headscope {

// What all views with maps draw the same way: the picture, numbers, ticks, colour bar, crosshair. Rows and
// columns are those of the request, whatever tokens they represent.

/// A map at its place on the screen.
struct ScreenMap {
  int slot = 0;            ///< of the painter
  HeatmapRequest request;  ///< including width and height
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

/// What all layouts of maps with labels in `font` share.
LayoutRequest layout_request(const Ui& ui, const Rect& area, std::vector<int> heads, float size);
/// The whole map of a head of the shown layer.
MapPicture head_picture(const Ui& ui, int head, const ColorRange& range);
/// With the window's hatch of masked cells, its lines spaced in proportion to the text size.
ScreenMap place_map(const Style& style, int slot, const Rect& map, MapPicture picture);

void draw_picture(ImDrawList& list, const Ui& ui, const ScreenMap& map);
/// A number in every visible cell, if they fit (cell_numbers()); `font` is the size of ticks, and `largest`
/// the maximum size of numbers relative to it. Cells covered by something from `covered` to the map's lower
/// right corner get none.
/// `extent`: of all maps shown together, whose numbers have one size; not called if none fits.
void draw_numbers(ImDrawList& list, const Ui& ui, const ScreenMap& map,
                  const std::function<NumberExtent()>& extent, double font, double largest = 1.4,
                  std::optional<ImVec2> covered = {});
/// Marks rows without a visible key: by words if they fit, otherwise by a stroke at the start of the row.
void draw_empty_rows(ImDrawList& list, const Ui& ui, const ScreenMap& map, const std::vector<int>& rows,
                     float size);

/// The axes of a panel: labels, "Key", "Query". `row` and `column` are marked and labelled even if their
/// labels were thinned out; -1: none.
struct AxisTexts {
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
  int row = -1, column = -1;
  bool tokens = true;  ///< otherwise labels with spaces between words
};
/// Of the shown layer, with the cell that is pointed at or locked.
AxisTexts axis_texts(Ui& ui);
void draw_axes(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
               const ScreenMap& map, const AxisTexts& texts);
/// A strip of the colours with a border, the largest to the right or on top.
void draw_gradient(ImDrawList& list, const Style& style, const Rect& bar, const Colors& colors, bool upward);
/// The colour bar of a map, or of all of them: next to them or, where the layout has level bars, above.
void draw_color_bar(ImDrawList& list, const Ui& ui, const GridLayout& layout, const BarPlace& bar,
                    const ColorRange& range, const Colors& colors);

/// What the bars show, at GridLayout::bar_name.
void draw_bar_name(const Ui& ui, const Rect& place, double size, const std::string& name);

/// The session's marks of a map, over everything else in it.
void draw_marks(const Ui& ui, const ScreenMap& map, std::span<const PlacedMark> marks, double size);

/// What the pointer is on.
struct PointedCell {
  int row = 0, column = 0;
  float value = 0;
  bool shown = true;    ///< false: masked or filtered out
  bool pooled = false;  ///< it is the largest of several cells under the pixel
};
std::optional<PointedCell> pointed_cell(const ScreenMap& map, ImVec2 point);

/// Highlights the row and column of a cell, strongest on the map under the pointer.
void draw_cross(ImDrawList& list, const Style& style, const ScreenMap& map, int row, int column, bool strong);
void draw_lock(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, int column, bool strong);

}  // namespace headscope

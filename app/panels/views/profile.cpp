#include <algorithm>

#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_parts.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "core/analysis/filtered_layer.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// One row or one column of a map, and the positions of its cells along the map's edge.
struct Profile {
  const HeatmapRequest& request;
  bool is_row;
  Index index;

  Index count() const { return is_row ? request.n_k : request.n_q; }
  int pixels() const { return is_row ? request.width : request.height; }
  CellSpan cells(int pixel) const {
    return is_row ? cells_of_pixel(request.key_begin, request.key_end, count(), pixels(), pixel)
                  : cells_of_pixel(request.query_begin, request.query_end, count(), pixels(), pixel);
  }
  float value(Index i) const {
    const Index cell = is_row ? index * request.n_k + i : i * request.n_k + index;
    return request.blocked && request.blocked[cell] != cell_shown ? 0 : std::max(0.0F, request.values[cell]);
  }
  float largest(CellSpan span) const {
    float result = 0;
    for (Index i = span.first; i <= span.last; ++i) result = std::max(result, value(i));
    return result;
  }
};

/// Calls bar(first pixel, end pixel, value) for each run of pixels that shows the same cells.
template <typename Bar>
void for_each_bar(const Profile& profile, const Bar& bar) {
  for (int begin = 0; begin < profile.pixels();) {
    const CellSpan span = profile.cells(begin);
    int end = begin + 1;
    while (end < profile.pixels() && profile.cells(end) == span) ++end;
    if (!span.empty()) bar(begin, end, profile.largest(span));
    begin = end;
  }
}

float scale_of(const Profile& profile) {
  float largest = 0;
  for (Index i = 0; i < profile.count(); ++i) largest = std::max(largest, profile.value(i));
  return largest;
}

constexpr float bars_share = 0.68F;  // of the size; the rest is the caption's

void draw_row_profile(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, const Rect& room,
                      const std::string& caption) {
  const Palette& theme = palette(ui.style.theme);
  const Profile profile{map.request, true, row};
  const float largest = scale_of(profile),
              point = (map.max.x - map.min.x) / static_cast<float>(map.request.width);
  const auto base = static_cast<float>(room.bottom()), height = static_cast<float>(room.height) * bars_share;
  if (largest > 0) {
    for_each_bar(profile, [&](int begin, int end, float value) {
      const float left = map.min.x + static_cast<float>(begin) * point;
      const float right = map.min.x + static_cast<float>(end) * point;
      list.AddRectFilled({left, base - height * value / largest},
                         {right - (right - left > 4 * point ? point : 0), base}, theme.accent);
    });
  }
  list.AddLine({map.min.x, base}, {map.max.x, base}, theme.border);
  const MapTextStyle text = text_style(ui.style, size_of(ui.style, ui.style.small), theme.muted, 0, 0);
  const std::string shown = shortened(ui.tr.format("{}, 0 to {}", caption, bound_text(largest)), room.width,
                                      measure_with(ui.style, text.size));
  draw_text(list, text, {map.min.x, static_cast<float>(room.y)}, shown);
}

void draw_column_profile(ImDrawList& list, const Ui& ui, const ScreenMap& map, int column, const Rect& room,
                         const std::string& caption) {
  const Palette& theme = palette(ui.style.theme);
  const Profile profile{map.request, false, column};
  const float largest = scale_of(profile),
              point = (map.max.y - map.min.y) / static_cast<float>(map.request.height);
  const auto base = static_cast<float>(room.x), width = static_cast<float>(room.width) * bars_share;
  if (largest > 0) {
    for_each_bar(profile, [&](int begin, int end, float value) {
      const float top = map.min.y + static_cast<float>(begin) * point;
      const float bottom = map.min.y + static_cast<float>(end) * point;
      list.AddRectFilled({base, top},
                         {base + width * value / largest, bottom - (bottom - top > 4 * point ? point : 0)},
                         theme.accent);
    });
  }
  list.AddLine({base, map.min.y}, {base, map.max.y}, theme.border);
  const MapTextStyle text = text_style(ui.style, size_of(ui.style, ui.style.small), theme.muted, 1, 1);
  const std::string shown = shortened(ui.tr.format("{}, 0 to {}", caption, bound_text(largest)), room.height,
                                      measure_with(ui.style, text.size));
  draw_rotated_text(list, text, {static_cast<float>(room.right()), map.min.y}, shown);
}

}  // namespace

void draw_profiles(ImDrawList& list, const Ui& ui, const ScreenMap& map, const Rect& above,
                   const Rect& beside) {
  const std::optional<Cell> focus = ui.state.focus();
  int row = 0, column = 0;
  if (!focus || !find_cell(*ui.shown, *focus, row, column)) {
    const MapTextStyle text =
        text_style(ui.style, size_of(ui.style, ui.style.small), palette(ui.style.theme).muted, 0, 1);
    const std::string hint = shortened(ui.tr("Point at a cell to see its row and column here as bars"),
                                       above.width, measure_with(ui.style, text.size));
    draw_text(list, text, {map.min.x, static_cast<float>(above.bottom())}, hint);
    return;
  }
  const std::string query = shown_token(ui.memory.maps.look().rows()[static_cast<std::size_t>(row)]);
  const std::string key = shown_token(ui.memory.maps.look().columns()[static_cast<std::size_t>(column)]);
  draw_row_profile(list, ui, map, row, above, ui.tr.format("attention of “{}”", query));
  draw_column_profile(list, ui, map, column, beside, ui.tr.format("attention to “{}”", key));
}

}  // namespace headscope

#include <algorithm>
#include <cmath>

#include "app/panels/map_panel.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"

namespace headscope {
namespace {

float to_float(double value) {
  return static_cast<float>(value);
}

/// Where the marked label of a row or column stands: its place, but inside of [begin, end].
float inside(float center, float half, float begin, float end) {
  return end - begin < 2 * half ? (begin + end) / 2 : std::clamp(center, begin + half, end - half);
}

void draw_x_axis(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const Palette& colors = palette(ui.style.theme);
  const auto size = to_float(layout.tick_size);
  TextStyle text = text_style(ui.style, size, colors.muted);
  const float top = to_float(panel.x_ticks.y);
  const auto draw = [&](float x, const std::string& label, bool marked) {
    text.color = marked ? colors.on_accent : colors.muted;
    text.align_x = panel.ticks_turned ? 1 : 0.5F;
    text.align_y = panel.ticks_turned ? 0.5F : 0;
    if (marked)
      draw_boxed_text(list, text, {x, top}, label, colors.accent, panel.ticks_turned);
    else if (panel.ticks_turned)
      draw_turned_text(list, text, {x, top}, label);
    else
      draw_text(list, text, {x, top}, label);
  };
  for (const Tick& tick : panel.x_tick_labels) {
    if (tick.token != texts.column) draw(to_float(tick.position), tick.label, false);
  }
  if (!map.shows_column(texts.column) || panel.x_ticks.height <= 0) return;
  const float center = (map.column_edge(texts.column) + map.column_edge(texts.column + 1)) / 2;
  const MeasureText measure = measure_with(ui.style, size);
  const double room = panel.ticks_turned ? panel.x_ticks.height : panel.frame.width;
  const std::string label =
      shortened(shown_token(texts.columns[static_cast<std::size_t>(texts.column)]), room, measure);
  const float half = panel.ticks_turned ? size * 0.6F : to_float(measure(label)) / 2;
  draw(inside(center, half, to_float(panel.frame.x), to_float(panel.frame.right())), label, true);
}

void draw_y_axis(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const Palette& colors = palette(ui.style.theme);
  const auto size = to_float(layout.tick_size);
  TextStyle text = text_style(ui.style, size, colors.muted, 1, 0.5F);
  const float right = to_float(panel.y_ticks.right());
  for (const Tick& tick : panel.y_tick_labels) {
    if (tick.token != texts.row) draw_text(list, text, {right, to_float(tick.position)}, tick.label);
  }
  if (!map.shows_row(texts.row) || panel.y_ticks.width <= 0) return;
  const float center = (map.row_edge(texts.row) + map.row_edge(texts.row + 1)) / 2;
  text.color = colors.on_accent;
  const std::string label = shortened(shown_token(texts.rows[static_cast<std::size_t>(texts.row)]),
                                      panel.y_ticks.width, measure_with(ui.style, size));
  draw_boxed_text(list, text, {right, inside(center, size * 0.6F, map.min.y, map.max.y)}, label,
                  colors.accent);
}

/// Dark about light, so that it shows on every colour.
void double_rect(ImDrawList& list, ImVec2 min, ImVec2 max, float alpha) {
  list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, IM_COL32(0, 0, 0, int(200 * alpha)));
  list.AddRect({min.x - 2, min.y - 2}, {max.x + 2, max.y + 2}, IM_COL32(255, 255, 255, int(230 * alpha)));
}

}  // namespace

void draw_axes(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
               const ScreenMap& map, const AxisTexts& texts) {
  draw_x_axis(list, ui, layout, panel, map, texts);
  draw_y_axis(list, ui, layout, panel, map, texts);
  const auto size = to_float(layout.label_size);
  const TextStyle text = text_style(ui.style, size, palette(ui.style.theme).text, 0.5F, 0.5F);
  const auto center = [](const Rect& rect) {
    return ImVec2{to_float(rect.x + rect.width / 2), to_float(rect.y + rect.height / 2)};
  };
  if (panel.x_label.height > 0) draw_text(list, text, center(panel.x_label), ui.tr("Key"));
  if (panel.y_label.width > 0) draw_turned_text(list, text, center(panel.y_label), ui.tr("Query"));
}

void draw_cross(ImDrawList& list, const ScreenMap& map, int row, int column, bool strong) {
  const float left = map.column_edge(column), right = std::max(map.column_edge(column + 1), left + 1);
  const float top = map.row_edge(row), bottom = std::max(map.row_edge(row + 1), top + 1);
  const float alpha = strong ? 0.75F : 0.5F;
  list.PushClipRect({map.min.x - 2, map.min.y - 2}, {map.max.x + 2, map.max.y + 2}, true);
  if (map.shows_row(row)) double_rect(list, {map.min.x, top}, {map.max.x, bottom}, alpha);
  if (map.shows_column(column)) double_rect(list, {left, map.min.y}, {right, map.max.y}, alpha);
  if (map.shows_row(row) && map.shows_column(column)) double_rect(list, {left, top}, {right, bottom}, 1);
  list.PopClipRect();
}

void draw_lock(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, int column, bool strong) {
  if (!map.shows_row(row) || !map.shows_column(column)) return;
  const float left = map.column_edge(column), right = std::max(map.column_edge(column + 1), left + 1);
  const float top = map.row_edge(row), bottom = std::max(map.row_edge(row + 1), top + 1);
  const float thickness = std::max(2.0F, std::round(ui.style.font_size / (strong ? 6.0F : 9.0F)));
  list.AddRect({left - thickness, top - thickness}, {right + thickness, bottom + thickness}, IM_COL32_WHITE,
               0, 0, thickness + 2);
  list.AddRect({left - thickness, top - thickness}, {right + thickness, bottom + thickness},
               palette(ui.style.theme).accent, 0, 0, thickness);
}

}  // namespace headscope

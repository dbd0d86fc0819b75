#include <algorithm>
#include <cmath>

#include "app/panels/map_panel.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "core/figure/upright.h"

namespace headscope {
namespace {

std::string shown_label(const AxisTexts& texts, const std::vector<std::string>& labels, int i) {
  const std::string& label = labels[static_cast<std::size_t>(i)];
  return texts.tokens ? shown_token(label) : label;
}

float to_float(double value) {
  return static_cast<float>(value);
}

/// Where the marked label of a row or column stands: its place, but inside of [begin, end].
float inside(float center, float half, float begin, float end) {
  return end - begin < 2 * half ? (begin + end) / 2 : std::clamp(center, begin + half, end - half);
}

/// One character below the other.
void draw_upright(ImDrawList& list, MapTextStyle text, ImVec2 top, float line, const std::string& label) {
  text.align_x = text.align_y = 0.5F;
  float y = top.y + line / 2;
  for (const std::string& character : upright_characters(label)) {
    draw_text(list, text, {top.x, y}, character);
    y += line;
  }
}

/// What of the window a label that lies over others may use.
struct Room {
  float left, right, bottom;
};

Room room_of_window() {
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  return {min.x + 4, min.x + size.x - 4, min.y + size.y - 2};
}

/// The label of the column that is pointed at, whole wherever the window has room for it: turned or upright
/// as the others, else level.
void draw_marked_column(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                        float center, const std::string& whole) {
  const Palette& colors = palette(ui.style.theme);
  const auto size = to_float(layout.tick_size), line = to_float(layout.tick_line);
  const MeasureText measure = measure_with(ui.style, size);
  const Room room = room_of_window();
  const float top = to_float(panel.x_ticks.y);
  const float below = ui.style.presented ? to_float(panel.x_ticks.height + 1) : room.bottom - top;
  const double own = panel.x_ticks.height + 0.5;
  // Over a projector's other labels it would stand on them: there it is no longer than they are.
  const std::string label = !ui.style.presented || !panel.ticks_turned ? whole
                            : stands_upright(whole) ? shortened_upright(whole, own, layout.tick_line)
                                                    : shortened(whole, own, measure);
  MapTextStyle text = text_style(ui.style, size, colors.on_accent, 0.5F, 0);
  const auto extent = to_float(upright_extent(label, line));
  if (panel.ticks_turned && stands_upright(label) && extent <= below) {
    const float x = inside(center, size * 0.6F, room.left, room.right), pad = size * 0.15F;
    list.AddRectFilled({x - size / 2 - pad, top - pad}, {x + size / 2 + pad, top + extent + pad},
                       colors.accent, pad);
    return draw_upright(list, text, {x, top}, line, label);
  }
  if (panel.ticks_turned && measure(label) <= below) {
    text.align_x = 1;
    text.align_y = 0.5F;
    const float x = inside(center, size * 0.6F, room.left, room.right);
    return draw_boxed_text(list, text, {x, top}, label, colors.accent, true);
  }
  const std::string shown = shortened(label, room.right - room.left - size, measure);
  const float half = to_float(measure(shown)) / 2 + size * 0.2F;
  draw_boxed_text(list, text, {inside(center, half, room.left, room.right), top}, shown, colors.accent);
}

/// What the label of the marked column, or row, needs of a projector's axis, where none stands behind
/// another.
struct Marked {
  double center = 0, half = -1;
  bool covers(double position, double other_half) const {
    return half >= 0 && std::abs(position - center) < half + other_half;
  }
};

Marked marked_column(const Ui& ui, const GridLayout& layout, const PanelLayout& panel, const ScreenMap& map,
                     const AxisTexts& texts) {
  if (!ui.style.presented || !map.shows_column(texts.column)) return {};
  const double center =
      static_cast<double>(map.column_edge(texts.column) + map.column_edge(texts.column + 1)) / 2;
  if (panel.ticks_turned) return {center, layout.tick_line / 2};
  const MeasureText measure = measure_with(ui.style, to_float(layout.tick_size));
  return {center, measure(shown_label(texts, texts.columns, texts.column)) / 2 + 0.2 * layout.tick_size};
}

Marked marked_row(const Ui& ui, const GridLayout& layout, const ScreenMap& map, const AxisTexts& texts) {
  if (!ui.style.presented || !map.shows_row(texts.row)) return {};
  return {static_cast<double>(map.row_edge(texts.row) + map.row_edge(texts.row + 1)) / 2,
          layout.tick_line / 2};
}

void draw_x_axis(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const MapTextStyle text = text_style(ui.style, layout.tick_size, palette(ui.style.theme).muted,
                                       panel.ticks_turned ? 1 : 0.5F, panel.ticks_turned ? 0.5F : 0);
  const float top = to_float(panel.x_ticks.y);
  const Marked marked = marked_column(ui, layout, panel, map, texts);
  for (const Tick& tick : panel.x_tick_labels) {
    const float x = to_float(tick.position);
    const double half =
        (panel.ticks_turned ? layout.tick_line
                            : measure_with(ui.style, text.size)(tick.label) + layout.tick_size / 2) /
        2;
    if (tick.token == texts.column || marked.covers(tick.position, half)) continue;
    if (panel.ticks_turned && stands_upright(tick.label))
      draw_upright(list, text, {x, top}, to_float(layout.tick_line), tick.label);
    else if (panel.ticks_turned)
      draw_turned_text(list, text, {x, top}, tick.label);
    else
      draw_text(list, text, {x, top}, tick.label);
  }
  if (!map.shows_column(texts.column) || panel.x_ticks.height <= 0) return;
  const float center = (map.column_edge(texts.column) + map.column_edge(texts.column + 1)) / 2;
  draw_marked_column(list, ui, layout, panel, center, shown_label(texts, texts.columns, texts.column));
}

void draw_y_axis(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const Palette& colors = palette(ui.style.theme);
  const auto size = to_float(layout.tick_size);
  MapTextStyle text = text_style(ui.style, size, colors.muted, 1, 0.5F);
  const float right = to_float(panel.y_ticks.right());
  const Marked marked = marked_row(ui, layout, map, texts);
  for (const Tick& tick : panel.y_tick_labels) {
    if (tick.token != texts.row && !marked.covers(tick.position, layout.tick_line / 2))
      draw_text(list, text, {right, to_float(tick.position)}, tick.label);
  }
  if (!map.shows_row(texts.row) || panel.y_ticks.width <= 0) return;
  const float center = (map.row_edge(texts.row) + map.row_edge(texts.row + 1)) / 2;
  text.color = colors.on_accent;
  const float own = ui.style.presented ? to_float(panel.y_ticks.width) + 0.5F : 0;
  const std::string label =
      shortened(shown_label(texts, texts.rows, texts.row),
                std::max(own, right - room_of_window().left - size * 0.2F), measure_with(ui.style, size));
  draw_boxed_text(list, text, {right, inside(center, size * 0.6F, map.min.y, map.max.y)}, label,
                  colors.accent);
}

/// Dark about light, so that it shows on every colour.
void double_rect(ImDrawList& list, ImVec2 min, ImVec2 max, float alpha, float line) {
  const ImU32 dark = IM_COL32(0, 0, 0, int(200 * alpha)), light = IM_COL32(255, 255, 255, int(230 * alpha));
  for (float i = 1; i <= line; ++i) {
    const float outer = line + i;
    list.AddRect({min.x - i, min.y - i}, {max.x + i, max.y + i}, dark);
    list.AddRect({min.x - outer, min.y - outer}, {max.x + outer, max.y + outer}, light);
  }
}

}  // namespace

void draw_axes(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
               const ScreenMap& map, const AxisTexts& texts) {
  draw_x_axis(list, ui, layout, panel, map, texts);
  draw_y_axis(list, ui, layout, panel, map, texts);
  const auto size = to_float(layout.label_size);
  const MapTextStyle text = text_style(ui.style, size, palette(ui.style.theme).text, 0.5F, 0.5F);
  const auto center = [](const Rect& rect) {
    return ImVec2{to_float(rect.x + rect.width / 2), to_float(rect.y + rect.height / 2)};
  };
  if (panel.x_label.height > 0) draw_text(list, text, center(panel.x_label), ui.tr("Key"));
  if (panel.y_label.width > 0) draw_turned_text(list, text, center(panel.y_label), ui.tr("Query"));
}

void draw_cross(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, int column, bool strong) {
  const float line = mark_line(ui.style), around = 2 * line;
  const float left = map.column_edge(column), right = std::max(map.column_edge(column + 1), left + 1);
  const float top = map.row_edge(row), bottom = std::max(map.row_edge(row + 1), top + 1);
  const float alpha = strong ? 0.75F : 0.5F;
  list.PushClipRect({map.min.x - around, map.min.y - around}, {map.max.x + around, map.max.y + around}, true);
  if (map.shows_row(row)) double_rect(list, {map.min.x, top}, {map.max.x, bottom}, alpha, line);
  if (map.shows_column(column)) double_rect(list, {left, map.min.y}, {right, map.max.y}, alpha, line);
  if (map.shows_row(row) && map.shows_column(column))
    double_rect(list, {left, top}, {right, bottom}, 1, line);
  list.PopClipRect();
}

void draw_lock(ImDrawList& list, const Ui& ui, const ScreenMap& map, int row, int column, bool strong) {
  if (!map.shows_row(row) || !map.shows_column(column)) return;
  const float left = map.column_edge(column), right = std::max(map.column_edge(column + 1), left + 1);
  const float top = map.row_edge(row), bottom = std::max(map.row_edge(row + 1), top + 1);
  const float thickness =
      std::max({2.0F, std::round(ui.style.font_size / (strong ? 6.0F : 9.0F)), 2 * mark_line(ui.style)});
  list.AddRect({left - thickness, top - thickness}, {right + thickness, bottom + thickness}, IM_COL32_WHITE,
               0, 0, thickness + 2);
  list.AddRect({left - thickness, top - thickness}, {right + thickness, bottom + thickness},
               palette(ui.style.theme).accent, 0, 0, thickness);
  if (is_outlined("row")) outline({map.min.x, top}, {map.max.x, bottom});
  if (is_outlined("column")) outline({left, map.min.y}, {right, map.max.y});
}

}  // namespace headscope

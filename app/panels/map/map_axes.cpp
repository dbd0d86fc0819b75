#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/panels/map/map_panel.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "core/figure/boards/ticks.h"
#include "core/figure/boards/vertical_text.h"

namespace headscope {
namespace {

std::string shown_label(const AxisTexts& texts, const std::vector<std::string>& labels, int i) {
  const std::string& label = labels[static_cast<std::size_t>(i)];
  return texts.tokens ? shown_token(label) : label;
}

float to_float(double value) {
  return static_cast<float>(value);
}

/// The position of the marked label of a row or column: centred, but inside [begin, end].
float inside(float center, float half, float begin, float end) {
  return end - begin < 2 * half ? (begin + end) / 2 : std::clamp(center, begin + half, end - half);
}

/// One character below another.
void draw_vertical(ImDrawList& list, MapTextStyle text, ImVec2 top, float line, const std::string& label) {
  text.align_x = text.align_y = 0.5F;
  float y = top.y + line / 2;
  for (const std::string& character : vertical_characters(label)) {
    draw_text(list, text, {top.x, y}, character);
    y += line;
  }
}

/// Where a slanted label ends, so that it begins below the top of its line.
ImVec2 slanted_end(ImVec2 top, float line, const Slant& slant) {
  return {top.x, top.y + to_float(slant.cosine) * line / 2};
}

/// The part of the window that a label drawn over others may use.
struct Room {
  float left, right, bottom;
};

Room room_of_window() {
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  return {min.x + 4, min.x + size.x - 4, min.y + size.y - 2};
}

/// The label of the marked column or row: shown in full wherever it fits. Labels that it would overlap are
/// hidden entirely.
struct MarkedLabel {
  enum class Way { level, vertical, rotated, slanted };
  Way way = Way::level;
  std::string text;            ///< empty: none
  float center = 0, half = 0;  ///< of its extent along the axis
  bool takes_room_of(double position, double other_half) const {
    constexpr double rounding = 0.5;  // of a pixel
    const double apart = std::abs(position - static_cast<double>(center));
    return !text.empty() && apart < static_cast<double>(half) + other_half - rounding;
  }
};

/// Rotated or vertical like the others if that fits below the map, otherwise horizontal.
MarkedLabel marked_column(const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                          const ScreenMap& map, const AxisTexts& texts) {
  using Way = MarkedLabel::Way;
  if (!map.shows_column(texts.column) || panel.x_ticks.height <= 0) return {};
  const float column = (map.column_edge(texts.column) + map.column_edge(texts.column + 1)) / 2;
  const auto size = to_float(layout.tick_size), line = to_float(layout.tick_line);
  const MeasureText measure = measure_with(ui.style, size);
  const Room room = room_of_window();
  const float top = to_float(panel.x_ticks.y), bottom = texts.bottom > 0 ? texts.bottom : room.bottom;
  const float below = ui.style.presented ? to_float(panel.x_ticks.height + 1) : bottom - top;
  const double own = panel.x_ticks.height + 0.5;
  const auto at = [&](Way way, std::string text, float half) {
    const float center = inside(column, half, room.left, room.right);
    return MarkedLabel{way, std::move(text), center, half};
  };
  const std::string whole = shown_label(texts, texts.columns, texts.column);
  if (panel.ticks_slant) {
    const double length =
        std::min(slanted_length(own, layout.tick_line, panel.ticks_slant),
                 static_cast<double>(column - room.left - size / 2) / panel.ticks_slant.cosine);
    return {Way::slanted, shortened(whole, length, measure), column, line / 2};
  }
  // On a projector it would overlap the other labels: there it is no longer than they are.
  const std::string label = !ui.style.presented || !panel.ticks_rotated ? whole
                            : is_vertical(whole) ? shortened_vertical(whole, own, layout.tick_line)
                                                 : shortened(whole, own, measure);
  if (panel.ticks_rotated && is_vertical(label) && to_float(vertical_extent(label, line)) <= below)
    return at(Way::vertical, label, line / 2);
  if (panel.ticks_rotated && measure(label) <= static_cast<double>(below))
    return at(Way::rotated, label, line / 2);
  const std::string shown = shortened(label, static_cast<double>(room.right - room.left - size), measure);
  return at(Way::level, shown, to_float(measure(shown)) / 2 + box_margin(size));
}

void draw_marked_column(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                        const MarkedLabel& label) {
  using Way = MarkedLabel::Way;
  const Palette& colors = palette(ui.style.theme);
  const auto size = to_float(layout.tick_size), line = to_float(layout.tick_line);
  MapTextStyle text = text_style(ui.style, layout.tick_size, colors.on_accent, 0.5F, 0);
  const ImVec2 at{label.center, to_float(panel.x_ticks.y)};
  if (label.way == Way::level) {
    // The box of a view's lowest labels extends below the view.
    const float below = at.y + line + box_margin(size);
    list.PushClipRect(list.GetClipRectMin(),
                      {list.GetClipRectMax().x, std::max(list.GetClipRectMax().y, below)});
    draw_boxed_text(list, text, at, label.text, colors.accent);
    return list.PopClipRect();
  }
  if (label.way == Way::vertical) {
    const float half = size / 2, pad = size * 0.15F, extent = to_float(vertical_extent(label.text, line));
    list.AddRectFilled({at.x - half - pad, at.y - pad}, {at.x + half + pad, at.y + extent + pad},
                       colors.accent, pad);
    return draw_vertical(list, text, at, line, label.text);
  }
  text.align_x = 1;
  text.align_y = 0.5F;
  if (label.way == Way::rotated)
    draw_boxed_text(list, text, at, label.text, colors.accent, Turn::rotated);
  else
    draw_slanted_boxed_text(list, text, slanted_end(at, line, panel.ticks_slant), label.text, colors.accent,
                            panel.ticks_slant);
}

MarkedLabel marked_row(const Ui& ui, const GridLayout& layout, const PanelLayout& panel, const ScreenMap& map,
                       const AxisTexts& texts) {
  if (!map.shows_row(texts.row) || panel.y_ticks.width <= 0) return {};
  const float row = (map.row_edge(texts.row) + map.row_edge(texts.row + 1)) / 2;
  const auto size = to_float(layout.tick_size);
  const float own = ui.style.presented ? to_float(panel.y_ticks.width) + 0.5F : 0;
  const float room = to_float(panel.y_ticks.right()) - room_of_window().left - size * 0.2F;
  const std::string label = shortened(shown_label(texts, texts.rows, texts.row),
                                      static_cast<double>(std::max(own, room)), measure_with(ui.style, size));
  return {MarkedLabel::Way::level, label, inside(row, size * 0.6F, map.min.y, map.max.y),
          to_float(layout.tick_line) / 2 + box_margin(size) / 2};
}

/// For tests: whether a projector's axis has all of its labels.
void note_key_label(const Ui& ui, const PanelLayout& panel, int token, float x, float half) {
  if (ui.ui_anchors == nullptr || !ui.style.presented) return;
  const auto top = to_float(panel.x_ticks.y), bottom = to_float(panel.x_ticks.bottom());
  ui.ui_anchors->add("key label " + std::to_string(token), {x - half, top}, {x + half, bottom});
}

void draw_x_axis(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const MapTextStyle text = text_style(ui.style, layout.tick_size, palette(ui.style.theme).muted,
                                       panel.ticks_rotated ? 1 : 0.5F, panel.ticks_rotated ? 0.5F : 0);
  const float top = to_float(panel.x_ticks.y), line = to_float(layout.tick_line);
  const MeasureText measure = measure_with(ui.style, text.size);
  const MarkedLabel marked = marked_column(ui, layout, panel, map, texts);
  for (const Tick& tick : panel.x_tick_labels) {
    const float x = to_float(tick.position);
    const double half = panel.ticks_rotated ? layout.tick_line / 2 : measure(tick.label) / 2 + 1;
    if (tick.token == texts.column || marked.takes_room_of(tick.position, half)) continue;
    if (panel.ticks_slant)
      draw_slanted_text(list, text, slanted_end({x, top}, line, panel.ticks_slant), tick.label,
                        panel.ticks_slant);
    else if (panel.ticks_rotated && is_vertical(tick.label))
      draw_vertical(list, text, {x, top}, line, tick.label);
    else if (panel.ticks_rotated)
      draw_rotated_text(list, text, {x, top}, tick.label);
    else
      draw_text(list, text, {x, top}, tick.label);
    note_key_label(ui, panel, tick.token, x, to_float(half));
  }
  if (!marked.text.empty()) draw_marked_column(list, ui, layout, panel, marked);
}

void draw_y_axis(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const Palette& colors = palette(ui.style.theme);
  MapTextStyle text = text_style(ui.style, layout.tick_size, colors.muted, 1, 0.5F);
  const float right = to_float(panel.y_ticks.right());
  const MarkedLabel marked = marked_row(ui, layout, panel, map, texts);
  for (const Tick& tick : panel.y_tick_labels) {
    if (tick.token != texts.row && !marked.takes_room_of(tick.position, layout.tick_line / 2))
      draw_text(list, text, {right, to_float(tick.position)}, tick.label);
  }
  text.color = colors.on_accent;
  draw_boxed_text(list, text, {right, marked.center}, marked.text, colors.accent);
}

/// Dark around light, visible on every colour.
void double_rect(ImDrawList& list, ImVec2 min, ImVec2 max, float alpha, float line) {
  const ImU32 dark = IM_COL32(0, 0, 0, int(200 * alpha)), light = IM_COL32(255, 255, 255, int(230 * alpha));
  for (float i = 1; i <= line; ++i) {
    const float outer = line + i;
    list.AddRect({min.x - i, min.y - i}, {max.x + i, max.y + i}, dark);
    list.AddRect({min.x - outer, min.y - outer}, {max.x + outer, max.y + outer}, light);
  }
}

/// Whether a match of the search is in the row or column that begins with a token.
bool is_found(const Ui& ui, bool key, Index first) {
  const auto& part = ui.shown->part;
  const Index group = !part ? 1 : key ? part->key_group : part->query_pool;
  for (Index token = first; token < first + group; ++token)
    if (ui.state.search.marks(key, token)) return true;
  return false;
}

/// Marks search matches by strokes at the map's left and lower edge, which keep even many of them readable.
void draw_found(ImDrawList& list, const Ui& ui, const ScreenMap& map) {
  const TokenSearch& search = ui.state.search;
  if (!search.open || search.places().empty()) return;
  const ImU32 color = palette(ui.style.theme).warning;
  const float width = std::max(2.0F, std::round(ui.style.font_size * 0.28F)), gap = mark_line(ui.style);
  for (int row = 0; row < static_cast<int>(ui.shown->n_q()); ++row) {
    if (!map.shows_row(row) || !is_found(ui, false, ui.shown->queries[static_cast<std::size_t>(row)]))
      continue;
    const float top = std::max(map.min.y, map.row_edge(row));
    const float bottom = std::min(map.max.y, std::max(map.row_edge(row + 1), top + 1));
    list.AddRectFilled({map.min.x - gap - width, top}, {map.min.x - gap, bottom}, color);
  }
  for (int column = 0; column < static_cast<int>(ui.shown->n_k()); ++column) {
    if (!map.shows_column(column) || !is_found(ui, true, ui.shown->keys[static_cast<std::size_t>(column)]))
      continue;
    const float left = std::max(map.min.x, map.column_edge(column));
    const float right = std::min(map.max.x, std::max(map.column_edge(column + 1), left + 1));
    list.AddRectFilled({left, map.max.y + gap}, {right, map.max.y + gap + width}, color);
  }
}

/// Whether the marked row's label, shown in full where others are cut, covers the axis title.
bool covers_title(const Ui& ui, const GridLayout& layout, const PanelLayout& panel, const ScreenMap& map,
                  const AxisTexts& texts, const MapTextStyle& title) {
  const MarkedLabel marked = marked_row(ui, layout, panel, map, texts);
  if (marked.text.empty()) return false;
  const auto size = to_float(layout.tick_size);
  const float left = to_float(panel.y_ticks.right()) - box_margin(size) -
                     to_float(measure_with(ui.style, size)(marked.text));
  const float middle = to_float(panel.y_label.y + panel.y_label.height / 2);
  const float half = text_size(title, ui.tr("Query")).x / 2;
  return left < to_float(panel.y_label.right()) && std::abs(marked.center - middle) < half + marked.half;
}

}  // namespace

void draw_axes(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
               const ScreenMap& map, const AxisTexts& texts) {
  if (texts.tokens) draw_found(list, ui, map);
  const auto size = to_float(layout.label_size);
  const MapTextStyle text = text_style(ui.style, size, palette(ui.style.theme).text, 0.5F, 0.5F);
  const auto center = [](const Rect& rect) {
    return ImVec2{to_float(rect.x + rect.width / 2), to_float(rect.y + rect.height / 2)};
  };
  if (panel.x_label.height > 0) draw_text(list, text, center(panel.x_label), ui.tr("Key"));
  if (panel.y_label.width > 0 && !covers_title(ui, layout, panel, map, texts, text))
    draw_rotated_text(list, text, center(panel.y_label), ui.tr("Query"));
  draw_x_axis(list, ui, layout, panel, map, texts);
  draw_y_axis(list, ui, layout, panel, map, texts);
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
  if (strong && !ui.memory.locked) ui.memory.locked = {left - thickness, right + thickness};
  if (is_outlined("row")) outline({map.min.x, top}, {map.max.x, bottom});
  if (is_outlined("column")) outline({left, map.min.y}, {right, map.max.y});
}

}  // namespace headscope

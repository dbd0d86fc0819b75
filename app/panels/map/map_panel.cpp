#include "app/panels/map/map_panel.h"

#include <algorithm>
#include <cmath>

#include "app/panels/map/board.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/navigation.h"
#include "core/analysis/filtered_layer.h"
#include "core/figure/boards/bar_ends.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/map_pictures.h"
#include "core/figure/boards/ticks.h"
#include "core/figure/boards/vertical_text.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// The pixel where a cell begins: the first whose centre is in it, or the one it belongs to if it is smaller
/// than a pixel; consistent with cells_of_pixel.
double first_pixel(double cell, double begin, double end, int pixels) {
  const double pixels_per_cell = pixels / (end - begin), at = (cell - begin) * pixels_per_cell;
  return pixels_per_cell > 1 ? std::ceil(at - 0.5) : std::floor(at);
}

/// While maps are animated, with the interpolated numbers.
HeatmapRequest moved(const Ui& ui, HeatmapRequest request) {
  if (ui.motion == nullptr || !ui.motion->moving()) return request;
  for (int h = 0; h < ui.shown->heads(); ++h)
    if (request.values == ui.shown->weights(h))
      if (auto between = ui.motion->between(h)) {
        request.values = between->data();
        request.owner = std::move(between);
        return request;
      }
  return request;
}

/// A number on one line, with a larger decimal point where scaled-down letters make it fade.
void draw_number(ImDrawList& list, const Ui& ui, MapTextStyle style, float x, float middle,
                 const std::string& number) {
  draw_text(list, style, {x, middle}, number);
  const std::size_t point = number.find('.');
  if (point == std::string::npos || style.size >= ui.style.small) return;
  const float left = std::round(x - style.align_x * text_size(style, number).x);
  const float before = text_size(style, number.substr(0, point)).x,
              behind = text_size(style, number.substr(0, point + 1)).x;
  const float side = std::max(2.0F, std::round(0.1F * style.size));
  const float top = std::round(middle - text_size(style, number).y / 2);
  const float base = std::round(top + baseline(style.size));
  const float at = std::round(left + (before + behind - side) / 2);
  list.AddRectFilled({at, base - side}, {at + side, base}, style.color);
}

/// A horizontal colour bar with its numbers below.
void draw_level_bar(ImDrawList& list, const Ui& ui, const Rect& line, float size, const ColorRange& range,
                    const Colors& colors) {
  if (line.width <= 0 || line.height <= 0) return;
  constexpr double minimum = 9;  // pixels; smaller numbers are unreadable
  const LevelBar level = level_bar(line, range, size, measure_with(size), ui.style.presented, minimum);
  draw_gradient(list, ui.style, level.bar, colors, false);
  WindowCanvas canvas(ui);
  draw_bar_ends(canvas, level.bar, level.below, level.above, colors, canvas.pen().style.border);
  const Palette& theme = palette(ui.style.theme);
  const MapTextStyle text = text_style(level.font_size, theme.text, 0.5F, 0.5F);
  const float bottom = pixels(level.bar.bottom());
  for (const BarTick& tick : level.ticks) {
    const float at = std::round(pixels(level.x_of(tick)) - 0.5F) + 0.5F;
    list.AddLine({at, bottom}, {at, bottom + 0.2F * size}, theme.text);
    draw_number(list, ui, text, pixels(level.text_x(tick, text_size(text, tick.text).x)),
                pixels(level.text_y), tick.text);
  }
}

std::string shown_label(const AxisTexts& texts, const std::vector<std::string>& labels, int i) {
  const std::string& label = labels[i];
  return texts.tokens ? shown_token(label) : label;
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
  return {top.x, top.y + static_cast<float>(slant.cosine) * line / 2};
}

/// The part of the window that a label drawn over others may use.
struct Room {
  float left, right;
};

/// Of a panel, as far as it is in the window: beyond are the labels of others.
Room room_of(const PanelLayout& panel) {
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  return {std::max(min.x + 4, pixels(panel.frame.x)),
          std::min(min.x + size.x - 4, pixels(panel.frame.right()))};
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
    const double apart = std::abs(position - center);
    return !text.empty() && apart < half + other_half - rounding;
  }
};

/// Rotated or vertical like the others if that fits below the map, otherwise horizontal.
MarkedLabel marked_column(const Style& style, const GridLayout& layout, const PanelLayout& panel,
                          const ScreenMap& map, const AxisTexts& texts) {
  using Way = MarkedLabel::Way;
  if (!map.shows_column(texts.column) || panel.x_ticks.height <= 0) return {};
  const float column = (map.column_edge(texts.column) + map.column_edge(texts.column + 1)) / 2;
  const auto size = pixels(layout.tick_size), line = pixels(layout.tick_line);
  const MeasureText measure = measure_with(size);
  const Room room = room_of(panel);
  const float below = pixels(panel.x_ticks.height + 1);
  const double own = panel.x_ticks.height + 0.5;
  const auto at = [&](Way way, std::string text, float half) {
    const float center = inside(column, half, room.left, room.right);
    return MarkedLabel{way, std::move(text), center, half};
  };
  const std::string whole = shown_label(texts, texts.columns, texts.column);
  if (panel.ticks_slant) {
    const double length = std::min(slanted_length(own, layout.tick_line, panel.ticks_slant),
                                   (column - room.left - size / 2) / panel.ticks_slant.cosine);
    return {Way::slanted, shortened(whole, length, measure), column, line / 2};
  }
  // On a projector it would overlap the other labels: there it is no longer than they are.
  const std::string label = !style.presented || !panel.ticks_rotated ? whole
                            : is_upright(whole) ? shortened_vertical(whole, own, layout.tick_line)
                                                : shortened(whole, own, measure);
  if (panel.ticks_rotated && is_upright(label) && pixels(vertical_extent(label, line)) <= below)
    return at(Way::vertical, label, line / 2);
  if (panel.ticks_rotated && measure(label) <= below) return at(Way::rotated, label, line / 2);
  const std::string shown = shortened(label, room.right - room.left - size, measure);
  return at(Way::level, shown, pixels(measure(shown)) / 2 + box_margin(size));
}

void draw_marked_column(ImDrawList& list, const Style& style, const GridLayout& layout,
                        const PanelLayout& panel, const MarkedLabel& label) {
  using Way = MarkedLabel::Way;
  const Palette& colors = palette(style.theme);
  const auto size = pixels(layout.tick_size), line = pixels(layout.tick_line);
  MapTextStyle text = text_style(layout.tick_size, colors.on_accent, 0.5F, 0);
  const ImVec2 at{label.center, pixels(panel.x_ticks.y)};
  if (label.way == Way::level) {
    // The box of a view's lowest labels extends below the view; what is scrolled out of it does not.
    const ImVec2 high = list.GetClipRectMax();
    const float below = at.y + line > high.y + 1 ? 0 : at.y + line + box_margin(size);
    list.PushClipRect(list.GetClipRectMin(), {high.x, std::max(high.y, below)});
    draw_boxed_text(list, text, at, label.text, colors.accent);
    return list.PopClipRect();
  }
  if (label.way == Way::vertical) {
    const float pad = size * 0.15F, extent = pixels(vertical_extent(label.text, line));
    list.AddRectFilled({at.x - line / 2, at.y - pad}, {at.x + line / 2, at.y + extent + pad}, colors.accent,
                       pad);
    return draw_vertical(list, text, at, line, label.text);
  }
  text.align_x = 1;
  text.align_y = 0.5F;
  if (label.way == Way::rotated)
    draw_boxed_text(list, text, at, label.text, colors.accent, Turn::rotated, line);
  else
    draw_slanted_boxed_text(list, text, slanted_end(at, line, panel.ticks_slant), label.text, colors.accent,
                            panel.ticks_slant);
}

MarkedLabel marked_row(const Style& style, const GridLayout& layout, const PanelLayout& panel,
                       const ScreenMap& map, const AxisTexts& texts) {
  if (!map.shows_row(texts.row) || panel.y_ticks.width <= 0) return {};
  const float row = (map.row_edge(texts.row) + map.row_edge(texts.row + 1)) / 2;
  const auto size = pixels(layout.tick_size);
  const float own = style.presented ? pixels(panel.y_ticks.width) + 0.5F : 0;
  const float room = pixels(panel.y_ticks.right()) - room_of(panel).left - size * 0.2F;
  const std::string label =
      shortened(shown_label(texts, texts.rows, texts.row), std::max(own, room), measure_with(size));
  return {MarkedLabel::Way::level, label, inside(row, size * 0.6F, map.min.y, map.max.y),
          pixels(layout.tick_line) / 2};
}

/// For tests: whether a projector's axis has all of its labels.
void note_key_label(const Style& style, const PanelLayout& panel, int token, float x, float half) {
  if (!style.presented) return;
  const auto top = pixels(panel.x_ticks.y), bottom = pixels(panel.x_ticks.bottom());
  note_place("key label " + std::to_string(token), {x - half, top}, {x + half, bottom});
}

void draw_x_axis(ImDrawList& list, const Style& style, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const MapTextStyle text = text_style(layout.tick_size, palette(style.theme).text,
                                       panel.ticks_rotated ? 1 : 0.5F, panel.ticks_rotated ? 0.5F : 0);
  const float top = pixels(panel.x_ticks.y), line = pixels(layout.tick_line);
  const MeasureText measure = measure_with(text.size);
  const MarkedLabel marked = marked_column(style, layout, panel, map, texts);
  for (const Tick& tick : panel.x_tick_labels) {
    const float x = pixels(tick.position);
    const double half = panel.ticks_rotated ? layout.tick_line / 2 : measure(tick.label) / 2 + 1;
    if (tick.token == texts.column || marked.takes_room_of(tick.position, half)) continue;
    if (panel.ticks_slant)
      draw_slanted_text(list, text, slanted_end({x, top}, line, panel.ticks_slant), tick.label,
                        panel.ticks_slant);
    else if (panel.ticks_rotated && is_upright(tick.label))
      draw_vertical(list, text, {x, top}, line, tick.label);
    else if (panel.ticks_rotated)
      draw_rotated_text(list, text, {x, top}, tick.label);
    else
      draw_text(list, text, {x, top}, tick.label);
    note_key_label(style, panel, tick.token, x, pixels(half));
  }
  if (!marked.text.empty()) draw_marked_column(list, style, layout, panel, marked);
}

void draw_y_axis(ImDrawList& list, const Style& style, const GridLayout& layout, const PanelLayout& panel,
                 const ScreenMap& map, const AxisTexts& texts) {
  const Palette& colors = palette(style.theme);
  MapTextStyle text = text_style(layout.tick_size, colors.text, 1, 0.5F);
  const float right = pixels(panel.y_ticks.right());
  const MarkedLabel marked = marked_row(style, layout, panel, map, texts);
  for (const Tick& tick : panel.y_tick_labels) {
    if (tick.token != texts.row && !marked.takes_room_of(tick.position, layout.tick_line / 2))
      draw_text(list, text, {right, pixels(tick.position)}, tick.label);
  }
  text.color = colors.on_accent;
  draw_boxed_text(list, text, {right, marked.center}, marked.text, colors.accent, Turn::level,
                  pixels(layout.tick_line));
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
  const Index group = !part ? 1 : key ? part->key_pool : part->query_pool;
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
  for (int row = 0; row < ui.shown->n_q(); ++row) {
    if (!map.shows_row(row) || !is_found(ui, false, ui.shown->queries[row])) continue;
    const float top = std::max(map.min.y, map.row_edge(row));
    const float bottom = std::min(map.max.y, std::max(map.row_edge(row + 1), top + 1));
    list.AddRectFilled({map.min.x - gap - width, top}, {map.min.x - gap, bottom}, color);
  }
  for (int column = 0; column < ui.shown->n_k(); ++column) {
    if (!map.shows_column(column) || !is_found(ui, true, ui.shown->keys[column])) continue;
    const float left = std::max(map.min.x, map.column_edge(column));
    const float right = std::min(map.max.x, std::max(map.column_edge(column + 1), left + 1));
    list.AddRectFilled({left, map.max.y + gap}, {right, map.max.y + gap + width}, color);
  }
}

/// Whether the marked row's label, shown in full where others are cut, covers the axis title.
bool covers_title(const Ui& ui, const GridLayout& layout, const PanelLayout& panel, const ScreenMap& map,
                  const AxisTexts& texts, const MapTextStyle& title) {
  const MarkedLabel marked = marked_row(ui.style, layout, panel, map, texts);
  if (marked.text.empty()) return false;
  const auto size = pixels(layout.tick_size);
  const float left =
      pixels(panel.y_ticks.right()) - box_margin(size) - pixels(measure_with(size)(marked.text));
  const float middle = pixels(panel.y_label.y + panel.y_label.height / 2);
  const float half = text_size(title, ui.tr("Query")).x / 2;
  return left < pixels(panel.y_label.right()) && std::abs(marked.center - middle) < half + marked.half;
}

/// Cells are looked through when they change.
bool is_hatched(PanelMemory& memory, const ScreenMap& map) {
  const HeatmapRequest& request = map.request;
  if (request.blocked == nullptr || memory.next_signs.blocked) return memory.next_signs.blocked;
  auto& known = memory.hatched[map.slot];
  if (request.owner == nullptr) known.forget();
  return known.get({request.owner, request.blocked}, [&] {
    const std::uint8_t* const end = request.blocked + request.n_q * request.n_k;
    return std::find(request.blocked, end, cell_masked) != end;
  });
}

}  // namespace

float ScreenMap::row_edge(double row) const {
  const double pixel = first_pixel(row, request.query_begin, request.query_end, request.height);
  const double share = std::clamp(pixel / request.height, 0.0, 1.0);
  return min.y + static_cast<float>(share) * (max.y - min.y);
}

float ScreenMap::column_edge(double column) const {
  const double pixel = first_pixel(column, request.key_begin, request.key_end, request.width);
  const double share = std::clamp(pixel / request.width, 0.0, 1.0);
  return min.x + static_cast<float>(share) * (max.x - min.x);
}

bool ScreenMap::contains(ImVec2 point) const {
  return point.x >= min.x && point.y >= min.y && point.x < max.x && point.y < max.y;
}

float ScreenMap::cell_width() const {
  return (max.x - min.x) / static_cast<float>(request.key_end - request.key_begin);
}

float ScreenMap::cell_height() const {
  return (max.y - min.y) / static_cast<float>(request.query_end - request.query_begin);
}

LayoutRequest layout_request(const Ui& ui, const Rect& area, std::vector<int> heads, float size) {
  LayoutRequest request;
  request.area = area;
  request.heads = std::move(heads);
  request.font_size = size;
  request.numbers = ui.view().numbers != Numbers::off;
  request.presented = ui.style.presented;
  request.line_height = line_height(size);
  request.named_bars = ui.style.presented;  // otherwise the path has their name
  if (!request.presented && size == ui.style.small)
    for (const float larger : {ui.style.large, ui.style.font_size}) request.larger.push_back(larger / size);
  request.measure = measure_with(size);
  return request;
}

MapPicture head_picture(const Ui& ui, int head, const ColorRange& range) {
  MapPicture picture = head_picture(*ui.shown, ui.view(), head, range);
  picture.owner = ui.shown;
  return picture;
}

ScreenMap place_map(const Style& style, int slot, const Rect& map, MapPicture picture) {
  const double scale = style.framebuffer_scale;
  const auto snap = [scale](double position) { return std::round(position * scale); };
  const double left = snap(map.x), top = snap(map.y);
  const double right = std::max(left + 1, snap(map.right())), bottom = std::max(top + 1, snap(map.bottom()));
  ScreenMap placed;
  placed.slot = slot;
  constexpr float usual = 16;  // font size in pixels at which the lines of the hatch are 6 apart
  picture.masked = masked_style(style.theme);
  placed.request = {
      std::move(picture),
      std::max(6, static_cast<int>(std::lround(6 * style.font_size * style.framebuffer_scale / usual)))};
  placed.request.width = static_cast<int>(right - left);
  placed.request.height = static_cast<int>(bottom - top);
  placed.min = {pixels(left / scale), pixels(top / scale)};
  placed.max = {pixels(right / scale), pixels(bottom / scale)};
  return placed;
}

void draw_picture(ImDrawList& list, const Ui& ui, const ScreenMap& map) {
  ui.memory.next_signs.blocked |= is_hatched(ui.memory, map);
  ui.painter.show(list, map.slot, moved(ui, map.request), map.min, map.max);
  list.AddRect({map.min.x - 1, map.min.y - 1}, {map.max.x + 1, map.max.y + 1},
               palette(ui.style.theme).border);
}

void draw_numbers(ImDrawList& list, const Ui& ui, const ScreenMap& map,
                  const std::function<NumberExtent()>& extent, double font, double largest,
                  std::optional<ImVec2> covered) {
  if (ui.hides_numbers || (ui.motion != nullptr && ui.motion->moving())) return;
  const HeatmapRequest& request = map.request;
  const MeasureText measure = measure_with(pixels(font));
  const auto fitting = ui.style.presented ? bare_numbers : cell_numbers;
  if (fitting({}, map.cell_width(), map.cell_height(), font, measure, largest).size <= 0) return;
  const CellNumbers numbers = fitting(extent(), map.cell_width(), map.cell_height(), font, measure, largest);
  if (numbers.size <= 0) return;
  MapTextStyle text = number_style(numbers.size);
  note_place("map numbers", map.min, {map.min.x + text.size, map.min.y + text.size});
  list.PushClipRect(map.min, map.max, true);
  for_each_shown_cell(request, [&](int row, int column, float value) {
    const float top = map.row_edge(row), bottom = map.row_edge(row + 1);
    if (bottom - top < 0.9F * map.cell_height() && bottom - top < text.size) return;  // cut off by the edge
    text.color = readable_on(request.color_of(value, row));
    const float left = map.column_edge(column), right = map.column_edge(column + 1);
    const std::string number = numbers.text(value);
    ui.memory.next_signs.note_number(number);
    if (right - left < 0.9F * map.cell_width() && right - left < text_size(text, number).x) return;
    const ImVec2 middle{(left + right) / 2, (top + bottom) / 2}, extent_of = text_size(text, number);
    if (covered && middle.x + extent_of.x / 2 > covered->x && middle.y + extent_of.y / 2 > covered->y) return;
    draw_text(list, text, middle, number);
  });
  list.PopClipRect();
}

void draw_empty_rows(ImDrawList& list, const Ui& ui, const ScreenMap& map, const std::vector<int>& rows,
                     float size) {
  const Palette& colors = palette(ui.style.theme);
  const MapTextStyle text = text_style(size, colors.text, 0.5F, 0.5F);
  const bool no_key = ui.block->fills_with_infinity();
  const std::string words = empty_row_text(ui.tr, no_key);
  // Words would cover the numbers of a row that got weights from a finite fill.
  const bool fits =
      no_key && map.cell_height() > 1.1F * size && text_size(text, words).x < 0.95F * (map.max.x - map.min.x);
  const float stroke = std::max(2.0F, std::round(size / 5));
  for (const int row : rows) {
    const float top = map.row_edge(row), bottom = std::max(map.row_edge(row + 1), top + 1);
    if (!map.shows_row(row)) continue;
    list.AddRectFilled({map.min.x, top}, {map.min.x + stroke, bottom}, colors.warning);
    if (!fits) (no_key ? ui.memory.next_signs.no_key : ui.memory.next_signs.uniform_row) = true;
    if (fits)
      draw_boxed_text(list, text, {(map.min.x + map.max.x) / 2, (top + bottom) / 2}, words,
                      with_alpha(colors.panel, 0.85F));
  }
}

void draw_marks(const Ui& ui, const ScreenMap& map, std::span<const PlacedMark> marks, double size) {
  if (marks.empty()) return;
  WindowCanvas canvas(ui);
  const double x = map.min.x, y = map.min.y;
  const Rect picture{x, y, map.max.x - x, map.max.y - y};
  draw_marks(canvas.pen(), marks, map.request, picture, size);
}

std::optional<PointedCell> pointed_cell(const ScreenMap& map, ImVec2 point) {
  if (!map.contains(point)) return {};
  const HeatmapRequest& request = map.request;
  const double x = static_cast<double>(point.x - map.min.x) / (map.max.x - map.min.x) * request.width;
  const double y = static_cast<double>(point.y - map.min.y) / (map.max.y - map.min.y) * request.height;
  PointedCell cell;
  Index row = 0, column = 0;
  cell.shown = largest_under_pixel(request, x, y, row, column, cell.value);
  if (row < 0 || column < 0) return {};
  cell.row = static_cast<int>(row);
  cell.column = static_cast<int>(column);
  cell.pooled = request.query_end - request.query_begin > request.height ||
                request.key_end - request.key_begin > request.width;
  return cell;
}

void draw_gradient(ImDrawList& list, const Style& style, const Rect& bar, const Colors& colors, bool upward) {
  constexpr int pieces = 32;
  const auto color = [&](int i) { return to_color(colors[std::min(255, i * 256 / pieces)]); };
  const auto left = pixels(bar.x), right = pixels(bar.right()), top = pixels(bar.y),
             bottom = pixels(bar.bottom());
  for (int i = 0; i < pieces; ++i) {
    const ImU32 low = color(i), high = color(i + 1);
    if (upward)
      list.AddRectFilledMultiColor({left, pixels(bar.bottom() - bar.height * (i + 1) / pieces)},
                                   {right, pixels(bar.bottom() - bar.height * i / pieces)}, high, high, low,
                                   low);
    else
      list.AddRectFilledMultiColor({pixels(bar.x + bar.width * i / pieces), top},
                                   {pixels(bar.x + bar.width * (i + 1) / pieces), bottom}, low, high, high,
                                   low);
  }
  list.AddRect({left - 1, top - 1}, {right + 1, bottom + 1}, palette(style.theme).border);
}

void draw_color_bar(ImDrawList& list, const Ui& ui, const GridLayout& layout, const BarPlace& bar,
                    const ColorRange& range, const Colors& colors) {
  if (layout.strips && bar.width > 0) {
    WindowCanvas canvas(ui);
    draw_bar(canvas, bar, range, colors, canvas.pen().style.border);
    return;
  }
  if (layout.level_bars) return draw_level_bar(list, ui, bar, pixels(layout.tick_size), range, colors);
  WindowCanvas canvas(ui);
  draw_color_bar(canvas.pen(), bar, layout.tick_size, colors, range);
}

void draw_bar_name(const Ui& ui, const Rect& place, double size, const std::string& name) {
  WindowCanvas canvas(ui);
  draw_bar_name(canvas.pen(), place, size, name);
}

AxisTexts axis_texts(Ui& ui) {
  AxisTexts texts{ui.memory.maps.look().rows(), ui.memory.maps.look().columns()};
  const std::optional<Cell> focus = ui.focus();
  if (focus && !find_cell(*ui.shown, *focus, texts.row, texts.column)) texts.row = texts.column = -1;
  return texts;
}

void draw_axes(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
               const ScreenMap& map, const AxisTexts& texts) {
  if (texts.tokens) draw_found(list, ui, map);
  const auto size = pixels(layout.label_size);
  const MapTextStyle text = text_style(size, palette(ui.style.theme).text, 0.5F, 0.5F);
  const auto center = [](const Rect& rect) {
    return ImVec2{pixels(rect.x + rect.width / 2), pixels(rect.y + rect.height / 2)};
  };
  if (panel.x_label.height > 0) draw_text(list, text, center(panel.x_label), ui.tr("Key"));
  if (panel.y_label.width > 0 && !covers_title(ui, layout, panel, map, texts, text))
    draw_rotated_text(list, text, center(panel.y_label), ui.tr("Query"));
  draw_x_axis(list, ui.style, layout, panel, map, texts);
  draw_y_axis(list, ui.style, layout, panel, map, texts);
}

void draw_cross(ImDrawList& list, const Style& style, const ScreenMap& map, int row, int column,
                bool strong) {
  const float line = mark_line(style), around = 2 * line;
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

#include "app/panels/map/map_panel.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/theme.h"
#include "core/analysis/filtered_layer.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// The pixel where a cell begins: the first whose centre is in it, or the one it belongs to if it is smaller
/// than a pixel; consistent with cells_of_pixel.
double first_pixel(double cell, double begin, double end, int pixels) {
  const double pixels_per_cell = pixels / (end - begin), at = (cell - begin) * pixels_per_cell;
  return pixels_per_cell > 1 ? std::ceil(at - 0.5) : std::floor(at);
}

/// The rows (or columns) that are at least partly visible.
struct Visible {
  int first = 0, last = -1;
};
Visible visible(double begin, double end, Index n) {
  return {std::max(0, static_cast<int>(std::floor(begin))),
          std::min(static_cast<int>(n), static_cast<int>(std::ceil(end))) - 1};
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

void hatch_masked(HeatmapRequest& request, const Ui& ui) {
  constexpr float usual = 16;  // font size in pixels at which lines are 6 apart
  request.masked = masked_style(ui.style.theme);
  request.hatch =
      std::max(6, static_cast<int>(std::lround(6 * ui.style.font_size * ui.style.framebuffer_scale / usual)));
}

HeatmapRequest head_request(const Ui& ui, int head, const ColorRange& range) {
  const FilteredLayer& shown = *ui.shown;
  HeatmapRequest request;
  request.owner = ui.shown;
  request.values = shown.weights(head);
  request.blocked = shown.state(head);
  request.n_q = shown.n_q();
  request.n_k = shown.n_k();
  request.query_end = static_cast<double>(request.n_q);
  request.key_end = static_cast<double>(request.n_k);
  request.colors = &map_colors(ui.state.view, *shown.block, shown.layer, head);
  request.range = range;
  request.pooling = pooling_of_weights(shown.means());
  hatch_masked(request, ui);
  return request;
}

ScreenMap place_map(const Ui& ui, int slot, const Rect& map, const HeatmapRequest& request) {
  const double scale = ui.style.framebuffer_scale;
  const auto snap = [scale](double position) { return std::round(position * scale); };
  const double left = snap(map.x), top = snap(map.y);
  const double right = std::max(left + 1, snap(map.right())), bottom = std::max(top + 1, snap(map.bottom()));
  ScreenMap placed;
  placed.slot = slot;
  placed.request = request;
  placed.request.width = static_cast<int>(right - left);
  placed.request.height = static_cast<int>(bottom - top);
  placed.min = {static_cast<float>(left / scale), static_cast<float>(top / scale)};
  placed.max = {static_cast<float>(right / scale), static_cast<float>(bottom / scale)};
  return placed;
}

void draw_picture(ImDrawList& list, const Ui& ui, const ScreenMap& map) {
  ui.painter.show(list, map.slot, moved(ui, map.request), map.min, map.max);
  list.AddRect({map.min.x - 1, map.min.y - 1}, {map.max.x + 1, map.max.y + 1},
               palette(ui.style.theme).border);
}

void draw_numbers(ImDrawList& list, const Ui& ui, const ScreenMap& map, double font, double largest,
                  std::optional<ImVec2> covered) {
  if (ui.motion != nullptr && ui.motion->moving()) return;
  const HeatmapRequest& request = map.request;
  const Visible rows = visible(request.query_begin, request.query_end, request.n_q);
  const Visible columns = visible(request.key_begin, request.key_end, request.n_k);
  const auto each = [&](const auto& visit) {
    for (int row = rows.first; row <= rows.last; ++row)
      for (int column = columns.first; column <= columns.last; ++column) {
        const Index cell = row * request.n_k + column;
        if (!request.blocked || request.blocked[cell] == cell_shown) visit(row, column, request.values[cell]);
      }
  };
  const MeasureText measure = measure_with(ui.style, static_cast<float>(font));
  const auto fitting = ui.style.presented ? bare_numbers : cell_numbers;
  if (fitting({}, map.cell_width(), map.cell_height(), font, measure, largest).size <= 0) return;
  NumberExtent extent;
  each([&](int, int, float value) { extent.add(value); });
  const CellNumbers numbers = fitting(extent, map.cell_width(), map.cell_height(), font, measure, largest);
  if (numbers.size <= 0) return;
  MapTextStyle text = number_style(ui.style, numbers.size);
  if (ui.ui_anchors)
    ui.ui_anchors->add("map numbers", map.min, {map.min.x + text.size, map.min.y + text.size});
  list.PushClipRect(map.min, map.max, true);
  each([&](int row, int column, float value) {
    const float top = map.row_edge(row), bottom = map.row_edge(row + 1);
    if (bottom - top < 0.9F * map.cell_height() && bottom - top < text.size) return;  // cut off by the edge
    text.color = readable_on((*request.colors)[static_cast<std::size_t>(request.range.index(value))]);
    const float left = map.column_edge(column), right = map.column_edge(column + 1);
    const std::string number = numbers.text(value);
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
  const MapTextStyle text = text_style(ui.style, size, colors.text, 0.5F, 0.5F);
  const std::string words = empty_row_text(ui.tr, *ui.block);
  // Words would cover the numbers of a row that got weights from a finite fill.
  const bool fits = ui.block->fills_with_infinity() && map.cell_height() > 1.1F * size &&
                    text_size(text, words).x < 0.95F * (map.max.x - map.min.x);
  const float stroke = std::max(2.0F, std::round(size / 5));
  for (const int row : rows) {
    const float top = map.row_edge(row), bottom = std::max(map.row_edge(row + 1), top + 1);
    if (!map.shows_row(row)) continue;
    list.AddRectFilled({map.min.x, top}, {map.min.x + stroke, bottom}, colors.warning);
    if (fits)
      draw_boxed_text(list, text, {(map.min.x + map.max.x) / 2, (top + bottom) / 2}, words,
                      with_alpha(colors.panel, 0.85F));
  }
}

std::optional<PointedCell> pointed_cell(const ScreenMap& map, ImVec2 point) {
  if (!map.contains(point)) return {};
  const HeatmapRequest& request = map.request;
  const double x = static_cast<double>(point.x - map.min.x) / (map.max.x - map.min.x) * request.width;
  const double y = static_cast<double>(point.y - map.min.y) / (map.max.y - map.min.y) * request.height;
  PointedCell cell;
  Index row = 0, column = 0;
  cell.shown = value_under_pixel(request, x, y, row, column, cell.value);
  if (row < 0 || column < 0) return {};
  cell.row = static_cast<int>(row);
  cell.column = static_cast<int>(column);
  cell.pooled = request.query_end - request.query_begin > request.height ||
                request.key_end - request.key_begin > request.width;
  return cell;
}

namespace {

/// A number on one line, with a larger decimal point where scaled-down letters make it fade.
void draw_number(ImDrawList& list, const Ui& ui, MapTextStyle style, float x, float middle,
                 const std::string& number) {
  draw_text(list, style, {x, middle}, number);
  const std::size_t point = number.find('.');
  if (point == std::string::npos || style.size >= size_of(ui.style, style.font)) return;
  const float left = std::round(x - style.align_x * text_size(style, number).x);
  const float before = text_size(style, number.substr(0, point)).x,
              behind = text_size(style, number.substr(0, point + 1)).x;
  const float side = std::max(2.0F, std::round(0.1F * style.size));
  const float top = std::round(middle - text_size(style, number).y / 2);
  const float base = std::round(top + style.font->Ascent * style.size / style.font->FontSize);
  const float at = std::round(left + (before + behind - side) / 2);
  list.AddRectFilled({at, base - side}, {at + side, base}, style.color);
}

}  // namespace

void draw_level_bar(ImDrawList& list, const Ui& ui, const Rect& line, float size, const ColorRange& range,
                    const std::array<Rgb, 256>& colors) {
  if (line.width <= 0 || line.height <= 0) return;
  constexpr int pieces = 32;
  const Palette& theme = palette(ui.style.theme);
  constexpr double minimum = 9;  // pixels; smaller numbers are unreadable
  const LevelBar level =
      level_bar(line, range, size, measure_with(ui.style, size), ui.style.presented, minimum);
  const auto top = static_cast<float>(level.bar.y), bottom = static_cast<float>(level.bar.bottom());
  const auto edge = [&](int i) { return static_cast<float>(level.bar.x + level.bar.width * i / pieces); };
  const auto color = [&](int i) {
    return to_color(colors[static_cast<std::size_t>(std::min(255, i * 256 / pieces))]);
  };
  for (int i = 0; i < pieces; ++i)
    list.AddRectFilledMultiColor({edge(i), top}, {edge(i + 1), bottom}, color(i), color(i + 1), color(i + 1),
                                 color(i));
  list.AddRect({edge(0) - 1, top - 1}, {edge(pieces) + 1, bottom + 1}, theme.border);
  const auto middle = static_cast<float>(line.y + line.height / 2);
  if (level.low.empty()) return;
  MapTextStyle text = text_style(ui.style, level.font_size, theme.muted, 0, 0.5F);
  draw_number(list, ui, text, static_cast<float>(line.x), middle, level.low);
  text.align_x = 1;
  draw_number(list, ui, text, static_cast<float>(line.right()), middle, level.high);
}

void draw_color_bar(ImDrawList& list, const Ui& ui, const Rect& bar, const Rect& high, const Rect& low,
                    float size, const ColorRange& range, const std::array<Rgb, 256>& colors) {
  if (bar.width <= 0 || bar.height <= 0) return;
  constexpr int pieces = 32;
  const auto left = static_cast<float>(bar.x), right = static_cast<float>(bar.right());
  const auto edge = [&](int i) { return static_cast<float>(bar.bottom() - bar.height * i / pieces); };
  const auto color = [&](int i) {
    return to_color(colors[static_cast<std::size_t>(std::min(255, i * 256 / pieces))]);
  };
  for (int i = 0; i < pieces; ++i)
    list.AddRectFilledMultiColor({left, edge(i + 1)}, {right, edge(i)}, color(i + 1), color(i + 1), color(i),
                                 color(i));
  const Palette& theme = palette(ui.style.theme);
  list.AddRect({left - 1, edge(pieces) - 1}, {right + 1, edge(0) + 1}, theme.border);
  MapTextStyle text = text_style(ui.style, size, theme.muted, 0, 0);
  draw_text(list, text, {static_cast<float>(high.x), static_cast<float>(high.y)}, high_text(range));
  text.align_y = 1;
  draw_text(list, text, {static_cast<float>(low.x), static_cast<float>(low.bottom())}, low_text(range));
  if (!range.logarithm || bar.height < 5 * size) return;
  text.align_y = 0.5F;
  draw_text(list, text, {static_cast<float>(high.x), static_cast<float>(bar.y + bar.height / 2)},
            ui.tr("log"));
}

void draw_panel_bar(ImDrawList& list, const Ui& ui, const GridLayout& layout, const PanelLayout& panel,
                    const ColorRange& range, const std::array<Rgb, 256>& colors) {
  const auto size = static_cast<float>(layout.tick_size);
  if (layout.level_bars)
    draw_level_bar(list, ui, panel.color_bar, size, range, colors);
  else
    draw_color_bar(list, ui, panel.color_bar, panel.bar_high, panel.bar_low, size, range, colors);
}

}  // namespace headscope

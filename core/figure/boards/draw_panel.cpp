#include "core/figure/boards/draw_panel.h"

#include <algorithm>
#include <cmath>

#include "core/figure/boards/bar_ends.h"
#include "core/figure/boards/cell_numbers.h"
#include "core/figure/boards/vertical_text.h"
#include "core/scene/labels.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

void draw_frame(const FigurePen& pen, const Rect& map) {
  draw_edges(pen.canvas, pen.canvas.snapped(map), pen.canvas.hairline(), pen.style.border);
}

/// Whether a title over a map that is narrower than itself would overlap the first of the map's labels.
bool touches_labels(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                    const std::string& title) {
  if (place.y_tick_labels.empty()) return false;
  const double width = pen.width(title, grid.title_size);
  const double left = place.title.x + (place.title.width - width) / 2,
               bottom = place.title.y + (place.title.height + grid.title_size) / 2;
  return left < place.y_ticks.right() && place.y_tick_labels.front().position - grid.tick_size / 2 < bottom;
}

/// Between a title over a strip and the ends of its range, in sizes of the title.
constexpr double before_ends = 0.8;

double letter_room(const GridLayout& grid, const FigurePanel& panel) {
  return panel.letter.empty() ? 0 : bold_letter_width * grid.title_size;
}

void draw_letter(const FigurePen& pen, const GridLayout& grid, double x, double middle,
                 const FigurePanel& panel) {
  if (panel.letter.empty()) return;
  pen.canvas.text(panel.letter, x, middle, {grid.title_size, pen.style.text, Anchor::start, false, true});
}

/// Over a strip: at the left edge of the map, with the ends of the range at the right one. Where both do not
/// fit even in the smallest type, the head's number is enough of a title.
void draw_title_of_strip(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                         const FigurePanel& panel) {
  const double size = grid.title_size, side = 0.6 * size, middle = place.title.y + place.title.height / 2;
  draw_letter(pen, grid, place.title.x, middle, panel);
  const double from = place.title.x + letter_room(grid, panel) + (panel.mark ? 1.6 * side : 0),
               room = place.map.right() - from;
  const double x = from + panel.moved.x * place.map.width, y = middle + panel.moved.y * place.map.height;
  if (panel.mark) pen.canvas.fill({x - 1.6 * side, y - side / 2, side, side}, *panel.mark);
  const std::string ends = range_text(panel.picture.range);
  const double smallest = std::min(grid.tick_size, std::max(0.6 * size, pen.style.smallest));
  for (const std::string& title : {panel.title, panel.short_title}) {
    const double both = pen.width(title, size) + before_ends * size + pen.width(ends, grid.tick_size);
    const double scale = std::min(1.0, room / both);
    if (title.empty() || scale * grid.tick_size < smallest) continue;
    pen.text(ends, place.map.right(), middle, scale * grid.tick_size, pen.style.muted, Anchor::end);
    return pen.text(title, x, y, scale * size, pen.style.text, Anchor::start);
  }
  const double whole = place.title.right() - from;
  const double own = std::clamp(size * whole / pen.width(panel.title, size), 0.6 * size, size);
  pen.text(pen.shortened(panel.title, whole, own), x, y, own, pen.style.text, Anchor::start);
}

/// Notes where the name of a head is, for those who drag it.
void note_title(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                const FigurePanel& panel) {
  if (pen.findings == nullptr || panel.head < 0) return;
  const Rect& title = place.title;
  const double width = std::min(pen.width(panel.title, grid.title_size), title.width);
  const double x = grid.strips ? title.x : title.x + (title.width - width) / 2;
  pen.findings->handles.push_back(
      {FigureHandle::Of::title,
       0,
       panel.layer,
       panel.head,
       {x + panel.moved.x * place.map.width, title.y + panel.moved.y * place.map.height, width, title.height},
       place.map,
       0,
       0});
}

void draw_title(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                const FigurePanel& panel) {
  if (place.title.height <= 0) return;
  note_title(pen, grid, place, panel);
  if (grid.strips) return draw_title_of_strip(pen, grid, place, panel);
  const bool is_moved = panel.moved != LabelPlace{};
  if (!is_moved && touches_labels(pen, grid, place, panel.title)) return;
  Rect room = place.title;
  // Right of the name of the axis, which a grid has at its left edge.
  const double letter = std::max(place.frame.x, grid.y_label.right());
  draw_letter(pen, grid, letter, room.y + room.height / 2, panel);
  const double taken = std::max(0.0, letter + letter_room(grid, panel) - room.x);
  room.x += taken;
  room.width -= taken;
  room.x += panel.moved.x * place.map.width;
  room.y += panel.moved.y * place.map.height;
  const double side = 0.6 * grid.title_size;
  if (panel.mark && room.width > 3 * side && room.height > 0) {
    const double text = std::min(pen.width(panel.title, grid.title_size), room.width - 1.6 * side);
    const double left = room.x + (room.width - text - 1.6 * side) / 2;
    pen.canvas.fill({left, room.y + (room.height - side) / 2, side, side}, *panel.mark);
    room = {left + 1.6 * side, room.y, text, room.height};
  }
  pen.heading(panel.title, room, grid.title_size, pen.style.text);
}

/// The tokens of a framed cell stand out.
Rgb tick_color(const FigurePen& pen, bool framed) {
  const bool dark = pen.style.background.r < 128;
  return framed ? colors(Colormap::viridis)[dark ? 200 : 80] : pen.style.text;
}

void draw_x_axis(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place, int framed) {
  const double line = pen.canvas.hairline();
  for (const Tick& tick : place.x_tick_labels) {
    const Rgb color = tick_color(pen, tick.token == framed);
    const double y = place.x_ticks.y, mark = (y - place.map.bottom()) * 0.7;
    pen.canvas.fill({tick.position - line / 2, place.map.bottom() + line, line, mark}, pen.style.border);
    if (place.ticks_rotated && is_upright(tick.label))
      pen.vertical(tick.label, tick.position, y, grid.tick_size, grid.tick_line, color);
    else if (place.ticks_rotated)
      pen.text(tick.label, tick.position, y, grid.tick_size, color, Anchor::end, true);
    else
      pen.text(tick.label, tick.position, y + 0.55 * grid.tick_size, grid.tick_size, color, Anchor::middle);
  }
  pen.centered(pen.tr("Key"), place.x_label, grid.label_size, pen.style.muted);
}

void draw_y_axis(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place, int framed) {
  const double line = pen.canvas.hairline();
  for (const Tick& tick : place.y_tick_labels) {
    const double x = place.y_ticks.right(), mark = (place.map.x - x) * 0.7;
    pen.canvas.fill({place.map.x - line - mark, tick.position - line / 2, mark, line}, pen.style.border);
    pen.text(tick.label, x, tick.position, grid.tick_size, tick_color(pen, tick.token == framed),
             Anchor::end);
  }
  pen.centered(pen.tr("Query"), place.y_label, grid.label_size, pen.style.muted, true);
}

/// The visible cells of an axis with their positions; `start` and `length` in points.
struct Axis {
  double begin = 0, end = 0;
  Index n = 0;
  double start = 0, length = 0;

  bool sees(int i) const {
    const CellSpan seen = visible_cells(begin, end, n);
    return i >= seen.first && i <= seen.last;
  }
  double cell() const { return length / (end - begin); }
  double low(int i) const { return std::max(static_cast<double>(i), begin); }
  double high(int i) const { return std::min(static_cast<double>(i + 1), end); }
  double share(int i) const { return high(i) - low(i); }  // of a shown cell, 0 to 1
  double middle(int i) const { return start + ((low(i) + high(i)) / 2 - begin) * cell(); }
  double edge(int i) const { return start + (low(i) - begin) * cell(); }
};
Axis rows_of(const MapPart& part, const Rect& map) {
  return {part.query_begin, part.query_end, part.n_q, map.y, map.height};
}
Axis columns_of(const MapPart& part, const Rect& map) {
  return {part.key_begin, part.key_end, part.n_k, map.x, map.width};
}

void draw_numbers(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                  const MapPicture& picture, const NumberExtent& extent) {
  const Axis rows = rows_of(picture, place.map), columns = columns_of(picture, place.map);
  const CellNumbers numbers =
      cell_numbers(extent, columns.cell(), rows.cell(), grid.label_size, pen.measure(grid.label_size));
  if (numbers.size <= 0) return;
  for_each_shown_cell(picture, [&](int q, int k, float value) {
    if (rows.share(q) < 1 && rows.share(q) * rows.cell() < 1.1 * numbers.size) return;
    const std::string text = numbers.text(value);
    if (columns.share(k) < 1 && 0.94 * columns.cell() * columns.share(k) < pen.width(text, numbers.size))
      return;
    pen.text(text, columns.middle(k), rows.middle(q), numbers.size, ink_on(picture.color_of(value, q)),
             Anchor::middle);
  });
}

void draw_framed_cell(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                      const FigurePanel& panel) {
  const Axis rows = rows_of(panel.picture, place.map), columns = columns_of(panel.picture, place.map);
  const auto [q, k] = *panel.framed;
  if (!rows.sees(q) || !columns.sees(k)) return;
  const Rect cell{columns.edge(k), rows.edge(q), columns.share(k) * columns.cell(),
                  rows.share(q) * rows.cell()};
  const double line = std::max(0.08 * grid.tick_size, pen.canvas.hairline());
  draw_marked(pen.canvas, cell, line);
}

/// With text where it fits, and always with a stroke at the start of the row, as on the screen.
void draw_empty_rows(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                     const FigurePanel& panel) {
  const Rect& map = place.map;
  const Axis rows = rows_of(panel.picture, map);
  const double size = grid.label_size, width = pen.width(panel.empty_text, size);
  for (const int row : panel.empty_rows) {
    if (!rows.sees(row)) continue;
    const double top = rows.edge(row), height = rows.share(row) * rows.cell(), middle = top + height / 2;
    const bool fits = !panel.empty_text.empty() && height > 1.2 * size && width < 0.95 * map.width - size;
    pen.canvas.fill({map.x, top, std::max(1.5, size / 5), std::max(height, 0.75)}, pen.style.warning);
    if (!fits && pen.noted != nullptr) (panel.no_key ? pen.noted->no_key : pen.noted->uniform_row) = true;
    if (!fits) continue;
    pen.canvas.fill(
        {map.x + map.width / 2 - width / 2 - 0.4 * size, middle - 0.6 * size, width + 0.8 * size, 1.2 * size},
        pen.style.background);
    pen.text(panel.empty_text, map.x + map.width / 2, middle, size, pen.style.text, Anchor::middle);
  }
}

}  // namespace

void draw_edges(Canvas& canvas, const Rect& r, double line, Rgb color) {
  canvas.fill({r.x - line, r.y - line, r.width + 2 * line, line}, color);
  canvas.fill({r.x - line, r.bottom(), r.width + 2 * line, line}, color);
  canvas.fill({r.x - line, r.y, line, r.height}, color);
  canvas.fill({r.right(), r.y, line, r.height}, color);
}

void draw_marked(Canvas& canvas, const Rect& cell, double line) {
  draw_edges(canvas, {cell.x - line, cell.y - line, cell.width + 2 * line, cell.height + 2 * line}, line,
             {0, 0, 0});
  draw_edges(canvas, cell, line, {255, 255, 255});
}

double title_room(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                  const ColorRange& range) {
  if (!grid.strips) return place.title.width;
  return place.map.width - before_ends * grid.title_size - pen.width(range_text(range), grid.tick_size);
}

void draw_axis_names(const FigurePen& pen, const GridLayout& grid) {
  pen.centered(pen.tr("Key"), grid.x_label, grid.label_size, pen.style.muted);
  pen.centered(pen.tr("Query"), grid.y_label, grid.label_size, pen.style.muted, true);
}

void FigurePanel::place_title(const std::vector<HeadLabel>& labels, int its_layer, int its_head) {
  layer = its_layer;
  head = its_head;
  const HeadLabel* const label = find_label(labels, layer, head);
  moved = label == nullptr ? LabelPlace{} : label->moved.value_or(LabelPlace{});
}

MeasureText FigurePen::measure(double size) const {
  return [this, size](std::string_view text) { return width(text, size); };
}

double FigurePen::widest(const std::vector<std::string>& texts, double size) const {
  double widest = 0;
  for (const std::string& text : texts) widest = std::max(widest, width(text, size));
  return widest;
}

std::string FigurePen::shortened(std::string_view text, double room, double size) const {
  return headscope::shortened(text, room, measure(size));
}

void FigurePen::text(std::string_view text, double x, double y, double size, Rgb color, Anchor anchor,
                     bool rotated) const {
  if (!text.empty()) canvas.text(text, x, y, {size, color, anchor, rotated});
}

void FigurePen::map(MapPicture picture, const Rect& rect) const {
  picture.masked = style.masked;
  canvas.map(picture, rect);
}

void FigurePen::vertical(std::string_view label, double x, double top, double size, double line,
                         Rgb color) const {
  double y = top + line / 2;
  for (const std::string& character : vertical_characters(label)) {
    text(character, x, y, size, color, Anchor::middle);
    y += line;
  }
}

void FigurePen::centered(std::string_view words, const Rect& rect, double size, Rgb color,
                         bool rotated) const {
  if (rect.width <= 0 || rect.height <= 0) return;
  // Text slightly wider than its map may extend beyond it on both sides.
  const double room = (rotated ? rect.height : rect.width) * 1.02;
  text(shortened(words, room, size), rect.x + rect.width / 2, rect.y + rect.height / 2, size, color,
       Anchor::middle, rotated);
}

void FigurePen::heading(std::string_view words, const Rect& room, double size, Rgb color) const {
  if (room.width <= 0 || room.height <= 0) return;
  const double smallest = std::max(0.6 * size, std::min(size, style.smallest));
  const double fitting = room.width / std::max(width(words, 1), 1e-9);
  const double fitted = std::clamp(fitting, smallest, size);
  text(fitting >= fitted ? words : shortened(words, room.width, fitted), room.x + room.width / 2,
       room.y + room.height / 2, fitted, color, Anchor::middle);
}

LayoutRequest layout_request(const FigurePen& pen, const View& view, const Rect& area, std::vector<int> heads,
                             const AxisTokens& tokens, std::span<const ColorRange> ranges) {
  LayoutRequest request;
  request.area = area;
  request.heads = std::move(heads);
  request.x_tokens = tokens.columns;
  request.y_tokens = tokens.rows;
  request.font_size = pen.style.font_size;
  request.smallest = pen.style.smallest;
  request.numbers = view.numbers == Numbers::automatic;
  request.measure = pen.measure(pen.style.font_size);
  request.named_bars = true;
  for (const ColorRange& range : ranges)
    for (const BarTick& tick : bar_ticks(range)) request.bar_values.push_back(tick.text);
  return request;
}

void draw_panel(const FigurePen& pen, const GridLayout& grid, PanelLayout place, const FigurePanel& panel) {
  if (place.map.width <= 0 || place.map.height <= 0) return;
  if (panel.framed)
    label_cell(place, panel.picture, *panel.tokens, panel.framed->first, panel.framed->second, grid.tick_line,
               pen.measure(grid.tick_size));
  draw_title(pen, grid, place, panel);
  // Viewers that round a picture's position leave a strip uncovered: the frame's colour shows there, not the
  // page's.
  if (pen.canvas.scales()) pen.canvas.fill(place.map, pen.style.border);
  pen.map(panel.picture, place.map);
  draw_frame(pen, place.map);
  if (panel.framed) draw_framed_cell(pen, grid, place, panel);
  if (place.numbers_fit) draw_numbers(pen, grid, place, panel.picture, panel.numbers);
  draw_empty_rows(pen, grid, place, panel);
  draw_marks(pen, panel.marks, panel.picture, place.map, grid.label_size);
  draw_x_axis(pen, grid, place, panel.framed ? panel.framed->second : -1);
  draw_y_axis(pen, grid, place, panel.framed ? panel.framed->first : -1);
  draw_color_bar(pen, grid, place.color_bar, *panel.picture.colors, panel.picture.range);
}

void draw_color_bar(const FigurePen& pen, const GridLayout& grid, const BarPlace& bar, const Colors& colors,
                    const ColorRange& range) {
  if (grid.strips && bar.width > 0) {
    draw_bar(pen.canvas, bar, range, colors, pen.style.border);
    return;
  }
  if (!grid.level_bars) return draw_color_bar(pen, bar, grid.label_size, colors, range);
  if (bar.width <= 0 || bar.height <= 0) return;
  const double size = grid.label_size;
  const LevelBar level =
      level_bar(bar, range, size, pen.measure(size), false, std::min(size, pen.style.smallest));
  constexpr int pieces = 128;
  // Each reaches to the end, under the next ones: no viewer shows gaps between them.
  for (int i = 0; i < pieces; ++i) {
    const double from = level.bar.x + level.bar.width * i / pieces;
    pen.canvas.fill({from, level.bar.y, level.bar.right() - from, level.bar.height},
                    colors[(2 * i + 1) * 128 / pieces]);
  }
  draw_frame(pen, level.bar);
  draw_bar_ends(pen.canvas, level.bar, level.below, level.above, colors, pen.style.border);
  const double line = pen.canvas.hairline();
  for (const BarTick& tick : level.ticks) {
    pen.canvas.fill({level.x_of(tick) - line / 2, level.bar.bottom(), line, 0.15 * size}, pen.style.border);
    pen.text(tick.text, level.text_x(tick, pen.width(tick.text, level.font_size)), level.text_y,
             level.font_size, pen.style.text, Anchor::middle);
  }
}

void draw_bar_name(const FigurePen& pen, const Rect& place, double size, std::string_view name) {
  if (place.height <= place.width) return pen.heading(name, place, size, pen.style.muted);
  const std::string fitting =
      bar_name_that_fits(name, place.height, [&](std::string_view text) { return pen.width(text, size); });
  pen.centered(pen.shortened(fitting, place.height, size), place, size, pen.style.muted, true);
}

std::string bar_name_that_fits(std::string_view name, double room, const MeasureText& measure) {
  constexpr std::string_view between = " · ";
  const std::size_t first = name.find(between), last = name.rfind(between);
  if (measure(name) <= room || first == std::string_view::npos) return std::string(name);
  // Next to a short bar, without the rule of its ends.
  const std::string without = std::string(name.substr(0, first)) + std::string(name.substr(last));
  if (first != last && measure(without) <= room) return without;
  return std::string(name.substr(0, first));
}

namespace {

/// "a" of the first of several maps; empty: there are more than letters.
std::string letter_of(const GridLayout& grid, const PanelLayout& place) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  const std::size_t index = &place - grid.panels.data();
  return grid.panels.size() < 2 || index >= letters.size() ? "" : std::string(letters.substr(index, 1));
}

}  // namespace

std::string bold_letter(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place) {
  return pen.extras.letters == Letters::bold ? letter_of(grid, place) : "";
}

std::string lettered(const FigurePen& pen, const GridLayout& grid, const PanelLayout& place,
                     const std::string& title) {
  const std::string letter = pen.extras.letters == Letters::parentheses ? letter_of(grid, place) : "";
  return letter.empty() ? title : "(" + letter + ") " + title;
}

std::span<const EnumName<Letters>> enum_names(Letters) {
  static constexpr EnumName<Letters> names[] = {{Letters::none, "none", TR("None")},
                                                {Letters::parentheses, "parentheses", "(a), (b)"},
                                                {Letters::bold, "bold", TR("a, b in bold")}};
  return names;
}

void draw_color_bar(const FigurePen& pen, const BarPlace& place, double size, const Colors& colors,
                    const ColorRange& range) {
  if (place.width <= 0 || place.height <= 0) return;
  const Rect bar = draw_bar(pen.canvas, place, range, colors, pen.style.border);
  draw_frame(pen, bar);
  // On a short bar they get smaller rather than touch.
  const double text = std::min(size, 0.45 * bar.height), line = pen.canvas.hairline();
  const auto y_of = [&](const BarTick& tick) { return bar.bottom() - tick.position * bar.height; };
  const auto text_y = [&](const BarTick& tick) {
    return std::clamp(y_of(tick), bar.y + 0.5 * text, bar.bottom() - 0.5 * text);
  };
  const auto fits = [&](const std::vector<BarTick>& ticks) {
    for (std::size_t i = 1; i < ticks.size(); ++i)
      if (text_y(ticks[i - 1]) - text_y(ticks[i]) < 1.05 * text) return false;
    return true;
  };
  for (const BarTick& tick : fitting_ticks(range, fits)) {
    pen.canvas.fill({bar.right(), y_of(tick) - line / 2, 0.7 * (place.values.x - bar.right()), line},
                    pen.style.border);
    pen.text(tick.text, place.values.x, text_y(tick), text, pen.style.text, Anchor::start);
  }
}

}  // namespace headscope

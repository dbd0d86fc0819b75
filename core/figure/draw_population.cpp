#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/population.h"
#include "core/figure/draw_parts.h"
#include "core/session/labels.h"

namespace headscope {
namespace {

using Row = HeadRow;

/// What a full bar of the column stands for.
double full_bar(const HeadColumn& column, const std::vector<Row>& rows) {
  double high = column.high;
  if (high <= 0)
    for (const Row& row : rows) high = std::max(high, column.value(*row.statistics).value_or(0));
  return high > 0 ? high : 1;
}

/// `share` of the way from a to b.
Rgb mixed(Rgb a, Rgb b, double share) {
  const auto mix = [share](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + share * (y - x)));
  };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

/// The table's place: a name and a column for each number, all of one height; in points.
struct Table {
  double x = 0, y = 0, names = 0, column = 0, line = 0, size = 0;
};

Table place_table(const FigurePen& pen, const Rect& area, std::size_t rows,
                  const std::vector<std::string>& names) {
  Table t;
  t.line = std::min(area.height / static_cast<double>(rows + 1), 2 * pen.style.font_size);
  t.size = std::min(pen.style.font_size, t.line / 1.25);
  for (const std::string& name : names) t.names = std::max(t.names, pen.shaper.width(name, t.size));
  t.names = std::min(t.names + 3 * t.size, 0.3 * area.width);
  const auto columns = static_cast<double>(head_columns().size());
  t.column = std::min((area.width - t.names) / columns, 12 * t.size);
  t.x = area.x + (area.width - t.names - columns * t.column) / 2;
  t.y = area.y + std::max(0.0, (area.height - t.line * static_cast<double>(rows + 1)) / 2);
  return t;
}

void draw_row(const FigurePen& pen, const Table& t, double y, const Row& row, const std::vector<double>& full,
              Rgb color) {
  const Rgb bar = mixed(pen.style.background, color, 0.4);
  double x = t.x + t.names;
  for (std::size_t c = 0; c < full.size(); ++c, x += t.column) {
    const auto value = head_columns()[c].value(*row.statistics);
    const double width = value ? std::clamp(*value / full[c], 0.0, 1.0) * (t.column - t.size) : 0;
    if (width > 0) pen.canvas.fill({x, y + 0.1 * t.line, width, 0.8 * t.line}, bar);
    pen.text(value ? fmt::format("{:.3f}", *value) : "–", x + 0.3 * t.size, y + t.line / 2, t.size,
             pen.style.text, Anchor::start);
  }
}

}  // namespace

void draw_population(const FigurePen& pen, const Trace& trace, const Session& session, const Rect& area) {
  const auto alike = session.view.sort == "similarity" ? head_similarity(trace) : nullptr;
  const std::vector<Row> rows = sorted_rows(trace, session.view, session.labels, alike.get());
  std::vector<std::string> names;
  for (const Row& row : rows) {
    const std::string head = head_title(pen.tr, session, row.layer, row.head);
    names.push_back(trace.inputs.layers > 1 ? pen.tr.format("Layer {}", row.layer + 1) + " · " + head : head);
  }
  std::vector<double> full;
  for (const HeadColumn& column : head_columns()) full.push_back(full_bar(column, rows));
  const Table t = place_table(pen, area, rows.size(), names);
  for (std::size_t c = 0; c < full.size(); ++c)
    pen.heading(pen.tr(head_columns()[c].title),
                {t.x + t.names + static_cast<double>(c) * t.column, t.y, t.column - 0.5 * t.size, t.line},
                t.size, pen.style.quiet);
  const auto fits = [&](std::string_view text) { return pen.shaper.width(text, t.size); };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = t.y + t.line * static_cast<double>(i + 1), side = 0.7 * t.size;
    const Rgb color = labelled_color(session.labels, rows[i].layer, rows[i].head, trace.inputs.heads);
    pen.canvas.fill({t.x, y + (t.line - side) / 2, side, side}, color);
    pen.text(shortened(names[i], t.names - 2 * t.size, fits), t.x + 1.4 * side, y + t.line / 2, t.size,
             pen.style.text, Anchor::start);
    draw_row(pen, t, y, rows[i], full, color);
  }
}

}  // namespace headscope

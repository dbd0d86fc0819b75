#include "core/figure/boards/line_chart.h"

#include <algorithm>
#include <cmath>

#include "core/figure/boards/board_column.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// Maps numbers to positions.
struct ChartAxes {
  Rect area;
  double low_x, high_x, low_y, high_y;
  static double share(double value, double low, double high) {
    return std::log(value / low) / std::log(high / low);
  }
  double x(double value) const { return area.x + area.width * share(value, low_x, high_x); }
  double y(double value) const { return area.bottom() - area.height * share(value, low_y, high_y); }
};

/// Whole powers of ten around all values.
void set_range(const LineChart& chart, ChartAxes& axes) {
  double low = INFINITY, high = 0;
  for (const auto& series : chart.series)
    for (const double x : {chart.low, chart.high})
      low = std::min(low, series.value(x)), high = std::max(high, series.value(x));
  axes.low_y = std::pow(10, std::floor(std::log10(low)));
  axes.high_y = std::pow(10, std::ceil(std::log10(high)));
  if (axes.high_y <= axes.low_y) axes.high_y = 10 * axes.low_y;
}

struct ChartPen {
  Board& board;
  const BoardStyle& style;
  double small;  ///< size of the axes' text
  double thin() const { return 0.07 * style.font_size; }
  void text(std::string text, double x, double y, Rgb color, Anchor anchor) const {
    board.texts.push_back({std::move(text), x, y, {small, color, anchor}});
  }
  void line(double x0, double y0, double x1, double y1, Rgb color, double width, double opacity = 1) const {
    board.lines.push_back({x0, y0, x1, y1, width, color, opacity});
  }
};

void draw_axes(const ChartPen& pen, const LineChart& chart, const ChartAxes& axes) {
  const Rect& area = axes.area;
  const double decades = std::log10(axes.high_y / axes.low_y);
  const double rows = std::max(1.0, area.height / (1.4 * pen.small));
  const double step = std::pow(10, std::max(1.0, std::ceil(decades / rows)));
  for (double y = axes.low_y; y <= axes.high_y * 1.01; y *= step) {
    pen.line(area.x, axes.y(y), area.right(), axes.y(y), pen.style.border, pen.thin(), 0.35);
    pen.text(short_count(y), area.x - 0.4 * pen.small, axes.y(y), pen.style.muted, Anchor::end);
  }
  // Powers of two, spaced by the width of their numbers.
  const double twos = std::log2(chart.high / chart.low),
               places = std::max(1.0, area.width / (3.2 * pen.small));
  const double apart = std::pow(2, std::max(1.0, std::ceil(twos / places)));
  for (double x = chart.low; x <= chart.high * 1.01; x *= apart) {
    pen.line(axes.x(x), area.bottom(), axes.x(x), area.bottom() + 0.25 * pen.small, pen.style.border,
             pen.thin());
    pen.text(printed_count(x), axes.x(x), area.bottom() + 0.9 * pen.small, pen.style.muted, Anchor::middle);
  }
  pen.line(area.x, area.bottom(), area.right(), area.bottom(), pen.style.border, pen.thin());
  pen.line(area.x, area.y, area.x, area.bottom(), pen.style.border, pen.thin());
}

void draw_series(const ChartPen& pen, const LineChart& chart, const ChartAxes& axes) {
  constexpr int steps = 24;
  const double width = 0.12 * pen.style.font_size;
  const bool marked = chart.present >= chart.low && chart.present <= chart.high;
  for (const auto& series : chart.series) {
    const auto x_at = [&](int i) {
      return chart.low * std::pow(chart.high / chart.low, static_cast<double>(i) / steps);
    };
    for (int i = 0; i < steps; ++i)
      pen.line(axes.x(x_at(i)), axes.y(series.value(x_at(i))), axes.x(x_at(i + 1)),
               axes.y(series.value(x_at(i + 1))), series.color, width);
    if (!marked) continue;
    const double side = 0.45 * pen.style.font_size, x = axes.x(chart.present),
                 y = axes.y(series.value(chart.present));
    pen.board.fills.push_back({{x - side / 2, y - side / 2, side, side}, series.color});
  }
  if (!marked) return;
  const double x = axes.x(chart.present), y = axes.area.y - 0.65 * pen.small;
  pen.line(x, axes.area.y, x, axes.area.bottom(), pen.style.text, pen.thin(), 0.5);
  const std::string label = chart.variable + " = " + printed_count(chart.present);
  const double half = pen.style.measure(label, pen.small) / 2;
  pen.text(label, std::clamp(x, axes.area.x + half, axes.area.right() - half), y, pen.style.text,
           Anchor::middle);
}

}  // namespace

Board chart_board(const LineChart& chart, const BoardStyle& style, double width) {
  Board board;
  board.width = width;
  const double size = style.font_size, small = style.sized(0.85);
  double y = 0;
  for (const std::string& line : wrapped(chart.title, width, size, style.measure)) {
    board.texts.push_back({line, 0, y + 0.75 * size, {size, style.text}});
    y += 1.5 * size;
  }
  const ChartPen pen{board, style, small};
  for (const auto& series : chart.series) {
    pen.line(0, y + 0.65 * small, 1.2 * size, y + 0.65 * small, series.color, 0.15 * size);
    double line = y;
    for (const std::string& text : wrapped(series.name, width - 1.6 * size, small, style.measure)) {
      pen.text(text, 1.6 * size, line + 0.65 * small, style.muted, Anchor::start);
      line += 1.3 * small;
    }
    y = line;
  }
  y += 1.5 * small;  // the current size is written there
  ChartAxes axes{{}, chart.low, chart.high, 1, 10};
  set_range(chart, axes);
  const double left = style.measure("100M", small) + 0.6 * small;  // as wide as any
  const double end = style.measure(printed_count(chart.high), small) / 2;
  // On a projector it fits on one page with its legend.
  const double height = (style.minimum > 0 ? 7.5 : 9) * size;
  axes.area = {left, y, std::max(1.0, width - left - end), height};
  draw_axes(pen, chart, axes);
  draw_series(pen, chart, axes);
  y += axes.area.height + 1.6 * small;
  pen.text(chart.variable, axes.area.x + axes.area.width / 2, y + 0.6 * small, style.muted, Anchor::middle);
  board.height = y + 1.3 * small;
  board.wholes.push_back({0, 0, width, board.height});
  return board;
}

}  // namespace headscope

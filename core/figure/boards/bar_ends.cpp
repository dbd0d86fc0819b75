#include "core/figure/boards/bar_ends.h"

#include <algorithm>

namespace headscope {
namespace {

bool is_upright(const Rect& bar) {
  return bar.height > bar.width;
}

double triangle_length(const Rect& bar) {
  return std::min(bar.width, bar.height);
}

/// From the middle of its base to its tip, one of which is 0.
struct Tip {
  double x = 0, y = 0, along_x = 0, along_y = 0, half = 0;
};

Tip tip_of(const Rect& bar, bool high) {
  const double length = triangle_length(bar), half = length / 2;
  if (is_upright(bar)) return {bar.x + half, high ? bar.y : bar.bottom(), 0, high ? -length : length, half};
  return {high ? bar.right() : bar.x, bar.y + half, high ? length : -length, 0, half};
}

/// In pieces that all begin at the base, so that no viewer shows gaps between them.
void add_triangle(BarEnds& ends, const Tip& tip, Rgb color) {
  constexpr int pieces = 16;
  for (int i = 0; i < pieces; ++i) {
    const double half = tip.half * (1 - (i + 0.5) / pieces), share = (i + 1.0) / pieces;
    const double to_x = tip.x + share * tip.along_x, to_y = tip.y + share * tip.along_y;
    const bool upright = tip.along_x == 0;
    ends.fills.push_back({upright
                              ? Rect{tip.x - half, std::min(tip.y, to_y), 2 * half, std::abs(to_y - tip.y)}
                              : Rect{std::min(tip.x, to_x), tip.y - half, std::abs(to_x - tip.x), 2 * half},
                          color});
  }
  for (const double side : {-tip.half, tip.half})
    ends.lines.push_back({tip.x + (tip.along_x == 0 ? side : 0), tip.y + (tip.along_y == 0 ? side : 0),
                          tip.x + tip.along_x, tip.y + tip.along_y});
}

}  // namespace

Rect bar_between(const Rect& bar, bool below, bool above) {
  const double length = triangle_length(bar), taken = length * (below + above);
  if (is_upright(bar)) return {bar.x, bar.y + length * above, bar.width, std::max(0.0, bar.height - taken)};
  return {bar.x + length * below, bar.y, std::max(0.0, bar.width - taken), bar.height};
}

BarEnds bar_ends(const Rect& between, bool below, bool above, const Colors& colors) {
  BarEnds ends;
  if (below) add_triangle(ends, tip_of(between, false), colors.front());
  if (above) add_triangle(ends, tip_of(between, true), colors.back());
  return ends;
}

void draw_bar_ends(Canvas& canvas, const Rect& between, bool below, bool above, const Colors& colors,
                   Rgb border) {
  const BarEnds ends = bar_ends(between, below, above, colors);
  for (const BarEnds::Fill& fill : ends.fills) canvas.fill(fill.rect, fill.color);
  for (const BarEnds::Line& line : ends.lines)
    canvas.line(line.x0, line.y0, line.x1, line.y1, canvas.hairline(), border, 1);
}

Rect draw_bar(Canvas& canvas, const Rect& bar, const ColorRange& range, const Colors& colors, Rgb border) {
  const Rect between = bar_between(bar, range.below, range.above);
  canvas.color_bar(colors, between);
  draw_bar_ends(canvas, between, range.below, range.above, colors, border);
  return between;
}

}  // namespace headscope

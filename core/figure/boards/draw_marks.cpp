#include "core/figure/boards/draw_marks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/utf8.h"
#include "core/figure/boards/draw_panel.h"

namespace headscope {
namespace {

// The light line around it keeps it apart from the dark end of every colormap.
constexpr Rgb ink{0xe0, 0x10, 0x60}, around{0xff, 0xff, 0xff};

/// The first and the last place of the tokens of `range`; `place` of a token that is left out is -1.
template <typename Place>
std::optional<std::pair<int, int>> places(const std::optional<TokenRange>& range, Index tokens, Index shown,
                                          const Place& place) {
  if (shown == 0) return {};
  if (!range) return std::pair(0, static_cast<int>(shown) - 1);
  if (range->end > tokens) return {};
  int first = range->begin, last = range->end - 1;
  while (first <= last && place(first) < 0) ++first;
  while (first <= last && place(last) < 0) --last;
  if (first > last) return {};
  return std::pair(place(first), place(last));
}

/// `rows` and `columns`: places() along either axis.
template <typename Rows, typename Columns>
std::vector<PlacedMark> placed(std::span<const Mark> marks, int layer, int head, const Rows& rows,
                               const Columns& columns) {
  std::vector<PlacedMark> found;
  for (const Mark& mark : marks) {
    if (!mark.is_in(layer, head)) continue;
    const auto across = rows(mark.queries), down = columns(mark.keys);
    if (across && down)
      found.push_back({mark.kind, across->first, across->second, down->first, down->second, mark.text});
  }
  return found;
}

/// A text on a ground of the marks' colour that stays inside the map; `x` is where it begins if there is
/// room.
void draw_label(const FigurePen& pen, const std::string& text, double x, double top, const Rect& map,
                double size) {
  const double side = 0.3 * size, height = 1.4 * size;
  const std::string shown = pen.shortened(printable(text), map.width - 2 * side, size);
  const double width = pen.width(shown, size) + 2 * side;
  if (shown.empty() || width > map.width || height > map.height) return;
  const Rect ground{std::clamp(x, map.x, map.right() - width), std::clamp(top, map.y, map.bottom() - height),
                    width, height};
  pen.canvas.fill(ground, ink);
  pen.text(shown, ground.x + side, ground.y + height / 2, size, around, Anchor::start);
}

void draw_box(const FigurePen& pen, const Rect& cells, const std::string& text, const Rect& map, double size,
              double line) {
  draw_edges(pen.canvas, {cells.x - line, cells.y - line, cells.width + 2 * line, cells.height + 2 * line},
             0.6 * line, around);
  draw_edges(pen.canvas, cells, line, ink);
  if (text.empty()) return;
  const double height = 1.4 * size, gap = 1.6 * line;
  const bool above = cells.y - gap - height >= map.y;
  draw_label(pen, text, cells.x, above ? cells.y - gap - height : cells.bottom() + gap, map, size);
}

/// It comes from where the map has more room.
void draw_arrow(const FigurePen& pen, const Rect& cells, const std::string& text, const Rect& map,
                double size, double line) {
  constexpr double into = 0.4;  // so that the tip is in the cell, and its number is not covered
  const double x = cells.x + cells.width / 2, y = cells.y + cells.height / 2;
  const double right = x < map.x + map.width / 2 ? 1 : -1, down = y < map.y + map.height / 2 ? 1 : -1;
  const double tip_x = x + right * into * cells.width, tip_y = y + down * into * cells.height;
  const double length = std::min({2.2 * size, 0.45 * map.width, 0.45 * map.height});
  const double end_x = tip_x + right * length, end_y = tip_y + down * length;
  const double barb = 0.4 * length;
  for (const auto& [color, width] : {std::pair{around, 2.4 * line}, {ink, 1.3 * line}}) {
    pen.canvas.line(end_x, end_y, tip_x, tip_y, width, color, 1);
    pen.canvas.line(tip_x + right * barb, tip_y, tip_x, tip_y, width, color, 1);
    pen.canvas.line(tip_x, tip_y + down * barb, tip_x, tip_y, width, color, 1);
  }
  if (text.empty()) return;
  const double width = pen.width(text, size);
  draw_label(pen, text, right > 0 ? end_x - size : end_x + size - width,
             down > 0 ? end_y : end_y - 1.4 * size, map, size);
}

}  // namespace

std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const FilteredLayer& shown, int head) {
  const BlockTrace& block = shown.block->single ? *shown.block->single : *shown.block;
  // A pooled block's tokens are the first of each row or column.
  const auto of = [](const std::vector<int>& pooled, int token) {
    return static_cast<int>(std::ranges::upper_bound(pooled, token) - pooled.begin()) - 1;
  };
  const bool pooled = shown.block->pooled() && !shown.part;
  return placed(
      marks, shown.layer, head,
      [&](const std::optional<TokenRange>& range) {
        return places(range, block.n_q(), shown.n_q(),
                      [&](int token) { return pooled ? of(shown.queries, token) : shown.row(token); });
      },
      [&](const std::optional<TokenRange>& range) {
        return places(range, block.n_k(), shown.n_k(),
                      [&](int token) { return pooled ? of(shown.keys, token) : shown.column(token); });
      });
}

std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const BlockTrace& block,
                                     const Thumbnails::Layer& small, int layer, int head) {
  if (small.n_q != block.n_q() || small.n_k != block.n_k()) return {};
  const auto along = [](Index tokens) {
    return [tokens](const std::optional<TokenRange>& range) {
      return places(range, tokens, tokens, [](int token) { return token; });
    };
  };
  return placed(marks, layer, head, along(block.n_q()), along(block.n_k()));
}

std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const Comparison& compared, int head) {
  const BlockTrace& block = *compared.shown_a->block;
  const auto place = [](const CommonAxis& axis, int token) {
    const auto found = std::ranges::find(axis.tokens, token, &AlignedToken::a);
    return found == axis.tokens.end() ? -1 : static_cast<int>(found - axis.tokens.begin());
  };
  return placed(
      marks, compared.shown_a->layer, head,
      [&](const std::optional<TokenRange>& range) {
        return places(range, block.n_q(), compared.rows(),
                      [&](int token) { return place(compared.queries, token); });
      },
      [&](const std::optional<TokenRange>& range) {
        return places(range, block.n_k(), compared.columns(),
                      [&](int token) { return place(compared.keys, token); });
      });
}

void draw_marks(const FigurePen& pen, std::span<const PlacedMark> marks, const CellPart& part,
                const Rect& map, double size) {
  const double line = std::max(0.14 * size, pen.canvas.hairline());
  const double across = map.width / (part.key_end - part.key_begin),
               down = map.height / (part.query_end - part.query_begin);
  for (const PlacedMark& mark : marks) {
    const double left = std::max<double>(mark.first_column, part.key_begin),
                 right = std::min<double>(mark.last_column + 1, part.key_end),
                 top = std::max<double>(mark.first_row, part.query_begin),
                 bottom = std::min<double>(mark.last_row + 1, part.query_end);
    if (left >= right || top >= bottom) continue;
    const Rect cells =
        pen.canvas.snapped({map.x + (left - part.key_begin) * across, map.y + (top - part.query_begin) * down,
                            (right - left) * across, (bottom - top) * down});
    (mark.kind == MarkKind::box ? draw_box : draw_arrow)(pen, cells, mark.text, map, size, line);
  }
}

}  // namespace headscope

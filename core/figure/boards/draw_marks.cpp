#include "core/figure/boards/draw_marks.h"

#include <algorithm>
#include <cmath>
#include <functional>
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

/// The cells of a map as shown.
struct ShownCellsOf {
  Index rows = 0, columns = 0;
  std::function<float(Index row, Index column)> weight;
};

PlacedMark placed_mark(const Mark& mark, const MarkedCells& cells, const ShownCellsOf& map) {
  PlacedMark found{cells, mark.kind, mark.text, {}};
  found.rows = map.rows;
  found.columns = map.columns;
  if (mark.place)
    found.label = LabelPlace{mark.place->x * static_cast<double>(map.columns),
                             mark.place->y * static_cast<double>(map.rows)};
  else
    found.side = label_side(mark.kind, cells, mark.text, map.rows, map.columns, map.weight);
  return found;
}

/// `rows` and `columns`: places() along either axis.
template <typename Rows, typename Columns>
std::vector<PlacedMark> placed(std::span<const Mark> marks, int layer, int head, const Rows& rows,
                               const Columns& columns, const ShownCellsOf& map) {
  std::vector<PlacedMark> found;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i].is_in(layer, head)) continue;
    const auto across = rows(marks[i].queries), down = columns(marks[i].keys);
    if (!across || !down) continue;
    found.push_back(placed_mark(marks[i], {across->first, across->second, down->first, down->second}, map));
    found.back().mark = i;
  }
  return found;
}

/// `weights`: nullptr where the map has not been read.
ShownCellsOf weights_of_map(const float* weights, Index rows, Index columns) {
  return {rows, columns,
          [=](Index row, Index column) { return weights == nullptr ? 0 : weights[row * columns + column]; }};
}

/// Of A where it has the cell.
ShownCellsOf weights_of_a(const Comparison& compared, int head) {
  return {compared.rows(), compared.columns(), [&compared, head](Index row, Index column) {
            const FilteredLayer& a = *compared.shown_a;
            const int own_row = compared.queries.a[row], own_column = compared.keys.a[column];
            const float* const weights = a.weights(head);
            return own_row < 0 || own_column < 0 || weights == nullptr
                       ? 0
                       : weights[own_row * a.n_k() + own_column];
          }};
}

/// What a mark is drawn on; sizes in points.
struct MarkedMap {
  const FigurePen& pen;
  const CellPart& part;
  Rect place;
  double size, line;  // of text and of strokes

  double column() const { return place.width / (part.key_end - part.key_begin); }
  double row() const { return place.height / (part.query_end - part.query_begin); }
  double x(double at) const { return place.x + (at - part.key_begin) * column(); }
  double y(double at) const { return place.y + (at - part.query_begin) * row(); }
  /// Notes where a part of a mark is, for those who drag it.
  void note(FigureHandle::Of of, const PlacedMark& mark, const Rect& at) const {
    if (pen.findings == nullptr) return;
    const Rect whole{x(0), y(0), static_cast<double>(mark.columns) * column(),
                     static_cast<double>(mark.rows) * row()};
    pen.findings->handles.push_back({of, mark.mark, -1, -1, at, whole, column(), row()});
  }
};

/// The ground of a text that stays inside the map; `wanted`: with the height of a line, as wide as it likes.
struct MarkText {
  std::string text;
  Rect ground;
  explicit operator bool() const { return ground.width > 0; }
};

double mark_text_height(const MarkedMap& map) {
  return 1.4 * map.size;
}

/// `place` of the ground of that width and height gives its corner.
template <typename Place>
MarkText mark_text(const MarkedMap& map, const std::string& text, const Place& place) {
  const double side = 0.3 * map.size, height = mark_text_height(map);
  const std::string shown = map.pen.shortened(printable(text), map.place.width - 2 * side, map.size);
  const double width = map.pen.width(shown, map.size) + 2 * side;
  if (shown.empty() || width > map.place.width || height > map.place.height) return {};
  const auto [x, y] = place(width, height);
  return {shown,
          {std::clamp(x, map.place.x, map.place.right() - width),
           std::clamp(y, map.place.y, map.place.bottom() - height), width, height}};
}

MarkText moved_text(const MarkedMap& map, const PlacedMark& mark) {
  return mark_text(map, mark.text, [&](double width, double height) {
    return std::pair(map.x(mark.label->x) - width / 2, map.y(mark.label->y) - height / 2);
  });
}

void draw_text(const MarkedMap& map, const PlacedMark& mark, const MarkText& text) {
  if (!text) return;
  map.pen.canvas.fill(text.ground, ink);
  map.pen.text(text.text, text.ground.x + 0.3 * map.size, text.ground.y + text.ground.height / 2, map.size,
               around, Anchor::start);
  map.note(FigureHandle::Of::label, mark, text.ground);
}

MarkText text_of_box(const MarkedMap& map, const PlacedMark& mark, const Rect& cells) {
  if (mark.label) return moved_text(map, mark);
  const double gap = 1.6 * map.line;
  const LabelSide side = mark.side;
  return mark_text(map, mark.text, [&](double width, double height) {
    if (side.down == 0)
      return std::pair(side.across > 0 ? cells.right() + gap : cells.x - gap - width,
                       cells.y + (cells.height - height) / 2);
    return std::pair(side.across > 0 ? cells.right() - width : cells.x,
                     side.down < 0 ? cells.y - gap - height : cells.bottom() + gap);
  });
}

void draw_box(const MarkedMap& map, const PlacedMark& mark, const Rect& cells) {
  const double line = map.line;
  draw_edges(map.pen.canvas,
             {cells.x - line, cells.y - line, cells.width + 2 * line, cells.height + 2 * line}, 0.6 * line,
             around);
  draw_edges(map.pen.canvas, cells, line, ink);
  draw_text(map, mark, text_of_box(map, mark, cells));
}

/// From its tail to its tip.
struct ArrowLine {
  double x = 0, y = 0, tip_x = 0, tip_y = 0;
};

/// The tip is in the cell so that its number is not covered.
ArrowLine arrow_line(const MarkedMap& map, const Rect& cells, double towards_x, double towards_y,
                     double length) {
  constexpr double into = 0.4;
  const double tip_x = cells.x + cells.width / 2 + towards_x * into * cells.width,
               tip_y = cells.y + cells.height / 2 + towards_y * into * cells.height;
  const double x = tip_x + towards_x * length, y = tip_y + towards_y * length;
  return {std::clamp(x, map.place.x, map.place.right()), std::clamp(y, map.place.y, map.place.bottom()),
          tip_x, tip_y};
}

void stroke_arrow(const MarkedMap& map, const ArrowLine& arrow, double barb) {
  const double dx = arrow.x - arrow.tip_x, dy = arrow.y - arrow.tip_y, length = std::hypot(dx, dy);
  if (length <= 0) return;
  // Half a right angle to either side.
  const double turn = std::sqrt(0.5) * barb / length;
  for (const auto& stroke : {std::pair{around, 2.4 * map.line}, {ink, 1.3 * map.line}}) {
    const auto to_tip = [&](double x, double y) {
      map.pen.canvas.line(x, y, arrow.tip_x, arrow.tip_y, stroke.second, stroke.first, 1);
    };
    to_tip(arrow.x, arrow.y);
    to_tip(arrow.tip_x + turn * (dx + dy), arrow.tip_y + turn * (dy - dx));
    to_tip(arrow.tip_x + turn * (dx - dy), arrow.tip_y + turn * (dy + dx));
  }
}

void draw_arrow(const MarkedMap& map, const PlacedMark& mark, const Rect& cells) {
  const double length = arrow_length * std::min(map.place.width, map.place.height);
  const double barb = 0.4 * std::min(length, 2.2 * map.size);
  if (mark.label) {
    const MarkText text = moved_text(map, mark);
    const double x = text ? text.ground.x + text.ground.width / 2 : map.x(mark.label->x),
                 y = text ? text.ground.y + text.ground.height / 2 : map.y(mark.label->y);
    const double dx = x - (cells.x + cells.width / 2), dy = y - (cells.y + cells.height / 2),
                 farther = std::max({std::abs(dx), std::abs(dy), 1e-9});
    ArrowLine arrow = arrow_line(map, cells, dx / farther, dy / farther, 0);
    arrow.x = x;
    arrow.y = y;
    stroke_arrow(map, arrow, barb);
    return draw_text(map, mark, text);
  }
  const LabelSide side = mark.side;
  const ArrowLine arrow = arrow_line(map, cells, side.across, side.down, length);
  stroke_arrow(map, arrow, barb);
  draw_text(map, mark, mark_text(map, mark.text, [&](double width, double height) {
              return std::pair(side.across > 0 ? arrow.x - height / 2 : arrow.x + height / 2 - width,
                               side.down > 0 ? arrow.y : arrow.y - height);
            }));
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
      },
      weights_of_map(shown.weights(head), shown.n_q(), shown.n_k()));
}

std::vector<PlacedMark> placed_marks(std::span<const Mark> marks, const BlockTrace& block,
                                     const Thumbnails::Layer& small, int layer, int head) {
  if (small.n_q != block.n_q() || small.n_k != block.n_k()) return {};
  const auto along = [](Index tokens) {
    return [tokens](const std::optional<TokenRange>& range) {
      return places(range, tokens, tokens, [](int token) { return token; });
    };
  };
  const float* const weights = small.weights.data() + head * small.n_q * small.n_k;
  return placed(marks, layer, head, along(block.n_q()), along(block.n_k()),
                weights_of_map(weights, small.n_q, small.n_k));
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
      },
      weights_of_a(compared, head));
}

void draw_marks(const FigurePen& pen, std::span<const PlacedMark> marks, const CellPart& part,
                const Rect& place, double size) {
  const MarkedMap map{pen, part, place, size, std::max(0.14 * size, pen.canvas.hairline())};
  for (const PlacedMark& mark : marks) {
    const double left = std::max<double>(mark.first_column, part.key_begin),
                 right = std::min<double>(mark.last_column + 1, part.key_end),
                 top = std::max<double>(mark.first_row, part.query_begin),
                 bottom = std::min<double>(mark.last_row + 1, part.query_end);
    if (left >= right || top >= bottom) continue;
    const Rect cells = pen.canvas.snapped(
        {map.x(left), map.y(top), (right - left) * map.column(), (bottom - top) * map.row()});
    map.note(FigureHandle::Of::mark, mark, cells);
    (mark.kind == MarkKind::box ? draw_box : draw_arrow)(map, mark, cells);
  }
}

}  // namespace headscope

#include "core/figure/boards/mark_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/figure/boards/vertical_text.h"
#include "core/figure/canvas/rect.h"

namespace headscope {
namespace {

// Of a text as in a usual figure, in shares of the map.
constexpr double label_high = 0.11, label_edges = 0.03, of_letter = 0.045, widest_label = 0.9,
                 label_gap = 0.02;

/// In shares of the map.
struct Sides {
  MarkKind kind;
  Rect cells;
  double width;  // of the text

  Rect of_box(LabelSide side) const {
    if (side.down == 0)
      return {side.across > 0 ? cells.right() + label_gap : cells.x - label_gap - width,
              cells.y + (cells.height - label_high) / 2, width, label_high};
    return {side.across > 0 ? cells.right() - width : cells.x,
            side.down < 0 ? cells.y - label_gap - label_high : cells.bottom() + label_gap, width, label_high};
  }
  Rect of_arrow(LabelSide side) const {
    const double x = cells.x + cells.width / 2 + side.across * arrow_length,
                 y = cells.y + cells.height / 2 + side.down * arrow_length;
    return {side.across > 0 ? x - label_high / 2 : x + label_high / 2 - width,
            side.down > 0 ? y : y - label_high, width, label_high};
  }
  Rect place(LabelSide side) const { return kind == MarkKind::box ? of_box(side) : of_arrow(side); }
};

bool is_inside(const Rect& place) {
  constexpr double rounding = 1e-9;
  return place.x >= -rounding && place.y >= -rounding && place.right() <= 1 + rounding &&
         place.bottom() <= 1 + rounding;
}

/// The largest weight below a place; of many cells a sample.
float covered(const Rect& place, Index rows, Index columns,
              const std::function<float(Index row, Index column)>& weight) {
  constexpr double samples = 24;
  const auto n_q = static_cast<double>(rows), n_k = static_cast<double>(columns);
  const double down = std::max(1.0, place.height * n_q / samples),
               across = std::max(1.0, place.width * n_k / samples);
  float largest = 0;
  for (double row = std::floor(place.y * n_q); row < place.bottom() * n_q && row < n_q; row += down)
    for (double column = std::floor(place.x * n_k); column < place.right() * n_k && column < n_k;
         column += across)
      largest = std::max(largest, std::abs(weight(static_cast<Index>(row), static_cast<Index>(column))));
  return largest;
}

constexpr std::array<LabelSide, 6> around_box{{{0, -1}, {0, 1}, {1, -1}, {1, 1}, {1, 0}, {-1, 0}}};

/// The first comes from where the map has most room.
std::array<LabelSide, 4> around_arrow(const Rect& cells) {
  const int right = cells.x + cells.width / 2 < 0.5 ? 1 : -1,
            down = cells.y + cells.height / 2 < 0.5 ? 1 : -1;
  return {{{right, down}, {right, -down}, {-right, down}, {-right, -down}}};
}

}  // namespace

LabelSide label_side(MarkKind kind, const MarkedCells& cells, std::string_view text, Index rows,
                     Index columns, const std::function<float(Index row, Index column)>& weight) {
  constexpr float better = 0.8F;  // a side further down the list covers this much less
  const auto n_q = static_cast<double>(rows), n_k = static_cast<double>(columns);
  const auto letters = static_cast<double>(character_starts(text).size() - 1);
  const Sides sides{
      kind,
      {cells.first_column / n_k, cells.first_row / n_q, (cells.last_column + 1 - cells.first_column) / n_k,
       (cells.last_row + 1 - cells.first_row) / n_q},
      std::min(widest_label, label_edges + of_letter * letters)};
  const std::array<LabelSide, 4> of_arrow = around_arrow(sides.cells);
  const std::span<const LabelSide> list =
      kind == MarkKind::box ? std::span<const LabelSide>(around_box) : of_arrow;
  std::optional<LabelSide> best;
  float least = 0;
  for (const LabelSide side : list) {
    const Rect place = sides.place(side);
    if (!is_inside(place)) continue;
    const float cost = covered(place, rows, columns, weight);
    if (best && cost >= better * least) continue;
    best = side;
    least = cost;
  }
  return best.value_or(list.front());
}

}  // namespace headscope

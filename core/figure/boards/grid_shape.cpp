#include "core/figure/boards/grid_shape.h"

#include <algorithm>
#include <cmath>

namespace headscope {

std::vector<GridShape> grid_shapes(int heads, int rows, int columns) {
  heads = std::max(heads, 1);
  const auto divide_up = [](int a, int b) { return (a + b - 1) / b; };
  if (columns > 0) columns = std::min(columns, heads);
  if (rows > 0) rows = std::min(rows, heads);
  if (columns > 0) return {{std::max(rows, divide_up(heads, columns)), columns}};
  if (rows > 0) return {{rows, divide_up(heads, rows)}};
  constexpr int widest_handsome = 3;  // columns to a row
  std::vector<GridShape> all, even;
  bool handsome = false;
  for (int c = heads; c >= 1; --c) {
    const GridShape shape{divide_up(heads, c), c};
    if (all.empty() || all.back().rows != shape.rows)
      all.push_back(shape);
    else
      all.back() = shape;
    if (shape.rows * c != heads) continue;
    even.push_back(shape);
    handsome = handsome || (c >= shape.rows && c <= widest_handsome * shape.rows);
  }
  return handsome ? even : all;
}

double shape_score(GridShape shape, int heads, double side) {
  constexpr double empty_exponent = 2.6, tall_cost = 0.65;
  const double filled = static_cast<double>(heads) / (shape.rows * shape.columns);
  return side * std::pow(filled, empty_exponent) * (shape.rows > shape.columns ? tall_cost : 1);
}

GridShape largest_shape(const std::vector<GridShape>& shapes, int heads,
                        const std::function<double(GridShape)>& side) {
  GridShape best = shapes.front();
  double best_score = 0;
  for (const GridShape shape : shapes) {
    const double score = shape_score(shape, heads, side(shape));
    // Of equals the one closest to a square.
    if (score < best_score * (1 - 1e-9) || score <= 0) continue;
    if (score <= best_score * (1 + 1e-9) &&
        std::abs(shape.rows - shape.columns) >= std::abs(best.rows - best.columns))
      continue;
    best_score = score;
    best = shape;
  }
  return best;
}

}  // namespace headscope

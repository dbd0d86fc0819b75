#include "core/scene/zoom.h"

#include <algorithm>

namespace headscope {

double largest_factor(Index n_q, Index n_k) {
  return std::max(1.0, static_cast<double>(std::max(n_q, n_k)) / closest_cells);
}

double cells_in_view(const Zoom& zoom, Index n, Index other) {
  constexpr Index few_times = 8, few_cells = 12;
  const double own = static_cast<double>(n) / zoom.factor;
  if (n * few_times > other) return own;
  return std::max(
      own, std::min(static_cast<double>(std::min(n, few_cells)), static_cast<double>(other) / zoom.factor));
}

void keep_inside(Zoom& zoom, Index n_q, Index n_k) {
  zoom.factor = std::clamp(zoom.factor, 1.0, largest_factor(n_q, n_k));
  const auto rows = static_cast<double>(n_q), columns = static_cast<double>(n_k);
  zoom.query = std::clamp(zoom.query, 0.0, rows - cells_in_view(zoom, n_q, n_k));
  zoom.key = std::clamp(zoom.key, 0.0, columns - cells_in_view(zoom, n_k, n_q));
}

void zoom_about(Zoom& zoom, double by, double x, double y, Index n_q, Index n_k) {
  const double query = zoom.query + y * cells_in_view(zoom, n_q, n_k),
               key = zoom.key + x * cells_in_view(zoom, n_k, n_q);
  zoom.factor = std::clamp(zoom.factor * by, 1.0, largest_factor(n_q, n_k));
  zoom.query = query - y * cells_in_view(zoom, n_q, n_k);
  zoom.key = key - x * cells_in_view(zoom, n_k, n_q);
  keep_inside(zoom, n_q, n_k);
}

void show_cell(Zoom& zoom, int row, int column, Index n_q, Index n_k) {
  const double rows = cells_in_view(zoom, n_q, n_k), columns = cells_in_view(zoom, n_k, n_q);
  // If less than a cell is shown, any position in it will do.
  const auto inside = [](double begin, int cell, double shown) {
    return std::clamp(begin, std::min<double>(cell, cell + 1 - shown),
                      std::max<double>(cell, cell + 1 - shown));
  };
  zoom.query = inside(zoom.query, row, rows);
  zoom.key = inside(zoom.key, column, columns);
  keep_inside(zoom, n_q, n_k);
}

void center_on(Zoom& zoom, double row, double column, Index n_q, Index n_k) {
  zoom.query = row - cells_in_view(zoom, n_q, n_k) / 2;
  zoom.key = column - cells_in_view(zoom, n_k, n_q) / 2;
  keep_inside(zoom, n_q, n_k);
}

CellPart part_of(Zoom zoom, Index n_q, Index n_k) {
  keep_inside(zoom, n_q, n_k);
  return {zoom.query, zoom.query + cells_in_view(zoom, n_q, n_k), zoom.key,
          zoom.key + cells_in_view(zoom, n_k, n_q)};
}

}  // namespace headscope

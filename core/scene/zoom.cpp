#include "core/scene/zoom.h"

#include <algorithm>

namespace headscope {

double largest_factor(Index n_q, Index n_k) {
  return std::max(1.0, static_cast<double>(std::max(n_q, n_k)) / closest_cells);
}

void keep_inside(Zoom& zoom, Index n_q, Index n_k) {
  zoom.factor = std::clamp(zoom.factor, 1.0, largest_factor(n_q, n_k));
  const auto rows = static_cast<double>(n_q), columns = static_cast<double>(n_k);
  zoom.query = std::clamp(zoom.query, 0.0, rows - rows / zoom.factor);
  zoom.key = std::clamp(zoom.key, 0.0, columns - columns / zoom.factor);
}

void zoom_about(Zoom& zoom, double by, double x, double y, Index n_q, Index n_k) {
  const auto rows = static_cast<double>(n_q), columns = static_cast<double>(n_k);
  const double query = zoom.query + y * rows / zoom.factor, key = zoom.key + x * columns / zoom.factor;
  zoom.factor = std::clamp(zoom.factor * by, 1.0, largest_factor(n_q, n_k));
  zoom.query = query - y * rows / zoom.factor;
  zoom.key = key - x * columns / zoom.factor;
  keep_inside(zoom, n_q, n_k);
}

void show_cell(Zoom& zoom, int row, int column, Index n_q, Index n_k) {
  const double rows = static_cast<double>(n_q) / zoom.factor,
               columns = static_cast<double>(n_k) / zoom.factor;
  // Where less than a cell is shown, anywhere in it will do.
  const auto inside = [](double begin, int cell, double shown) {
    return std::clamp(begin, std::min<double>(cell, cell + 1 - shown),
                      std::max<double>(cell, cell + 1 - shown));
  };
  zoom.query = inside(zoom.query, row, rows);
  zoom.key = inside(zoom.key, column, columns);
  keep_inside(zoom, n_q, n_k);
}

void center_on(Zoom& zoom, double row, double column, Index n_q, Index n_k) {
  zoom.query = row - static_cast<double>(n_q) / zoom.factor / 2;
  zoom.key = column - static_cast<double>(n_k) / zoom.factor / 2;
  keep_inside(zoom, n_q, n_k);
}

CellPart part_of(Zoom zoom, Index n_q, Index n_k) {
  keep_inside(zoom, n_q, n_k);
  return {zoom.query, zoom.query + static_cast<double>(n_q) / zoom.factor, zoom.key,
          zoom.key + static_cast<double>(n_k) / zoom.factor};
}

}  // namespace headscope

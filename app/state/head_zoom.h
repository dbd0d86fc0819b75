#pragma once
#include "core/base/tensor.h"

namespace headscope {

/// The part of a map that the head view shows, in cells. The same for all heads, so that they can be
/// compared.
struct HeadZoom {
  double query = 0, key = 0;  ///< its upper left corner
  double factor = 1;          ///< 1: the whole map; the part is n / factor cells wide and high
};

// Which part of a map of n_q x n_k cells is shown; the part never leaves the map.

/// Cells on the longer side at the closest.
inline constexpr double closest_cells = 3;
double largest_factor(Index n_q, Index n_k);
void keep_inside(HeadZoom& zoom, Index n_q, Index n_k);
/// Magnifies by `by`; the cell at the shares x, y (0 to 1) of the picture stays where it is.
void zoom_about(HeadZoom& zoom, double by, double x, double y, Index n_q, Index n_k);
/// Moves the part so that the cell is inside of it.
void show_cell(HeadZoom& zoom, int row, int column, Index n_q, Index n_k);
/// Moves the part so that its middle is at a place of the map, in cells.
void center_on(HeadZoom& zoom, double row, double column, Index n_q, Index n_k);

}  // namespace headscope

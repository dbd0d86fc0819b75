#pragma once
#include "core/analysis/cell_part.h"

namespace headscope {

/// The part of a map that the head view shows, in cells of tokens. The same for all heads, so that they can
/// be compared.
struct Zoom {
  double query = 0, key = 0;  ///< its upper left corner
  double factor = 1;          ///< 1: the whole map; the part is n / factor cells wide and high
  bool operator==(const Zoom&) const = default;
};

// Which part of a map of n_q x n_k cells is shown; the part never leaves the map.

/// Cells on the longer side at the largest zoom.
inline constexpr double closest_cells = 3;
double largest_factor(Index n_q, Index n_k);
/// How many cells of an axis of n are shown, if the other axis has `other`: as the factor says; of an axis
/// that is short relative to the other at least a dozen, if it has them and the other still shows as many.
double cells_in_view(const Zoom& zoom, Index n, Index other);
void keep_inside(Zoom& zoom, Index n_q, Index n_k);
/// Magnifies by `by`; the cell at the relative position x, y (0 to 1) of the picture stays where it is.
void zoom_about(Zoom& zoom, double by, double x, double y, Index n_q, Index n_k);
/// Moves the part so that it contains the cell.
void show_cell(Zoom& zoom, int row, int column, Index n_q, Index n_k);
/// Moves the part so that it is centred on a position of the map, in cells.
void center_on(Zoom& zoom, double row, double column, Index n_q, Index n_k);

/// The part of a map that a zoom shows, kept inside the map.
CellPart part_of(Zoom zoom, Index n_q, Index n_k);

}  // namespace headscope

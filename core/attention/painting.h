#pragma once
#include <vector>

#include "core/attention/mask.h"
#include "core/inputs/mask_part.h"

namespace headscope {

/// Brushes for the mask `painted`. A region is a list of runs, all of one head (-1: every head), as returned
/// by a brush shape; a painting is MaskPart::painted.
using Runs = std::vector<PaintedRun>;

/// The size of the painted maps.
struct MaskGrid {
  int n_q = 0, n_k = 0, heads = 1;
};

struct PaintCell {
  int query = 0, key = 0;
};

// Shapes, clipped to the maps; sorted and merged.

/// The cells on the straight line between two cells, both included (Bresenham): the path of a drag between
/// two frames; a click is a line of one cell. `radius` r thickens it to squares of 2 r + 1 cells.
Runs line_region(const MaskGrid& canvas, int head, PaintCell from, PaintCell to, int radius = 0);
/// The cells of the rectangle between two corners, both included.
Runs rectangle_region(const MaskGrid& canvas, int head, PaintCell from, PaintCell to);
/// The whole diagonal through a cell: key - query constant.
Runs diagonal_region(const MaskGrid& canvas, int head, PaintCell through);

/// Blocks or frees a region. Cells blocked for all heads and freed for one stay blocked for the others.
/// Linear in the number of runs.
void paint(Runs& painting, const Runs& region, bool block, const MaskGrid& canvas);
/// Inverts blocked and free cells, in every head (-1) or in one.
void invert(Runs& painting, int head, const MaskGrid& canvas);
/// Frees everything, in every head (-1) or in one.
void clear(Runs& painting, int head, const MaskGrid& canvas);
/// The blocked cells of a mask as a painting: common ones, then the rest per head. `heads` is that of the
/// mask's maps.
Runs painting_from(const Mask& mask, int heads);

}  // namespace headscope

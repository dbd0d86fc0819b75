#pragma once
#include <functional>
#include <vector>

#include "core/figure/boards/layout.h"

namespace headscope {

/// The grids for `heads` panels: full ones only if one of them is well-proportioned (at most three times as
/// wide as high), otherwise also those with empty places. `rows` and `columns` other than 0 are kept if
/// possible: rows are added if the two together have too few places.
std::vector<GridShape> grid_shapes(int heads, int rows, int columns);

/// The quality of a shape whose maps have this side: few empty places, and wide rather than high.
double shape_score(GridShape shape, int heads, double side);

/// The shape whose maps have the largest side, with a penalty for empty places and for being higher than
/// wide: 8 square maps in a wide or square area give 2 x 4.
GridShape largest_shape(const std::vector<GridShape>& shapes, int heads,
                        const std::function<double(GridShape)>& side);

}  // namespace headscope

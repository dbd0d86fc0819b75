#pragma once
#include <functional>
#include <vector>

#include "core/figure/boards/layout.h"

namespace headscope {

/// The grids that `heads` panels may stand in: even ones only where there is a handsome one (at most three
/// times as wide as high), else those that leave places empty too. `rows` and `columns` not 0 are kept where
/// they can be: rows are added where the two together have too few places.
std::vector<GridShape> grid_shapes(int heads, int rows, int columns);

/// How good a shape is whose maps have this side: few empty places, and rather wide than high.
double shape_score(GridShape shape, int heads, double side);

/// The shape whose maps have the largest side, after a deduction for empty places and for standing tall: 8
/// square maps in a wide or square area give 2 x 4.
GridShape largest_shape(const std::vector<GridShape>& shapes, int heads,
                        const std::function<double(GridShape)>& side);

}  // namespace headscope

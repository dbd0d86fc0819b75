#pragma once
#include <functional>
#include <vector>

#include "core/figure/layout.h"

namespace headscope {

/// The grids that `heads` panels may stand in: even ones only where there is a handsome one (at most three
/// times as wide as high), else those that leave places empty too. `rows` and `columns` as in grid_shape().
std::vector<GridShape> grid_shapes(int heads, int rows, int columns);

/// The shape whose maps have the largest side, after a deduction for empty places and for standing tall.
GridShape largest_shape(const std::vector<GridShape>& shapes, int heads,
                        const std::function<double(GridShape)>& side);

}  // namespace headscope

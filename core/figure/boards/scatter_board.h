#pragma once
#include "core/analysis/similarity.h"
#include "core/figure/boards/board.h"
#include "core/scene/head_table.h"
#include "core/scene/scene.h"

namespace headscope {

/// All heads as points by two columns of the table, TableOptions::scatter_x and scatter_y, coloured by layer
/// or by group. Regions are named "point LAYER HEAD", from 0. `tree` may be nullptr: its groups are not
/// known.
Board scatter_board(const Scene& scene, const std::vector<HeadRow>& rows, const HeadTree* tree,
                    const BoardStyle& style, double width, double height, const Translator& tr);

}  // namespace headscope

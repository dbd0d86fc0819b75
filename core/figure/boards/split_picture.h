#pragma once
#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/source/trace.h"

namespace headscope {

/// How view reads the row of Q of one token as one row per head: the same numbers in the same order, as
/// colours, with those at the borders of the pieces. At most `items` heads are drawn.
Board view_picture(const BlockTrace& block, int layer, int token, int items, const BoardStyle& style,
                   double width, const Translator& tr);
/// What transpose(1, 2) does to the axes of Q: tokens by heads before, heads by tokens after, in each cell
/// the first of its d_k numbers. At most `items` heads and tokens are drawn, fewer if there is little width.
Board transpose_picture(const BlockTrace& block, int layer, int token, int items, const BoardStyle& style,
                        double width, const Translator& tr);

}  // namespace headscope

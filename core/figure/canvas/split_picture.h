#pragma once
#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/source/trace.h"

namespace headscope {

/// How view reads the row of one token as one row per head, in pieces that keep their numbers and their
/// position.
Board view_picture(const BlockTrace& block, int layer, int token, const BoardStyle& style, double width,
                   const Translator& tr);
/// What transpose(1, 2) does to the axes: a piece of a row for each token and head, before and after.
Board transpose_picture(const BlockTrace& block, int token, const BoardStyle& style, double width,
                        const Translator& tr);

}  // namespace headscope

#pragma once
#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/source/trace.h"

namespace headscope {

/// How view reads the row of one token as a row for each head, in pieces that keep their numbers and their
/// place.
Board view_picture(const BlockTrace& block, int layer, int token, const BoardStyle& style, double width,
                   const Translator& tr);
/// Whose axis goes where in transpose(1, 2): a piece of a row for each token and head, before and after.
Board transpose_picture(const BlockTrace& block, int token, const BoardStyle& style, double width,
                        const Translator& tr);

}  // namespace headscope

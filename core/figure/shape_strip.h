#pragma once
#include "core/analysis/row_sums.h"
#include "core/base/translate.h"
#include "core/figure/board.h"
#include "core/source/trace.h"

namespace headscope {

/// What of the strip may be left out where there is little room.
struct StripParts {
  bool note = true, checks = true;
};

/// The shapes of a layer's tensors from X to the output, as [batch, heads, tokens, d_k], with what makes each
/// of the one before; what view and transpose do; and the checks of the notebook: the output has the input's
/// shape, rows sum to 1. `sums` are of that layer; nullptr: they are still being computed. What view
/// and transpose do, and the checks, are left out where `parts` says so.
Board shape_strip(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                  double width, const Translator& tr, StripParts parts = {});
/// Its checks alone.
Board shape_checks(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                   double width, const Translator& tr);

}  // namespace headscope

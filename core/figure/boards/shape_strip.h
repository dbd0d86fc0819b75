#pragma once
#include <array>
#include <string>

#include "core/analysis/row_sums.h"
#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/source/trace.h"

namespace headscope {

/// What a lesson may mark in the strip.
inline constexpr std::array shape_marks{"shape x",         "shape q",      "shape view",
                                        "shape transpose", "shape scores", "shape weights",
                                        "shape context",   "shape concat", "shape output"};

/// What of the strip may be left out where there is little room, and what is marked in it.
struct StripParts {
  bool note = true, checks = true;
  std::string marked = {};  ///< one of shape_marks; empty: none
  bool chain = true;        ///< else the picture of view or transpose alone, where that is marked
  int token = 0;            ///< that the picture of view or of transpose is about, where that is marked
};

/// The shapes of a layer's tensors from X to the output, as [batch, heads, tokens, d_k], with what makes each
/// of the one before; what view and transpose do; and the checks of the notebook: the output has the input's
/// shape, rows sum to 1. `sums` are of that layer; nullptr: they are still being computed. What view
/// and transpose do, and the checks, are left out where `parts` says so; a picture of view or
/// transpose takes the place of the note where one of them is marked.
Board shape_strip(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                  double width, const Translator& tr, StripParts parts = {});
/// Its checks alone.
Board shape_checks(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                   double width, const Translator& tr);

}  // namespace headscope

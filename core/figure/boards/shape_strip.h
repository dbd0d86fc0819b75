#pragma once
#include <array>
#include <string>
#include <string_view>

#include "core/analysis/statistics.h"
#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/source/trace.h"

namespace headscope {

/// The parts of the strip that a lesson may mark.
inline constexpr std::array shape_marks{"shape x",         "shape q",      "shape view",
                                        "shape transpose", "shape scores", "shape weights",
                                        "shape context",   "shape concat", "shape output"};

/// The tensor that a stage of the arithmetic computes, one of shape_marks; "" for the stages after the
/// output. No stage: the first one.
const char* shape_mark_of_stage(std::string_view stage);

/// Which parts of the strip may be left out if there is little room, and which one is marked.
struct StripParts {
  bool note = true, checks = true;
  std::string marked = {};  ///< one of shape_marks; empty: none
  bool chain = true;        ///< otherwise only the picture of view or transpose, if that is marked
  int token = 0;            ///< the token of the picture of view or transpose, if that is marked
  int items = 8;            ///< how many heads and tokens that picture draws
};

/// The shapes of a layer's tensors from X to the output, as [batch, heads, tokens, d_k], with the operation
/// that creates each from the one before; what view and transpose do; and the checks of the notebook: the
/// output has the input's shape, rows sum to 1. `sums` are of that layer; nullptr: they are still being
/// computed. What view and transpose do, and the checks, are left out if `parts` says so. If a tensor is
/// marked, what it is replaces the note; for view and transpose that is a picture.
Board shape_strip(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                  double width, const Translator& tr, StripParts parts = {});
/// Only its checks.
Board shape_checks(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                   double width, const Translator& tr);

}  // namespace headscope

#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/source/trace.h"

namespace headscope {

/// What the attention of a layer of the trace costs, compared with one head, multi-query and a window:
/// parameters, multiply-adds and memory, as numbers and against n, d_model and heads. Higher if `width` is
/// small. Of a layer without such a cost a sentence that says why.
Board cost_board(const Trace& trace, const BlockTrace& block, int layer, const BoardStyle& style,
                 double width, const Translator& tr);

/// The region of a section: "variants", "identity", "left out", "charts", "sharing", "memory".
std::string cost_section(const std::string& name);
bool is_cost_section(const std::string& name);

}  // namespace headscope

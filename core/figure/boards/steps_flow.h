#pragma once
#include <span>

#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// The stages of a cell as one chain from left to right: each result as a small matrix with its symbol and
/// shape, an arrow to the next, the present one emphasized. On one line, as wide as it is: the caller checks
/// whether it fits. Its regions: "steps 0", "steps 1" …, with the stage's title.
Board steps_flow(std::span<const ArithmeticStage> stages, std::size_t present, const BoardStyle& style);

}  // namespace headscope

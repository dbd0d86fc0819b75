#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// Most that is written out as numbers or as cells of a mask, where PyTorch has no line for it.
struct PytorchLimits {
  static constexpr Index most_numbers = 1024;
  static constexpr Index most_cells = 4096;
};

/// The few lines of Python with which PyTorch, on a CPU, makes the numbers of a seeded run: the draws in the
/// engine's order, then the equation, up to `weights` [layers, heads, n_q, n_k] and `output` [1, n_q,
/// d_model] of the last layer. Typed vectors stand there as numbers, a mask that is no plain pattern cell by
/// cell. A run without layers (RunOptions::no_layers) is enough. Throws
/// Error (input) where that would be too much, and without tokens.
std::string pytorch_text(const Trace& trace, const Translator& tr);

}  // namespace headscope

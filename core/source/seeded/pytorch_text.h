#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/source/trace.h"

namespace headscope {

/// Limits of literal numbers and mask cells, for what PyTorch has no expression for.
struct PytorchLimits {
  static constexpr Index max_numbers = 1024;
  static constexpr Index max_cells = 4096;
};

/// A short Python script with which PyTorch, on a CPU, reproduces the numbers of a seeded run: the draws in
/// the engine's order, then the equation, up to `weights` [layers, heads, n_q, n_k] and `output` [1, n_q,
/// d_model] of the last layer. Typed vectors are written as numbers, a mask without a simple form cell by
/// cell. A run without layers (RunOptions::no_layers) is enough. Throws Error (input) if that would be too
/// much, and without tokens.
std::string pytorch_text(const Trace& trace, const Translator& tr);

}  // namespace headscope

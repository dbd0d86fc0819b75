#pragma once
#include <array>
#include <optional>
#include <string>

#include "core/attention/forward.h"

namespace headscope {

/// Milliseconds that all threads together take for each step, those beside them (waiting for each other
/// included) last.
using StepTimes = std::array<double, static_cast<std::size_t>(ComputeStep::count) + 1>;

/// What the same take, step by step.
struct ModelProfile {
  StepTimes prefill_128{}, prefill_1024{}, next_token{};
  double next_token_bytes = 0;  ///< of weights that the next token reads
  double memory_gb_per_s = 0;   ///< see measure_reading()
};

/// Milliseconds that a causal model takes, medians; 0 where it has no positions for so many tokens.
struct ModelTimes {
  double load_ms = 0;          ///< from the folder to a model that can run
  double prefill_128_ms = 0;   ///< 128 tokens to the last position's logits
  double prefill_1024_ms = 0;  ///< 1,024
  double next_token_ms = 0;    ///< one more token after 128
  std::optional<ModelProfile> profile;
};
/// Throws as LanguageModel::open(), and Error (input) for a model that does not continue a text.
/// What all threads together read, in 10⁹ bytes a second, of so many float32 that they read again and again:
/// from memory, or from the caches in which so many stay. The best of several tries.
double measure_reading(Index floats, const ComputeContext& context);

ModelTimes measure_model(const std::string& folder, const ComputeContext& context, bool profile = false);

}  // namespace headscope

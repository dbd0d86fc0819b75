#pragma once
#include <array>
#include <optional>
#include <string>

#include "core/attention/forward.h"

namespace headscope {

/// Milliseconds of each step, summed over threads; the last element is all other time (including waiting).
using StepTimes = std::array<double, static_cast<std::size_t>(ComputeStep::count) + 1>;

/// The same times by step.
struct ModelProfile {
  StepTimes prefill_128{}, prefill_1024{}, next_token{};
  double next_token_bytes = 0;  ///< of weights read for the next token
  double memory_gb_per_s = 0;   ///< see measure_reading()
};

/// Median milliseconds of a causal model; 0 if it lacks positions for this many tokens.
struct ModelTimes {
  double load_ms = 0;          ///< from the folder to a model that can run
  double prefill_128_ms = 0;   ///< from 128 tokens to the last position's logits
  double prefill_1024_ms = 0;  ///< 1,024
  double next_token_ms = 0;    ///< one more token after 128
  std::optional<ModelProfile> profile;
};
/// Read bandwidth of all threads in 10⁹ bytes per second, reading `floats` float32 repeatedly: from memory,
/// or from the caches if they fit. The best of several runs.
double measure_reading(Index floats, const ComputeContext& context);

/// Throws as LanguageModel::open(), and Error (input) for a model that does not continue a text.
ModelTimes measure_model(const std::string& folder, const ComputeContext& context, bool profile = false);

}  // namespace headscope

#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

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
/// The median of as many runs as fit into `budget` milliseconds, at least `fewest`, after one warm-up run.
template <typename Body>
double median_milliseconds(double budget, const Body& body, std::size_t fewest = 7) {
  constexpr std::size_t maximum = 5000;
  body();
  std::vector<double> times;
  for (double total = 0; times.size() < fewest || (total < budget && times.size() < maximum);
       total += times.back()) {
    const auto start = std::chrono::steady_clock::now();
    body();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  const auto middle = times.begin() + (times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// Read bandwidth of all threads in 10⁹ bytes per second, reading `floats` float32 repeatedly: from memory,
/// or from the caches if they fit. The best of several runs.
double measure_reading(Index floats, const ComputeContext& context);

/// Milliseconds to switch off every head in turn and read a logit at the last of 20 tokens.
struct CauseTimes {
  int heads = 0;               ///< of all layers
  double layers_above_ms = 0;  ///< find_causes()
  double whole_passes_ms = 0;  ///< a pass for each head, from the median of a few
};
/// Throws as LanguageModel::open(), and Error (input) for a model without an output for tokens.
CauseTimes measure_causes(const std::string& folder, const ComputeContext& context);

/// Throws as LanguageModel::open(), and Error (input) for a model that does not continue a text.
ModelTimes measure_model(const std::string& folder, const ComputeContext& context, bool profile = false);

}  // namespace headscope

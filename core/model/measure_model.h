#pragma once
#include <string>

#include "core/attention/forward.h"

namespace headscope {

/// Milliseconds that a causal model takes, medians; 0 where it has no positions for so many tokens.
struct ModelTimes {
  double load_ms = 0;          ///< from the folder to a model that can run
  double prefill_128_ms = 0;   ///< 128 tokens to the last position's logits
  double prefill_1024_ms = 0;  ///< 1,024
  double next_token_ms = 0;    ///< one more token after 128
};
/// Throws as LanguageModel::open(), and Error (input) for a model that does not continue a text.
ModelTimes measure_model(const std::string& folder, const ComputeContext& context);

}  // namespace headscope

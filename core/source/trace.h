#pragma once
#include <memory>
#include <vector>

#include "core/analysis/extent.h"
#include "core/analysis/statistics.h"
#include "core/attention/layer_trace.h"
#include "core/attention/mask.h"
#include "core/base/tensor.h"
#include "core/inputs/inputs.h"
#include "core/text/words.h"

namespace headscope {

/// What one run of the Inputs gave. Immutable once made; shared by all who show it.
struct Trace {
  Inputs inputs;
  std::vector<Token> tokens;      // queries
  std::vector<Token> key_tokens;  // keys; equal to tokens in self-attention
  Mask mask;
  Tensor x;      // [n_q, d_model]  the queries' vectors
  Tensor key_x;  // [n_k, d_model]  the keys' vectors; shares x in self-attention
  std::vector<LayerTrace> layers;
  std::vector<std::vector<HeadStatistics>> statistics;  // [layers][heads]
  std::vector<std::vector<Extent>> extents;             // [layers][heads] of what the mask shows
  double milliseconds = 0;                              // what the run took

  Index n_q() const { return static_cast<Index>(tokens.size()); }
  Index n_k() const { return static_cast<Index>(key_tokens.size()); }
  int d_k() const { return inputs.d_model / inputs.heads; }
  /// The score that softmax sees: masked by the fill, divided by the temperature.
  float masked_score(int layer, int head, Index query, Index key) const;
};

}  // namespace headscope

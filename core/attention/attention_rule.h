#pragma once
#include <cmath>
#include <memory>

#include "core/attention/mask.h"
#include "core/base/tensor.h"

namespace headscope {

/// How scores of queries and keys become weights: softmax(mask(scale q·k + bias) / T). The model's own
/// visibility (causal, window) is a range of keys rather than a mask: it cannot be switched off, and nothing
/// outside it is computed.
struct AttentionRule {
  float scale = 1;
  float inverse_temperature = 1;     ///< applied after the mask
  bool causal = false;               ///< keys up to the query itself
  Index window = 0;                  ///< and at most this many of them; 0: all
  Index first_query = 0;             ///< position in the text of the first row of q
  Tensor bias;                       // [heads, distances] by key - query; empty: none
  Index bias_zero = 0;               ///< column of `bias` where key = query
  std::shared_ptr<const Mask> mask;  ///< of all queries of the text; null: none
  float fill = -INFINITY;            ///< what blocked scores count as: -infinity or -1e9

  struct Keys {
    Index begin = 0, end = 0;
  };
  /// The range of n_k keys seen by the query at a position of the text.
  Keys keys(Index query, Index n_k) const {
    Keys seen{0, n_k};
    if (causal) seen.end = query + 1 < n_k ? query + 1 : n_k;
    if (window > 0 && query + 1 > window) seen.begin = query + 1 - window;
    return seen;
  }
};

}  // namespace headscope

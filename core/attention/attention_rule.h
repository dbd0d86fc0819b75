#pragma once
#include <cmath>
#include <memory>

#include "core/attention/mask.h"
#include "core/base/tensor.h"

namespace headscope {

/// How scores of queries and keys become weights: softmax(mask(scale q·k + bias) / T). Which keys a query can
/// see by the model's own nature is no mask but a range: nothing takes it away, and nothing outside it is
/// computed.
struct AttentionRule {
  float scale = 1;
  float inverse_temperature = 1;     ///< applied after the mask
  bool causal = false;               ///< keys up to the query itself
  Index window = 0;                  ///< and no more than so many of them; 0: all
  Index first_query = 0;             ///< place in the text of the first row of q
  Tensor bias;                       // [heads, distances] by key - query; empty: none
  Index bias_zero = 0;               ///< column of `bias` where key = query
  std::shared_ptr<const Mask> mask;  ///< of all queries of the text; null: none
  float fill = -INFINITY;            ///< what blocked scores count as: -infinity or -1e9

  struct Keys {
    Index begin = 0, end = 0;
  };
  /// What the query at a place in the text sees of n_k keys.
  Keys keys(Index query, Index n_k) const {
    Keys seen{0, n_k};
    if (causal) seen.end = query + 1 < n_k ? query + 1 : n_k;
    if (window > 0 && query + 1 > window) seen.begin = query + 1 - window;
    return seen;
  }
};

}  // namespace headscope

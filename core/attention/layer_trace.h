#pragma once
#include <numeric>
#include <vector>

#include "core/base/extent.h"
#include "core/base/tensor.h"

namespace headscope {

/// 0 to heads - 1.
inline std::vector<int> all_heads(int heads) {
  std::vector<int> all(heads);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Every intermediate of one layer, float32. Without context and output if only maps were requested.
struct LayerTrace {
  Tensor x;        // [n_q, d_model]          the layer's input
  Tensor q;        // [heads, n_q, d_k]
  Tensor k;        // [kv_heads, n_k, d_k]
  Tensor v;        // [kv_heads, n_k, d_k]
  Tensor scores;   // [kept heads, n_q, n_k]  scaled, before the mask; empty if not kept
  Tensor weights;  // [kept heads, n_q, n_k]  softmax of the masked scores, after dropout
  Tensor context;  // [n_q, d_model]          heads concatenated
  Tensor output;   // [n_q, d_model]          context W_Oᵀ + b_O

  std::vector<int> kept_heads;  // heads whose maps are kept, ascending
  std::vector<Extent> extents;  // [kept heads]  of the weights not blocked by the mask
};

}  // namespace headscope

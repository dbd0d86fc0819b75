#include "core/analysis/attention_cost.h"

#include <algorithm>

namespace headscope {

AttentionSize attention_size(double d_model, double heads, double kv_heads, double n_q, double n_k) {
  return {d_model, heads, kv_heads, n_q, n_k, heads * n_q * n_k};
}

AttentionSize attention_size(const BlockTrace& block) {
  const BlockShape& shape = block.shape;
  return attention_size(shape.d_model, shape.heads, shape.kv_heads, static_cast<double>(block.n_q()),
                        static_cast<double>(block.n_k()));
}

AttentionCost attention_cost(const AttentionSize& size) {
  const double d = size.d_model, d_kv = size.d_kv();
  AttentionCost cost;
  cost.w_q = d * d;
  cost.w_k = cost.w_v = d * d_kv;
  cost.w_o = d * d;
  cost.biases = 2 * d + 2 * d_kv;
  cost.q = size.n_q * d * d;
  cost.k = cost.v = size.n_k * d * d_kv;
  cost.scores = cost.context = size.cells * size.d_k();
  cost.output = size.n_q * d * d;
  constexpr double bytes = sizeof(float);
  cost.maps = size.heads * size.n_q * size.n_k * bytes;
  cost.keys_values = 2 * size.n_k * d_kv * bytes;
  return cost;
}

double window_cells(Index n_q, Index n_k, Index w) {
  double cells = 0;
  for (Index i = 0; i < n_q; ++i)
    cells += static_cast<double>(std::max<Index>(0, std::min(n_k, i + w + 1) - std::max<Index>(0, i - w)));
  return cells;
}

double streamed_bytes(double rows, double keys, double d_k) {
  return (rows * keys + rows * (2 + d_k)) * sizeof(float);
}

}  // namespace headscope

#include "core/analysis/attention_cost.h"

#include <algorithm>

#include "core/base/translate.h"

namespace headscope {

AttentionSize attention_size(double d_model, double heads, double kv_heads, double n_q, double n_k) {
  AttentionSize size{d_model, heads, kv_heads, n_q, n_k};
  size.cells = heads * n_q * n_k;
  return size;
}

const char* why_no_cost(const BlockShape& shape, int layer) {
  if (!shape.is_softmax(layer))
    return TR("This page counts softmax attention, which this layer does not have.");
  return shape.latent > 0
             ? TR("This page counts matrices that give each head its queries, keys and values; those of "
                  "latent attention come from short rows, by other matrices.")
             : nullptr;
}

AttentionSize attention_size(const BlockTrace& block, int layer, const OtherWeights& others) {
  const BlockShape& shape = block.shape;
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  const int heads = shape.heads_of(layer);
  const Index n_k = block.n_k() - (block.tokens_alone ? 1 : 0);
  AttentionSize size =
      attention_size(shape.d_model, heads, shape.kv_heads_of(layer), number(block.n_q()), number(n_k));
  if (shape.d_k > 0) size.inner = number(heads) * shape.d_k_of(layer);
  size.q_bias = shape.q_bias;
  size.k_bias = shape.k_bias;
  size.v_bias = shape.v_bias;
  size.output_bias = shape.output_bias;
  size.own_keys = others.keys_of < 0;
  size.own_values = size.own_keys && !others.values_are_keys;
  size.gated = others.gated;
  size.others = number(others.parameters());
  size.query_products = number(others.query_products);
  size.position_products = number(others.products_of_positions(block.n_q(), n_k));
  size.position_terms = others.position_terms;
  return size;
}

AttentionCost attention_cost(const AttentionSize& size) {
  const double d = size.d_model, width = size.width(), of_k = size.own_keys ? size.d_kv() : 0,
               of_v = size.own_values ? size.d_kv() : 0;
  AttentionCost cost;
  cost.w_q = d * width;
  cost.w_k = d * of_k;
  cost.w_v = d * of_v;
  cost.w_o = width * d;
  cost.gate = size.gated ? d * width : 0;
  cost.biases = (size.q_bias ? (size.gated ? 2 : 1) * width : 0) + (size.k_bias ? of_k : 0) +
                (size.v_bias ? of_v : 0) + (size.output_bias ? d : 0);
  cost.others = size.others;
  cost.q = size.n_q * d * width;
  cost.k = size.n_k * d * of_k;
  cost.v = size.n_k * d * of_v;
  cost.scores = (1 + size.position_terms) * size.cells * size.d_k();
  cost.context = size.cells * size.d_k();
  cost.besides = size.n_q * size.query_products + size.position_products;
  cost.output = size.n_q * width * d;
  constexpr double bytes = sizeof(float);
  cost.maps = size.heads * size.n_q * size.n_k * bytes;
  cost.keys_values = size.own_keys ? 2 * size.n_k * size.d_kv() * bytes : 0;
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

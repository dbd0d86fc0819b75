#pragma once
#include "core/source/model/model_cost.h"
#include "core/source/trace.h"

namespace headscope {

/// The sizes that the cost of a layer's attention is computed from. Numbers are double, exact as counts below
/// 2^53, so that charts can interpolate between integer sizes.
struct AttentionSize {
  double d_model = 1, heads = 1, kv_heads = 1;
  double n_q = 1, n_k = 1;
  double cells = 1;  ///< computed scores of all heads: heads n_q n_k, fewer if a mask skips some
  double inner = 0;  ///< total width of the queries: heads d_k; 0: d_model
  bool q_bias = true, k_bias = true, v_bias = true, output_bias = true;
  bool own_keys = true, own_values = true;  ///< otherwise another layer's, or what W_K gives
  bool gated = false;                       ///< see OtherWeights
  double others = 0;                        ///< parameters besides
  double query_products = 0, position_products = 0,
         position_terms = 0;  ///< multiply-adds besides, of OtherWeights
  double width() const { return inner > 0 ? inner : d_model; }
  double d_k() const { return width() / heads; }
  double d_kv() const { return kv_heads * d_k(); }  ///< width of all keys, and of all values
};
/// With every score computed.
AttentionSize attention_size(double d_model, double heads, double kv_heads, double n_q, double n_k);
/// Of a layer with softmax attention, over the tokens of the text: what a head has of no token is no key.
AttentionSize attention_size(const BlockTrace& block, int layer, const OtherWeights& others = {});
/// Why a layer has no such cost, English, to be translated; nullptr: it has.
const char* why_no_cost(const BlockShape& shape, int layer);

/// What the attention of one layer costs, term by term (Vaswani et al. 2017, section 3.2.2; with fewer
/// key-value heads Shazeer 2019 and Ainslie et al. 2023).
struct AttentionCost {
  // Parameters.
  double w_q = 0, w_k = 0, w_v = 0, w_o = 0, gate = 0, biases = 0, others = 0;
  double weights() const { return w_q + w_k + w_v + w_o + gate; }
  double parameters() const { return weights() + biases + others; }
  // Multiply-adds: a multiplication and its addition count as one.
  double q = 0, k = 0, v = 0, scores = 0, context = 0, output = 0, besides = 0;
  double projections() const { return q + k + v + output + besides; }
  double attention() const { return scores + context; }
  double multiplications() const { return projections() + attention(); }
  // Bytes, float32.
  double maps = 0;         ///< every head's weights
  double keys_values = 0;  ///< K and V, which a decoder caches for later tokens
};
AttentionCost attention_cost(const AttentionSize& size);

/// Cells with |i - j| <= w of an n_q x n_k map.
double window_cells(Index n_q, Index n_k, Index w);

/// Bytes that a streamed softmax keeps of a head's maps at once: a tile of rows x keys of scores, and for
/// each row its maximum, its sum and its context [d_k].
double streamed_bytes(double rows, double keys, double d_k);

}  // namespace headscope

#pragma once
#include <optional>
#include <stop_token>

#include "core/attention/ablated_heads.h"
#include "core/attention/attend_heads.h"
#include "core/attention/dense.h"

namespace headscope {

/// The parameters of one layer, without the gains. LayerNorms have weight 1 and bias 0, so they need none
/// here.
struct LayerWeights {
  Linear q;                    // [d_model, d_model], head h has the rows [h d_k, (h + 1) d_k)
  Linear k, v;                 // [kv_heads d_k, d_model]
  Linear o;                    // [d_model, d_model]
  std::optional<Linear> up;    // [4 d_model, d_model]  the feed-forward network's
  std::optional<Linear> down;  // [d_model, 4 d_model]
};

struct PackedLayer {
  Dense q, k, v, o;
  std::optional<Dense> up, down;
  double growth = 0, offset = 0;         // |x W_Oᵀ + b_O| <= growth max |x| + offset
  std::optional<LayerWeights> unpacked;  // for ComputeEngine::eigen
};
PackedLayer pack_layer(const LayerWeights& weights, const ComputeContext& context);

/// A layer's input after its projections; see LayerTrace.
struct Projected {
  Tensor q, k, v;
};

/// With ComputeEngine::eigen everything is computed: only `keep_heads` and `keep_scores` of MapRequest apply.
struct AttentionRequest : AttentionRule, MapRequest {
  Tensor x;      // [n_q, d_model]
  Tensor key_x;  // [n_k, d_model]
  int heads = 1;
  int kv_heads = 1;
  float gain_q = 1, gain_k = 1;  ///< factors on W_Q and W_K, not on their biases
  /// Engaged: the projections of an earlier call with the same x, key_x and gains, which are reused.
  std::optional<Projected> projected;
  AblatedHeads ablated;  ///< by their mean: not with `only_query`
  std::stop_token stop;
};

/// Multi-head attention in the paper's order (Vaswani et al. 2017, section 3.2.2): Q, K, V = X W + b; scores
/// = scale Q Kᵀ; weights = softmax(mask(scores) / T), then dropout; context = weights V, that of ablated
/// heads replaced; output = concat(context) W_Oᵀ + b_O. The same bits for any number of threads. If stopped,
/// the result is incomplete and must not be shown. With ComputeEngine::eigen it is attend_by_equation().
LayerTrace attend(const PackedLayer& layer, const AttentionRequest& request, const ComputeContext& context);

}  // namespace headscope

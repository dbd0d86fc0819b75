#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/torch_random.h"
#include "core/session/inputs.h"
#include "core/tensor.h"

namespace headscope {

/// y = x weightᵀ + bias, as torch.nn.Linear.
struct Linear {
  Tensor weight;  // [out, in]
  Tensor bias;    // [out]
};

/// The parameters of one layer, without the gains. A LayerNorm's own are weight 1 and bias 0, so it needs
/// none here.
struct LayerWeights {
  Linear q;                    // [d_model, d_model], head h has the rows [h d_k, (h + 1) d_k)
  Linear k, v;                 // [kv_heads d_k, d_model]
  Linear o;                    // [d_model, d_model]
  std::optional<Linear> up;    // [4 d_model, d_model]  the feed-forward network's
  std::optional<Linear> down;  // [d_model, 4 d_model]
};

/// Draws one layer's parameters as `inputs.weights` says (see WeightKind). `inputs` must be valid.
LayerWeights draw_layer(const Inputs& inputs, TorchRandom& random);

/// The number of parameters the layers have, shared ones counted once: of W_Q, W_K, W_V, W_O and biases, with
/// `feed_forward` its two Linears, and where there is a stack 2 d_model for each LayerNorm.
std::int64_t parameter_count(const Inputs& inputs);

/// The number of multiplications in the matrix products of all layers for n_q queries and n_k keys:
/// projections, scores, weights times values, W_O and the feed-forward network.
std::int64_t multiply_count(const Inputs& inputs, Index n_q, Index n_k);

}  // namespace headscope

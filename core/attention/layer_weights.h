#pragma once
#include <optional>

#include "core/base/tensor.h"

namespace headscope {

/// y = x weightᵀ + bias, as torch.nn.Linear.
struct Linear {
  Tensor weight;  // [out, in]
  Tensor bias;    // [out]
};

/// The parameters of one layer, without the gains. LayerNorms have weight 1 and bias 0, so they need none
/// here.
struct LayerWeights {
  Linear q;                    // [d_model, d_model], head h has the rows [h d_k, (h + 1) d_k)
  Linear k, v;                 // [kv_heads d_k, d_model]
  Linear o;                    // [d_model, d_model]
  std::optional<Linear> up;    // [4 d_model, d_model]  the feed-forward network's
  std::optional<Linear> down;  // [d_model, 4 d_model]
};

}  // namespace headscope

#pragma once
#include "core/attention/forward.h"
#include "core/inputs/inputs.h"
#include "core/model/seeded/torch_random.h"

namespace headscope {

/// Draws one layer's parameters according to `inputs.weights` (see WeightKind). `inputs` must be valid.
LayerWeights draw_layer(const Inputs& inputs, TorchRandom& random);

/// The steps between one layer and the next, in the paper's order (Vaswani et al. 2017, section 3.1): y =
/// LayerNorm(x + attention), and with `feed_forward` y = LayerNorm(y + W_down ReLU(W_up y)); residual and
/// LayerNorm each only if enabled. Returns the next layer's x, [n_q, d_model].
Tensor next_input(const LayerTrace& layer, const PackedLayer& weights, const Inputs& inputs,
                  const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope

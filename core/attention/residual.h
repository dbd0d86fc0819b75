#pragma once
#include "core/attention/forward.h"
#include "core/base/matrix.h"
#include "core/inputs/inputs.h"

namespace headscope {

/// The steps between one layer and the next, in the paper's order (Vaswani et al. 2017, section 3.1): y =
/// LayerNorm(x + attention), and with `feed_forward` y = LayerNorm(y + W_down ReLU(W_up y)); residual and
/// LayerNorm each only if enabled. Returns the next layer's x, [n_q, d_model].
Tensor next_input(const LayerTrace& layer, const PackedLayer& weights, const Inputs& inputs,
                  const ComputeContext& context, const std::stop_token& stop = {});

/// Normalizes a row to mean 0 and variance 1 (Ba et al. 2016, with PyTorch's epsilon 1e-5, weight 1 and bias
/// 0), in place.
void layer_norm(RowSpan row);

}  // namespace headscope

#pragma once
#include <cstdint>

#include "core/base/tensor.h"
#include "core/inputs/inputs.h"

namespace headscope {

/// The number of parameters of the layers, shared ones counted once: W_Q, W_K, W_V, W_O and biases, with
/// `feed_forward` its two Linears, and 2 d_model for each LayerNorm of a layer: after its feed-forward
/// network, and after its attention if anything follows it.
std::int64_t parameter_count(const Inputs& inputs);

/// Throws Error (input) if a seeded layer has more than Limits::max_parameters. Not a part of validate(): a
/// session in the making can have them, and must be read again.
void check_parameter_count(const Inputs& inputs);

/// The number of multiplications in the matrix products of all layers for n_q queries and n_k keys:
/// projections, scores, weights times values, W_O and the feed-forward network.
std::int64_t multiply_count(const Inputs& inputs, Index n_q, Index n_k);

}  // namespace headscope

#pragma once
#include "core/attention/forward.h"
#include "core/base/matrix.h"

namespace headscope {

/// What one layer makes of its input. Where each head has a matrix of its own they stand below each other:
/// that of head h, of n rows, begins at row h n.
template <typename Scalar>
struct LayerMatrices {
  MatrixOf<Scalar> q;                // [heads n_q, d_k]
  MatrixOf<Scalar> k, v;             // [kv_heads n_k, d_k]
  MatrixOf<Scalar> scores, weights;  // [heads n_q, n_k]
  MatrixOf<Scalar> context, output;  // [n_q, d_model]
};

/// Multi-head attention as the paper writes it (Vaswani et al. 2017, section 3.2), on one thread: what the
/// kernels are tested against and timed beside. Float or double. Doesn't stop early.
template <typename Scalar>
LayerMatrices<Scalar> attention_equation(const LayerWeights& layer, const AttentionRequest& request);

/// The same as a trace, like attend().
LayerTrace attend_by_equation(const LayerWeights& layer, const AttentionRequest& request);

}  // namespace headscope

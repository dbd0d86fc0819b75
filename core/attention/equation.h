#pragma once
#include "core/attention/forward.h"
#include "core/base/matrix.h"

namespace headscope {

/// Intermediates and output of one layer. Per-head matrices are stacked vertically: that of head h, with n
/// rows, begins at row h n.
template <typename Scalar>
struct LayerMatrices {
  MatrixOf<Scalar> q;                // [heads n_q, d_k]
  MatrixOf<Scalar> k, v;             // [kv_heads n_k, d_k]
  MatrixOf<Scalar> scores, weights;  // [heads n_q, n_k]
  MatrixOf<Scalar> context, output;  // [n_q, d_model]
};

/// Multi-head attention as written in the paper (Vaswani et al. 2017, section 3.2), single-threaded: the
/// reference that the kernels are tested and benchmarked against. Float or double. Cannot be stopped.
template <typename Scalar>
LayerMatrices<Scalar> attention_equation(const LayerWeights& layer, const AttentionRequest& request);

/// The same as a trace, like attend().
LayerTrace attend_by_equation(const LayerWeights& layer, const AttentionRequest& request);

}  // namespace headscope

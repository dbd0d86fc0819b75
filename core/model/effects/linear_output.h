#pragma once
#include <span>
#include <vector>

#include "core/base/matrix.h"
#include "core/model/run/model_run.h"

namespace headscope {

/// What of a run is held so that a logit is linear: the deviations that norms divide by, and besides …
enum class Held {
  norms,
  activations,  ///< the ratios of what they give to what they read, before the output
  cap,          ///< the share that a cap leaves of a logit
  similarity,   ///< the length of a picture's vector
  pooling,      ///< that, the weights of the pooling's attention and its activations (SigLIP)
};

/// Logits as a linear function of rows of the stream: directions.row(i) · x.row(i) + biases.
struct LinearOutput {
  std::vector<Index> rows;
  MatrixOf<double> directions;  ///< [rows, d_model] in the stream behind the last layer
  Eigen::VectorXd norm_bias;    ///< [rows] of the last norm
  Eigen::VectorXd output_bias;  ///< [rows] of what comes after it
  Held held = Held::norms;
};

inline MatrixOf<double> in_double(const Tensor& rows) {
  return as_matrix(rows).cast<double>();
}
/// Some rows of a tensor.
MatrixOf<double> picked_rows(const Tensor& rows, std::span<const Index> which);
/// Wᵀ directions: from what a product gives to what it reads [rows, in].
MatrixOf<double> before(const Dense& dense, const MatrixOf<double>& directions, const Kernels& kernels);
/// Directions behind a product without its bias; returns the bias's share of each row.
Eigen::VectorXd bias_shares(const Dense& dense, const MatrixOf<double>& directions);
/// Changes directions behind a norm, whose input was x, to those before it; returns the shares of its bias.
Eigen::VectorXd pass_back(const Norm& norm, const MatrixOf<double>& x, MatrixOf<double>& directions);

/// The logit of a token or label: at each of `rows`, or one of the whole as the sum over its text_rows().
LinearOutput linear_output(const ModelRun& run, std::vector<Index> rows, Index token,
                           const ComputeContext& context, const std::stop_token& stop = {});
/// The similarity_logit() of a picture's run and a text's projected vector.
LinearOutput linear_similarity(const ModelRun& run, const std::vector<double>& text,
                               const ComputeContext& context);

}  // namespace headscope

#pragma once
#include "core/attention/compute_context.h"
#include "core/model/rows/row_intermediates.h"

namespace headscope {

/// Weights of a norm.
struct Norm {
  enum class Kind {
    layer,  ///< (x - mean) / sqrt(variance + epsilon) weight + bias (Ba et al. 2016)
    rms,    ///< x / sqrt(mean x² + epsilon) weight (Zhang and Sennrich 2019)
    scale,  ///< x weight (LayerScale, Touvron et al. 2021)
  };
  Kind kind = Kind::layer;
  double epsilon = 1e-5;
  Tensor weight;  // [d] as multiplied (Gemma's 1 + w); empty: no norm at all
  Tensor bias;    // [d]; empty: none

  bool present() const { return !weight.empty(); }
};

/// One row, in place; sums in double.
void apply_norm(const Norm& norm, float* row, const Kernels& kernels);
/// The same with the weights of part `part`, where `norm` holds those of several such rows one after another.
void apply_norm_part(const Norm& norm, Index part, Index d, float* row, const Kernels& kernels);
/// Contiguous rows [rows, d], in place, in parallel.
void apply_norm(const Norm& norm, float* rows, Index count, const ComputeContext& context);
/// The same for x [n, d], which is left unchanged.
Tensor normed(const Norm& norm, const float* x, Index n, const ComputeContext& context);

/// Fills in mean, deviation and y.
NormedRow normed_row(NormedRow row);
/// The norm of one row x in double, with what is between.
NormedRow normed_row(const Norm& norm, const Eigen::RowVectorXd& x);

}  // namespace headscope

#pragma once
#include "core/attention/compute_context.h"
#include "core/model/config/config.h"

namespace headscope {

/// Applies the activation (see Activation) to `size` numbers in place.
void apply_activation(Activation kind, float* values, Index size, const Kernels& kernels);
/// Applies it to the rows of `x` in parallel, and multiplies them by those of `gated` unless that is empty.
void apply_activation(Activation kind, Tensor& x, const Tensor& gated, const ComputeContext& context);

}  // namespace headscope

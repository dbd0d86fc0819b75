#pragma once
#include "core/attention/forward.h"
#include "core/model/config.h"

namespace headscope {

/// The function of ModelConfig's comment on each value, of `size` numbers in place.
void apply_activation(Activation kind, float* values, Index size, const Kernels& kernels);
/// Rows of `x`, shared out over the threads; multiplied by those of `gated` where that is not empty.
void apply_activation(Activation kind, Tensor& x, const Tensor& gated, const ComputeContext& context);

}  // namespace headscope

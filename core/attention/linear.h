#pragma once
#include <span>
#include <stop_token>

#include "core/attention/compute_context.h"

namespace headscope {

/// y = x weightᵀ + bias, as torch.nn.Linear.
struct Linear {
  Tensor weight;  // [out, in]
  Tensor bias;    // [out]
};

/// A Linear packed for the kernels, which a small layer multiplies with again and again.
struct PackedLinear {
  Index in = 0, out = 0;
  Index panel = 0;                // columns per panel
  Tensor panels;                  // see Kernels
  Tensor bias;                    // [out rounded up to whole panels]
  double growth = 0, offset = 0;  // |x Wᵀ + b| <= growth max |x| + offset
};
PackedLinear pack_linear(const Linear& linear, const ComputeContext& context);
Linear unpack_linear(const PackedLinear& packed);

/// One product of several that run together: x [n, in] to y [groups, n, out / groups], the columns in equal
/// groups (heads), each stored separately.
struct Projection {
  const PackedLinear* linear = nullptr;
  const float* x = nullptr;
  float* y = nullptr;
  Index n = 0;
  Index groups = 1;
  float gain = 1;  ///< y = gain x Wᵀ + b
};
/// If stopped, the result is incomplete.
void project(std::span<const Projection> projections, const ComputeContext& context,
             const std::stop_token& stop);

/// x [n, in] to x Wᵀ + b, [n, out].
Tensor apply_linear(const PackedLinear& linear, const Tensor& x, const ComputeContext& context,
                    const std::stop_token& stop = {});

}  // namespace headscope

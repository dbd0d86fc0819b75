#pragma once
#include <span>

#include "core/attention/forward.h"

namespace headscope {

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
void project(std::span<const Projection> projections, const ComputeContext& context,
             const std::stop_token& stop);

/// Stores rows x columns of a tile (row stride ld) that begins at column `first` of y [groups, n, width], row
/// `row`.
void scatter(const float* tile, Index ld, Index rows, Index columns, Index first, Index row, Index n,
             Index width, float* y);

}  // namespace headscope

#pragma once
#include <array>

#include "core/attention/equation.h"
#include "core/attention/forward.h"

namespace headscope {

struct ForwardSize {
  Index n;
  int d_model;
  int heads;
};
/// What `headscope bench` times.
inline constexpr std::array<ForwardSize, 6> forward_sizes{
    {{10, 512, 8}, {64, 512, 8}, {128, 768, 12}, {512, 512, 8}, {1024, 768, 12}, {2048, 512, 8}}};

/// One layer and its input, as a seeded session has them.
class PreparedForward {
 public:
  PreparedForward(const ForwardSize& size, const ComputeContext& context);
  /// The forward pass with every intermediate kept.
  LayerTrace run() const { return attend(layer_, request_, context_); }
  /// The same by the equation in Eigen, on one thread.
  LayerTrace run_equation() const { return attend_by_equation(weights_, request_); }

 private:
  ComputeContext context_;
  LayerWeights weights_;
  PackedLayer layer_;
  AttentionRequest request_;
};

/// Floating-point operations of the products, 8 n d² + 4 n² d: two for each multiplication of projections,
/// scores, context and W_O.
double forward_operations(const ForwardSize& size);

/// The fused multiply-adds that all threads reach together out of registers, in 10⁹ operations a second: the
/// best of several short tries.
double measure_peak_gflops(const ComputeContext& context);

}  // namespace headscope

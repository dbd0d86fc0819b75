#include "core/model/steps/activation.h"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/base/matrix.h"
#include "core/base/round_up.h"

namespace headscope {
namespace {

/// Eigen's erf, which has the same bits with every C library; within 4e-7 of the true one.
template <typename Row>
auto erf_gelu(const Row& x) {
  return 0.5F * x * (1 + (x * 0.70710678F).erf());
}

}  // namespace

void apply_activation(Activation kind, float* values, Index size, const Kernels& kernels) {
  RowSpan x(values, size);
  switch (kind) {
    case Activation::gelu:
      x = erf_gelu(x);
      return;
    case Activation::gelu_tanh:  // Hendrycks and Gimpel 2016; 1.5957691 = 2 sqrt(2 / pi)
      return kernels.logistic_units(values, size, 1.5957691F, 1.5957691F * 0.044715F);
    case Activation::quick_gelu:
      return kernels.logistic_units(values, size, 1.702F, 0);
    case Activation::gelu_clipped:
      x = erf_gelu(x).max(-10.0F).min(10.0F);
      return;
    case Activation::relu:
      x = x.max(0.0F);
      return;
    case Activation::relu_squared:
      x = x.max(0.0F).square();
      return;
    case Activation::relu6:
      x = x.max(0.0F).min(6.0F);
      return;
    case Activation::leaky_relu:
      x = (x < 0).select(0.01F * x, x);
      return;
    case Activation::silu:
      return kernels.logistic_units(values, size, 1, 0);
    case Activation::mish:
      x = x.unaryExpr([](float v) { return v * std::tanh(v > 20 ? v : std::log1p(std::exp(v))); });
      return;
    case Activation::tanh:
      x = x.tanh();
      return;
    case Activation::sigmoid:
      x = x.logistic();
      return;
    case Activation::linear:
      return;
    case Activation::laplace:
      x = x.unaryExpr(
          [](float v) { return 0.5F * (1 + std::erf((v - 0.707107F) / (0.282095F * 1.41421356F))); });
      return;
  }
}

void apply_activation(Activation kind, Tensor& x, const Tensor& gated, const ComputeContext& context) {
  constexpr Index at_once = 4096;
  const ProfiledStep profiled(context, ComputeStep::activations);
  const Index size = x.size();
  context.threads.run(divide_up(size, at_once), ThreadPool::Schedule::dynamic, [&](Index piece, int) {
    const Index begin = piece * at_once, count = std::min(at_once, size - begin);
    apply_activation(kind, x.data() + begin, count, context.kernels);
    if (!gated.empty()) RowSpan(x.data() + begin, count) *= RowView(gated.data() + begin, count);
  });
}

}  // namespace headscope

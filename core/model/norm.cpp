#include "core/model/norm.h"

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"

namespace headscope {

void apply_norm(const Norm& norm, float* values) {
  const Index d = norm.weight.dim(0);
  RowSpan row(values, d);
  const RowView weight(norm.weight.data(), d);
  const auto x = row.cast<double>();
  if (norm.kind == Norm::Kind::rms) {
    row *= static_cast<float>(1 / std::sqrt(x.square().mean() + norm.epsilon));
    row *= weight;
    return;
  }
  const double mean = x.mean();
  const double variance = (x - mean).square().mean();
  row = ((x - mean) * (1 / std::sqrt(variance + norm.epsilon))).cast<float>() * weight;
  if (!norm.bias.empty()) row += RowView(norm.bias.data(), d);
}

void apply_norm(const Norm& norm, float* rows, Index count, const ComputeContext& context) {
  constexpr Index at_once = 16;
  const Index d = norm.weight.dim(0);
  context.threads.run((count + at_once - 1) / at_once, ThreadPool::Schedule::dynamic,
                      [&](Index piece, int) noexcept {
                        for (Index i = piece * at_once; i < std::min(count, (piece + 1) * at_once); ++i)
                          apply_norm(norm, rows + i * d);
                      });
}

Tensor normed(const Norm& norm, const float* x, Index n, const ComputeContext& context) {
  const Index d = norm.weight.dim(0);
  Tensor y = context.memory.take({n, d});
  std::copy_n(x, n * d, y.data());
  apply_norm(norm, y.data(), n, context);
  return y;
}

}  // namespace headscope

#include "core/attention/residual.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope {
namespace {

// LayerNorm(x + y), each part if it is on.
Tensor add_and_norm(const Tensor& x, const Tensor& y, const Inputs& inputs, const ComputeContext& context) {
  Tensor sum = context.memory.take(y.shape());
  const Index d = y.dim(1);
  context.threads.run(y.dim(0), ThreadPool::Schedule::dynamic, [&](Index row, int) noexcept {
    const std::span<float> to(sum.at(row), static_cast<std::size_t>(d));
    std::copy_n(y.at(row), d, to.begin());
    if (inputs.residual) std::transform(to.begin(), to.end(), x.at(row), to.begin(), std::plus<>());
    if (inputs.layer_norm) layer_norm(to);
  });
  return sum;
}

void relu(Tensor& x, const ComputeContext& context) {
  const Index d = x.dim(1);
  context.threads.run(x.dim(0), ThreadPool::Schedule::dynamic, [&](Index row, int) noexcept {
    float* values = x.at(row);
    for (Index i = 0; i < d; ++i) values[i] = std::max(values[i], 0.0F);
  });
}

}  // namespace

void layer_norm(std::span<float> row) {
  constexpr double epsilon = 1e-5;
  const auto d = static_cast<double>(row.size());
  double mean = 0, variance = 0;
  for (float value : row) mean += static_cast<double>(value);
  mean /= d;
  for (float value : row) variance += (value - mean) * (value - mean);
  const double factor = 1 / std::sqrt(variance / d + epsilon);
  for (float& value : row) value = static_cast<float>((value - mean) * factor);
}

Tensor next_input(const LayerTrace& layer, const PackedLayer& weights, const Inputs& inputs,
                  const ComputeContext& context, const std::stop_token& stop) {
  Tensor x = add_and_norm(layer.x, layer.output, inputs, context);
  if (!weights.up) return x;
  Tensor wide = apply_linear(*weights.up, x, context, stop);
  relu(wide, context);
  return add_and_norm(x, apply_linear(*weights.down, wide, context, stop), inputs, context);
}

}  // namespace headscope

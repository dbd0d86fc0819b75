#include "core/attention/residual.h"

#include <cmath>

namespace headscope {
namespace {

// LayerNorm(x + y), each part if enabled.
Tensor add_and_norm(const Tensor& x, const Tensor& y, const Inputs& inputs, const ComputeContext& context) {
  Tensor result = context.memory.take(y.shape());
  context.threads.run(y.dim(0), ThreadPool::Schedule::dynamic, [&](Index i, int) {
    RowSpan row = row_of(result, i);
    row = row_of(y, i);
    if (inputs.residual) row += row_of(x, i);
    if (inputs.layer_norm) layer_norm(row);
  });
  return result;
}

void relu(Tensor& x, const ComputeContext& context) {
  context.threads.run(x.dim(0), ThreadPool::Schedule::dynamic, [&](Index i, int) {
    RowSpan row = row_of(x, i);
    row = row.max(0.0F);
  });
}

}  // namespace

void layer_norm(RowSpan row) {
  constexpr double epsilon = 1e-5;
  const auto x = row.cast<double>();
  const auto d = static_cast<double>(row.size());
  const double mean = x.sum() / d;
  const double variance = (x - mean).square().sum() / d;
  row = ((x - mean) * (1 / std::sqrt(variance + epsilon))).cast<float>();
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

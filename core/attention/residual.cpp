#include "core/attention/residual.h"

#include <algorithm>
#include <cmath>

namespace headscope {
namespace {

// LayerNorm(x + y), each part if it is on.
Tensor join(const Tensor& x, const Tensor& y, const Inputs& inputs, const Machine& machine) {
  Tensor sum = machine.memory.take(y.shape());
  std::copy_n(y.data(), y.size(), sum.data());
  if (inputs.residual)
    for (Index i = 0; i < sum.size(); ++i) sum.data()[i] += x.data()[i];
  if (inputs.layer_norm) layer_norm(sum);
  return sum;
}

}  // namespace

void layer_norm(Tensor& x) {
  constexpr double epsilon = 1e-5;
  const Index d = x.dim(1);
  for (Index row = 0; row < x.dim(0); ++row) {
    float* values = x.at(row);
    double mean = 0, variance = 0;
    for (Index i = 0; i < d; ++i) mean += static_cast<double>(values[i]);
    mean /= static_cast<double>(d);
    for (Index i = 0; i < d; ++i) variance += (values[i] - mean) * (values[i] - mean);
    const double factor = 1 / std::sqrt(variance / static_cast<double>(d) + epsilon);
    for (Index i = 0; i < d; ++i) values[i] = static_cast<float>((values[i] - mean) * factor);
  }
}

Tensor next_input(const LayerTrace& layer, const PackedLayer& weights, const Inputs& inputs,
                  const Machine& machine) {
  Tensor x = join(layer.x, layer.output, inputs, machine);
  if (!weights.up) return x;
  Tensor wide = apply_linear(*weights.up, x, machine);
  std::transform(wide.data(), wide.data() + wide.size(), wide.data(),
                 [](float v) { return std::max(v, 0.0F); });
  return join(x, apply_linear(*weights.down, wide, machine), inputs, machine);
}

}  // namespace headscope

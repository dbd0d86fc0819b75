#include <algorithm>

#include "core/attention/forward.h"
#include "core/attention/projection.h"
#include "core/base/matrix.h"

namespace headscope {

PackedLinear pack_linear(const Linear& linear, const ComputeContext& context) {
  const Kernels& kernels = context.kernels;
  PackedLinear packed;
  packed.out = linear.weight.dim(0);
  packed.in = linear.weight.dim(1);
  packed.panel = kernels.panel;
  const Index panels = (packed.out + kernels.panel - 1) / kernels.panel;
  packed.panels = context.memory.take({packed_size(kernels, packed.out, packed.in)});
  packed.bias = Tensor({panels * kernels.panel});
  std::fill_n(packed.bias.data(), packed.bias.size(), 0.0F);
  std::copy_n(linear.bias.data(), packed.out, packed.bias.data());
  packed.growth = static_cast<double>(as_matrix(linear.weight).cwiseAbs().rowwise().sum().maxCoeff());
  packed.offset = static_cast<double>(RowView(linear.bias.data(), packed.out).abs().maxCoeff());
  context.threads.run(panels, ThreadPool::Schedule::dynamic, [&](Index p, int) {
    const Index first = p * kernels.panel, columns = std::min(kernels.panel, packed.out - first);
    kernels.pack_rows(linear.weight.data() + first * packed.in, packed.in, columns, packed.in,
                      packed.panels.data() + first * packed.in);
  });
  return packed;
}

Linear unpack_linear(const PackedLinear& packed) {
  Linear linear{Tensor({packed.out, packed.in}), Tensor({packed.out})};
  std::copy_n(packed.bias.data(), packed.out, linear.bias.data());
  for (Index row = 0; row < packed.out; ++row) {
    const float* panel = packed.panels.data() + row / packed.panel * packed.panel * packed.in;
    for (Index i = 0; i < packed.in; ++i)
      linear.weight.at(row)[i] = panel[i * packed.panel + row % packed.panel];
  }
  return linear;
}

PackedLayer pack_layer(const LayerWeights& weights, const ComputeContext& context) {
  PackedLayer layer;
  if (context.engine == ComputeEngine::eigen) layer.unpacked = weights;
  layer.q = pack_linear(weights.q, context);
  layer.k = pack_linear(weights.k, context);
  layer.v = pack_linear(weights.v, context);
  layer.o = pack_linear(weights.o, context);
  if (weights.up) layer.up = pack_linear(*weights.up, context);
  if (weights.down) layer.down = pack_linear(*weights.down, context);
  return layer;
}

Tensor apply_linear(const PackedLinear& linear, const Tensor& x, const ComputeContext& context,
                    const std::stop_token& stop) {
  Tensor y = context.memory.take({x.dim(0), linear.out});
  const Projection projection{&linear, x.data(), y.data(), x.dim(0), 1, 1.0F};
  project({&projection, 1}, context, stop);
  return y;
}

}  // namespace headscope

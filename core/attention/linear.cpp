#include <algorithm>

#include "core/attention/forward.h"
#include "core/attention/projection.h"

namespace headscope {

PackedLinear pack_linear(const Linear& linear, double gain, const Machine& machine) {
  const Kernels& kernels = machine.kernels;
  PackedLinear packed;
  packed.out = linear.weight.dim(0);
  packed.in = linear.weight.dim(1);
  const Index panels = (packed.out + kernels.panel - 1) / kernels.panel;
  packed.panels = machine.memory.take({packed_size(kernels, packed.out, packed.in)});
  packed.bias = Tensor({panels * kernels.panel});
  std::fill_n(packed.bias.data(), packed.bias.size(), 0.0F);
  std::copy_n(linear.bias.data(), packed.out, packed.bias.data());
  const auto factor = static_cast<float>(gain);
  machine.threads.run(panels, ThreadPool::Schedule::dynamic, [&](Index p, int) noexcept {
    const Index first = p * kernels.panel, columns = std::min(kernels.panel, packed.out - first);
    float* to = packed.panels.data() + first * packed.in;
    kernels.pack_rows(linear.weight.data() + first * packed.in, packed.in, columns, packed.in, to);
    if (factor != 1.0F)
      for (Index i = 0; i < kernels.panel * packed.in; ++i) to[i] *= factor;
  });
  return packed;
}

PackedLayer pack_layer(const LayerWeights& weights, double gain_q, double gain_k, const Machine& machine) {
  PackedLayer layer;
  layer.q = pack_linear(weights.q, gain_q, machine);
  layer.k = pack_linear(weights.k, gain_k, machine);
  layer.v = pack_linear(weights.v, 1, machine);
  layer.o = pack_linear(weights.o, 1, machine);
  if (weights.up) layer.up = pack_linear(*weights.up, 1, machine);
  if (weights.down) layer.down = pack_linear(*weights.down, 1, machine);
  return layer;
}

Tensor apply_linear(const PackedLinear& linear, const Tensor& x, const Machine& machine) {
  Tensor y = machine.memory.take({x.dim(0), linear.out});
  const Projection projection{&linear, x.data(), y.data(), x.dim(0), 1};
  project({&projection, 1}, machine);
  return y;
}

}  // namespace headscope

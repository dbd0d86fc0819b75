#include "core/source/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/model/seeded_layer.h"

namespace headscope {

PreparedForward::PreparedForward(const ForwardSize& size, const ComputeContext& context) : context_(context) {
  Inputs inputs;
  inputs.d_model = size.d_model;
  inputs.heads = size.heads;
  TorchRandom random(inputs.seed);
  weights_ = draw_layer(inputs, random);
  layer_ = pack_layer(weights_, context);
  Tensor x({size.n, size.d_model});
  random.normal(x.data(), x.size(), 0, 1);
  request_.x = request_.key_x = x;
  request_.heads = request_.kv_heads = size.heads;
  const int d_k = size.d_model / size.heads;
  request_.scale = 1 / std::sqrt(static_cast<float>(d_k));
}

double forward_operations(const ForwardSize& size) {
  const auto n = static_cast<double>(size.n);
  const double d = size.d_model;
  return 8 * n * d * d + 4 * n * n * d;
}

double measure_peak_gflops(const ComputeContext& context) {
  constexpr int tries = 12;
  constexpr long rounds = 200'000;  // some milliseconds
  struct alignas(64) Slot {
    float sink[2] = {0.999F, 0.001F};
    double operations = 0;
  };
  std::vector<Slot> slots(static_cast<std::size_t>(context.threads.size()));
  double best = 0;
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    context.threads.run(context.threads.size(), ThreadPool::Schedule::fixed, [&](Index, int thread) noexcept {
      Slot& slot = slots[static_cast<std::size_t>(thread)];
      slot.sink[0] = 0.999F;
      slot.operations = context.kernels.spin_multiply_adds(rounds, slot.sink);
    });
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    double operations = 0;
    for (const Slot& slot : slots) operations += slot.operations;
    best = std::max(best, operations / took.count());
  }
  return best;
}

}  // namespace headscope

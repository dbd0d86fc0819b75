#include "core/source/seeded/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/attention/streamed_pass.h"
#include "core/attention/streamed_rows.h"
#include "core/model/seeded/seeded_layer.h"
#include "core/source/seeded/seeded_maps.h"
#include "core/system/machine_memory.h"

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
  without_maps_ = request_;
  without_maps_.keep_scores = false;
  without_maps_.keep_heads = std::vector<int>();
}

namespace {

template <typename Body>
double best_milliseconds(const Body& body) {
  constexpr int fewest = 2, maximum = 50;
  constexpr double enough = 2000;
  double best = INFINITY, all = 0;
  for (int i = 0; i < maximum && (i < fewest || all < enough); ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    all += took.count();
  }
  return best;
}

Tensor normal_rows(TorchRandom& random, Index n, Index d) {
  Tensor rows({1, n, d});
  random.normal(rows.data(), rows.size(), 0, 1);
  return rows;
}

AttentionRule long_rule(Index n, bool windowed) {
  AttentionRule rule;
  rule.scale = 0.125F;
  if (!windowed) return rule;
  const std::vector<Token> tokens(n);
  rule.mask =
      std::make_shared<const Mask>(build_mask(std::vector{parse_mask_part(long_mask)}, tokens, tokens, 1));
  return rule;
}

}  // namespace

LongTimes measure_long(Index tokens, int thread_count) {
  ThreadPool threads(thread_count);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  LongTimes times;
  times.tokens = tokens;
  times.threads = threads.size();
  times.instruction_set = context.kernels.name;
  TorchRandom random(42);
  const Tensor q = normal_rows(random, tokens, times.d_k), k = normal_rows(random, tokens, times.d_k),
               v = normal_rows(random, tokens, times.d_k);
  const auto look_at_peak = [&] {
    times.peak_gflops = std::max(times.peak_gflops, measure_peak_gflops(context));
  };
  const auto time_pass = [&](bool with_context, bool windowed) {
    const AttentionRule rule = long_rule(tokens, windowed);
    const HeadRows values(v);
    StreamedRequest request;
    request.queries = request.keys = (tokens + 1023) / 1024;
    if (with_context) request.values = &values;
    look_at_peak();
    const double ms = best_milliseconds([&] {
      const StreamedMap map = stream_map(HeadRows(q), HeadRows(k), rule, 0, request, context);
      if (windowed)
        times.windowed_cells =
            static_cast<double>(map.cells) / (static_cast<double>(tokens) * static_cast<double>(tokens));
    });
    look_at_peak();
    return ms;
  };
  times.overview_ms = time_pass(false, false);
  times.windowed_ms = time_pass(false, true);
  times.context_ms = time_pass(true, false);
  std::vector<RowNumbers> rows(tokens);
  const AttentionRule rule = long_rule(tokens, false);
  times.statistics_ms =
      best_milliseconds([&] { stream_rows(HeadRows(q), HeadRows(k), rule, 0, {}, context, rows); });
  look_at_peak();
  times.resident_bytes = max_resident_memory();
  if (times.map_bytes() < static_cast<double>(available_memory()) / 4) {
    const SeededMaps maps({1, 1, tokens, tokens}, {{{q, k, v, rule}, {}, {}, {}}}, context);
    const std::vector<int> first{0};
    times.full_ms = best_milliseconds([&] { maps.maps(0, first); });
  }
  return times;
}

double forward_operations(const ForwardSize& size) {
  const auto n = static_cast<double>(size.n);
  const double d = size.d_model;
  return 8 * n * d * d + 4 * n * n * d;
}

double measure_peak_gflops(const ComputeContext& context) {
  constexpr int tries = 12;
  constexpr int rounds = 200'000;  // some milliseconds
  struct alignas(64) Slot {
    float sink[2] = {0.999F, 0.001F};
    double operations = 0;
  };
  std::vector<Slot> slots(context.threads.size());
  double best = 0;
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    context.threads.run(context.threads.size(), ThreadPool::Schedule::affinity, [&](Index piece, int) {
      Slot& slot = slots[piece];
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

#include "app/cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/attention/engine.h"
#include "core/attention/forward.h"
#include "core/figure/figure.h"

namespace headscope {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Repeats for about half a second, at least five times, after one round that fills caches and memory pools.
template <typename Run>
double median_milliseconds(const Run& run) {
  run();
  std::vector<double> times;
  const Clock::time_point start = Clock::now();
  while (times.size() < 5 || (times.size() < 2000 && milliseconds_since(start) < 500)) {
    const Clock::time_point before = Clock::now();
    run();
    times.push_back(milliseconds_since(before));
  }
  return median(std::move(times));
}

// The machine's own fused multiply-adds on all threads at once, the best of several short rounds.
double peak_gflops(const Machine& machine) {
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    std::vector<double> operations(static_cast<std::size_t>(machine.threads.size()));
    const Clock::time_point start = Clock::now();
    machine.threads.run(machine.threads.size(), ThreadPool::Schedule::fixed, [&](Index piece, int) noexcept {
      float sink[2] = {0.999F, 0.001F};
      constexpr long rounds = 2'000'000;
      operations[static_cast<std::size_t>(piece)] = machine.kernels.spin_multiply_adds(rounds, sink);
    });
    double sum = 0;
    for (double count : operations) sum += count;
    best = std::max(best, sum / milliseconds_since(start) / 1e6);
  }
  return best;
}

struct Size {
  Index n;
  int d_model, heads;
};
constexpr Size sizes[] = {{10, 512, 8},  {64, 512, 8},    {128, 768, 12},
                          {512, 512, 8}, {1024, 768, 12}, {2048, 512, 8}};

// Products counted as 8 n d² + 4 n² d, of which softmax and the rest are no part.
double operations(const Size& size) {
  const auto n = static_cast<double>(size.n), d = static_cast<double>(size.d_model);
  return 8 * n * d * d + 4 * n * n * d;
}

double attention_milliseconds(const Size& size, const Machine& machine) {
  Inputs inputs;
  inputs.d_model = size.d_model;
  inputs.heads = size.heads;
  TorchRandom random(inputs.seed);
  const PackedLayer layer = pack_layer(draw_layer(inputs, random), machine);
  AttentionRequest request;
  request.x = Tensor({size.n, size.d_model});
  random.normal(request.x.data(), request.x.size(), 0, 1);
  request.key_x = request.x;
  request.heads = request.kv_heads = size.heads;
  request.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(size.d_model / size.heads)));
  return median_milliseconds([&] { attend(layer, request, machine); });
}

double figure_milliseconds() {
  Engine engine;
  const Session session;
  const auto trace = engine.run(session.inputs);
  return median_milliseconds([&] { figure_png(*trace, session, {}); });
}

}  // namespace

void run_bench(const BenchRequest& request) {
  ThreadPool threads(request.threads);
  BufferPool memory;
  const Machine machine{best_kernels(), threads, memory};
  const double peak = peak_gflops(machine);
  nlohmann::ordered_json result{
      {"peak_gflops", peak}, {"threads", threads.size()}, {"instruction_set", machine.kernels.name}};
  if (!request.json) {
    fmt::print("{} threads, {}, peak {:.0f} GFLOP/s\n\n", threads.size(), machine.kernels.name, peak);
    fmt::print("{:>6} {:>8} {:>6} {:>10} {:>9} {:>7}\n", "n", "d_model", "heads", "ms", "GFLOP/s", "peak");
  }
  for (const Size& size : sizes) {
    const double ms = attention_milliseconds(size, machine), gflops = operations(size) / ms / 1e6;
    result["attention"].push_back({{"n", size.n},
                                   {"d_model", size.d_model},
                                   {"heads", size.heads},
                                   {"ms", ms},
                                   {"gflops", gflops},
                                   {"share_of_peak", gflops / peak}});
    if (!request.json)
      fmt::print("{:>6} {:>8} {:>6} {:>10.3f} {:>9.1f} {:>6.0f}%\n", size.n, size.d_model, size.heads, ms,
                 gflops, 100 * gflops / peak);
  }
  result["figure_ms"] = figure_milliseconds();
  if (request.json)
    fmt::print("{}\n", result.dump(2));
  else
    fmt::print("\nfigure {:.1f} ms\n", result["figure_ms"].get<double>());
}

}  // namespace headscope

// The parts of the forward pass, for performance tuning: build and run the target headscope_benchmarks.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "core/base/flush_denormals.h"
#include "core/figure/figure.h"
#include "core/model/seeded/torch_random.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/seeded/measure.h"
#include "tests/bench/busy_process.h"

namespace headscope {
namespace {

void multiply(benchmark::State& state) {
  const Kernels& kernels = best_kernels();
  const Index m = state.range(0), n = state.range(1), k = state.range(2);
  Tensor a({m, k}), b({n, k}), c({m, n});
  Tensor packed({packed_size(kernels, n, k)});
  TorchRandom random(1);
  random.normal(a.data(), a.size(), 0, 1);
  random.normal(b.data(), b.size(), 0, 1);
  kernels.pack_rows(b.data(), k, n, k, packed.data());
  for (auto _ : state)
    kernels.multiply(a.data(), k, packed.data(), nullptr, 1, c.data(), n, m, k, n / kernels.panel);
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(m * n * k),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(multiply)->Args({10, 512, 512})->Args({48, 512, 512})->Args({48, 2048, 64})->Args({48, 64, 2048});

void softmax(benchmark::State& state) {
  const Kernels& kernels = best_kernels();
  const Index n = state.range(0);
  Tensor scores({n}), row({n + kernels.panel}), kept({2, n});
  TorchRandom(1).normal(scores.data(), n, 0, 3);
  const FlushDenormals flush;
  for (auto _ : state) {
    std::copy_n(scores.data(), n, row.data());
    kernels.softmax(row.data(), nullptr, 0, 1, -INFINITY, n, kept.at(0), kept.at(1), false);
  }
  kernels.store_fence();
  state.SetItemsProcessed(state.iterations() * n);
}
BENCHMARK(softmax)->Arg(16)->Arg(128)->Arg(512)->Arg(2048);

void forward(benchmark::State& state) {
  const ForwardSize& size = forward_sizes[static_cast<std::size_t>(state.range(0))];
  ThreadPool threads;
  BufferPool memory;
  const PreparedForward prepared(size, {best_kernels(), threads, memory});
  prepared.run();  // also allocates the pages of its memory
  for (auto _ : state) benchmark::DoNotOptimize(prepared.run());
  state.counters["n"] = static_cast<double>(size.n);
  state.counters["GFLOP/s"] =
      benchmark::Counter(forward_operations(size) * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(forward)->DenseRange(0, 5)->UseRealTime()->Unit(benchmark::kMillisecond);

// With one thread and with two, means: a thread that waits for a busy core does so rarely and for long.
void forward_beside_a_busy_process(benchmark::State& state) {
  ThreadPool threads(static_cast<int>(state.range(1)));
  BufferPool memory;
  const PreparedForward prepared(forward_sizes[static_cast<std::size_t>(state.range(0))],
                                 {best_kernels(), threads, memory});
  prepared.run();
  const BusyProcess neighbour;
  for (auto _ : state) benchmark::DoNotOptimize(prepared.run());
}
BENCHMARK(forward_beside_a_busy_process)
    ->ArgsProduct({benchmark::CreateDenseRange(0, 5, 1), {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// As in the window: inputs to trace, while the temperature is dragged.
void engine(benchmark::State& state) {
  Engine runner;
  Inputs inputs;
  inputs.sentence.clear();
  for (Index i = 0; i < state.range(0); ++i) inputs.sentence += "word ";
  for (auto _ : state) {
    inputs.temperature = inputs.temperature > 1.5 ? 1 : 2;
    benchmark::DoNotOptimize(runner.run(inputs));
  }
}
BENCHMARK(engine)->Arg(10)->Arg(512)->Arg(2048)->UseRealTime()->Unit(benchmark::kMillisecond);

void figure(benchmark::State& state) {
  const Session session;
  const Scene scene = scene_of(session, Engine().run(session.inputs));
  for (auto _ : state) benchmark::DoNotOptimize(figure_png(scene, to_json(session), FigureOptions{}));
}
BENCHMARK(figure)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headscope

BENCHMARK_MAIN();

#include "core/model/effects/measure_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/base/round_up.h"
#include "core/model/effects/causes.h"
#include "core/model/run/model_run.h"

namespace headscope {
namespace {

// Profiles body(context).
template <typename Body>
StepTimes step_times(const ComputeContext& context, ComputeProfile& profile, const Body& body) {
  constexpr double to_ms = 1e-6;
  ComputeContext profiled = context;
  profiled.profile = &profile;
  const ProfiledStep::Clock::time_point start = ProfiledStep::Clock::now();
  body(profiled);
  const std::chrono::duration<double, std::nano> took = ProfiledStep::Clock::now() - start;
  StepTimes times{};
  times.back() = to_ms * took.count() * context.threads.size();
  for (std::size_t i = 0; i < profile.steps.size(); ++i) {
    times[i] = to_ms * static_cast<double>(profile.steps[i]);
    times.back() -= times[i];
  }
  return times;
}

// n tokens of the vocabulary.
ModelInput some_tokens(const LanguageModel& model, Index n) {
  ModelInput input;
  for (Index i = 0; i < n; ++i) input.ids.push_back(i * 7919 % model.config().vocabulary);
  return input;
}

}  // namespace

double measure_reading(Index floats, const ComputeContext& context) {
  constexpr Index row_length = 4096, rows = 4;
  constexpr int fewest = 5;
  constexpr double enough = 3e7;  // nanoseconds
  const Index pieces = divide_up(floats, rows * row_length);
  Tensor memory = context.memory.take({pieces, rows, row_length});
  context.threads.run(pieces, ThreadPool::Schedule::affinity, [&](Index piece, int) noexcept {
    std::fill_n(memory.at(piece), rows * row_length, 1.0F);
  });
  const std::vector<float> row(row_length, 1.0F);
  double best = INFINITY, all = 0;
  for (int i = 0; i < fewest || all < enough; ++i) {
    const ProfiledStep::Clock::time_point start = ProfiledStep::Clock::now();
    context.threads.run(pieces, ThreadPool::Schedule::affinity, [&](Index piece, int) noexcept {
      std::array<float, rows> sums;
      context.kernels.dot(memory.at(piece), row_length, rows, row_length, row.data(), sums.data());
    });
    const std::chrono::duration<double, std::nano> took = ProfiledStep::Clock::now() - start;
    best = std::min(best, took.count());
    all += took.count();
  }
  return static_cast<double>(memory.size()) * sizeof(float) / best;
}

ModelTimes measure_model(const std::string& folder, const ComputeContext& context, bool profile) {
  constexpr int tries = 5, tokens = 20;
  std::shared_ptr<const LanguageModel> model;
  ModelTimes times;
  times.load_ms = median_milliseconds(
      0, [&] { model = LanguageModel::open(folder, read_config(folder), context); }, tries);
  if (!model->config().causal || !model->head() || model->config().output.kind != OutputKind::tokens)
    throw input_error("{}: {} does not continue a text; expected a causal language model", folder,
                      to_name(model->config().family));
  std::shared_ptr<const ModelRun> run;
  constexpr Index beyond_caches = Index{1} << 26;
  if (profile) times.profile.emplace().memory_gb_per_s = measure_reading(beyond_caches, context);
  const auto continued = [&](ModelRequest request, const ComputeContext& with) {
    const Index n = std::ssize(request.input.ids);
    run = ModelRun::run(model, std::move(request), with);
    (void)run->logits(n - 1, n, with);
  };
  const auto prefill = [&](Index n, double& ms, StepTimes* steps) {
    if (model->config().longest().value_or(n) < n) return;
    const ModelRequest request{some_tokens(*model, n), {}, nullptr, {}, {}, true};
    ms = median_milliseconds(
        0, [&] { continued(request, context); }, tries);
    ComputeProfile counted;
    if (steps != nullptr)
      *steps = step_times(context, counted, [&](const auto& with) { continued(request, with); });
  };
  prefill(1024, times.prefill_1024_ms, profile ? &times.profile->prefill_1024 : nullptr);
  prefill(128, times.prefill_128_ms, profile ? &times.profile->prefill_128 : nullptr);
  Index n = 128;
  if (model->config().longest().value_or(n + tokens + 2) <= n + tokens + 1) return times;
  const auto next_token = [&](const ComputeContext& with) {
    continued({some_tokens(*model, ++n), {}, run, {}, {}}, with);
  };
  times.next_token_ms = median_milliseconds(
      0, [&] { next_token(context); }, tokens);
  if (profile) {
    ComputeProfile counted;
    times.profile->next_token = step_times(context, counted, next_token);
    times.profile->next_token_bytes = static_cast<double>(counted.bytes_read);
  }
  return times;
}

CauseTimes measure_causes(const std::string& folder, const ComputeContext& context) {
  constexpr Index tokens = 20;
  constexpr int tries = 3;
  const auto model = LanguageModel::open(folder, read_config(folder), context);
  if (model->config().encoder_decoder() || !model->head())
    throw input_error("{}: {} does not continue a text; expected a causal language model", folder,
                      to_name(model->config().family));
  const ModelRequest request{some_tokens(*model, tokens), {}, nullptr, {}, {}};
  const auto run = ModelRun::run(model, request, context);
  CauseTimes times;
  for (const ModelBlock& block : model->blocks()) times.heads += static_cast<int>(block.layers * block.heads);
  CauseRequest question;
  question.question.position = tokens - 1;
  times.layers_above_ms = median_milliseconds(
      0, [&] { (void)find_causes(*run, nullptr, question, context); }, tries);
  ModelRequest without = request;
  AttentionChange off;
  off.ablated_heads = {0};
  without.changes.set(model->blocks().front().kind, 0, off);
  times.whole_passes_ms = times.heads * median_milliseconds(
                                            0,
                                            [&] {
                                              const auto pass = ModelRun::run(model, without, context);
                                              (void)pass->logits(tokens - 1, tokens, context);
                                            },
                                            tries);
  return times;
}

}  // namespace headscope

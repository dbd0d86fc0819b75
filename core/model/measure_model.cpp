#include "core/model/measure_model.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/model/model_run.h"

namespace headscope {
namespace {

template <typename Body>
double best_milliseconds(int tries, const Body& body) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

// So many tokens of the vocabulary.
ModelInput some_tokens(const LanguageModel& model, Index n) {
  ModelInput input;
  for (Index i = 0; i < n; ++i) input.ids.push_back(i * 7919 % model.config().vocabulary);
  return input;
}

}  // namespace

ModelTimes measure_model(const std::string& folder, const ComputeContext& context) {
  constexpr int tries = 5;
  std::shared_ptr<const LanguageModel> model;
  ModelTimes times;
  times.load_ms = best_milliseconds(2, [&] { model = LanguageModel::open(folder, context); });
  if (!model->config().causal || !model->head())
    throw input_error("{}: {} does not continue a text; expected a causal language model", folder,
                      to_name(model->config().family));
  std::shared_ptr<const ModelRun> run;
  const auto prefill = [&](Index n) {
    ModelRequest request{some_tokens(*model, n), {}, nullptr, {}, {}};
    request.last_alone = true;
    return best_milliseconds(tries, [&] {
      run = ModelRun::run(model, request, context);
      (void)run->logits(n - 1, n, context);
    });
  };
  const auto has_positions = [&](Index n) { return model->config().longest().value_or(n) >= n; };
  if (has_positions(1024)) times.prefill_1024_ms = prefill(1024);
  times.prefill_128_ms = prefill(128);
  Index n = 128;
  times.next_token_ms = best_milliseconds(2 * tries, [&] {
    run = ModelRun::run(model, {some_tokens(*model, ++n), {}, run, {}, {}}, context);
    (void)run->logits(n - 1, n, context);
  });
  return times;
}

}  // namespace headscope

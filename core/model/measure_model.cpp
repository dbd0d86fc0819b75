#include "core/model/measure_model.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/model/model_run.h"

namespace headscope {
namespace {

// The median of some tries after one to warm up.
template <typename Body>
double median_of(int tries, const Body& body) {
  body();
  std::vector<double> times;
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::nth_element(times, times.begin() + tries / 2);
  return times[static_cast<std::size_t>(tries / 2)];
}

// So many tokens of the vocabulary.
ModelInput some_tokens(const LanguageModel& model, Index n) {
  ModelInput input;
  for (Index i = 0; i < n; ++i) input.ids.push_back(i * 7919 % model.config().vocabulary);
  return input;
}

}  // namespace

ModelTimes measure_model(const std::string& folder, const ComputeContext& context) {
  constexpr int tries = 5, tokens = 20;
  std::shared_ptr<const LanguageModel> model;
  ModelTimes times;
  times.load_ms =
      median_of(tries, [&] { model = LanguageModel::open(folder, read_config(folder), context); });
  if (!model->config().causal || !model->head())
    throw input_error("{}: {} does not continue a text; expected a causal language model", folder,
                      to_name(model->config().family));
  std::shared_ptr<const ModelRun> run;
  const auto prefill = [&](Index n) {
    if (model->config().longest().value_or(n) < n) return 0.0;
    ModelRequest request{some_tokens(*model, n), {}, nullptr, {}, {}, true};
    return median_of(tries, [&] {
      run = ModelRun::run(model, request, context);
      (void)run->logits(n - 1, n, context);
    });
  };
  times.prefill_1024_ms = prefill(1024);
  times.prefill_128_ms = prefill(128);
  if (Index n = 128; model->config().longest().value_or(n + tokens + 1) > n + tokens)
    times.next_token_ms = median_of(tokens, [&] {
      run = ModelRun::run(model, {some_tokens(*model, ++n), {}, run, {}, {}}, context);
      (void)run->logits(n - 1, n, context);
    });
  return times;
}

}  // namespace headscope

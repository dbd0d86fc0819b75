#include "core/source/engine.h"

#include <algorithm>
#include <utility>

#include "core/inputs/cost.h"
#include "core/source/seeded_source.h"

namespace headscope {

std::shared_ptr<const Source> OpenSources::open(const Inputs& inputs) {
  const LayerParameters& key = inputs;
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(seeded_, key, [](const auto& source) { return source->key(); });
  if (found != seeded_.end())
    std::rotate(seeded_.begin(), found, found + 1);
  else
    seeded_.push_front(std::make_shared<const SeededSource>(key));
  if (seeded_.size() > most) seeded_.pop_back();
  return seeded_.front();
}

Engine::Engine(int threads, BufferPool memory, std::shared_ptr<OpenSources> sources)
    : threads_(threads), memory_(std::move(memory)), sources_(std::move(sources)) {}

std::shared_ptr<const Trace> Engine::run(const Inputs& inputs, const RunOptions& options,
                                         std::stop_token stop) {
  validate(inputs);
  return sources_->open(inputs)->run(inputs, options, {best_kernels(), threads_, memory_, asked_engine()},
                                     stop);
}

double expected_milliseconds(const Inputs& inputs, Index n_q, Index n_k, const Trace* previous) {
  // Typical of two recent cores, in operations or elements a millisecond.
  constexpr double products = 60e6, cells = 2e6, draws = 150e3;
  const double n = static_cast<double>(n_q * n_k) * inputs.heads * inputs.layers;
  double expected = static_cast<double>(multiply_count(inputs, n_q, n_k)) / products + n / cells;
  expected += static_cast<double>((n_q + n_k) * inputs.d_model) / draws;
  const LayerParameters& key = inputs;
  if (previous == nullptr || previous->source == nullptr || !(previous->inputs == key))
    expected += static_cast<double>(parameter_count(inputs)) / draws;
  return expected;
}

}  // namespace headscope

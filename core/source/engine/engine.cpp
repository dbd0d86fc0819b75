#include "core/source/engine/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/inputs/cost.h"
#include "core/model/weights/built_in_models.h"
#include "core/source/capture/capture_source.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/model/model_source.h"
#include "core/source/seeded/seeded_source.h"

namespace headscope {
namespace {

constexpr std::size_t max_open = 2;  // both sides of a comparison

// A file, its size and its time.
std::string file_identity(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  const std::string name = error ? path : whole.string();
  const auto size = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  return fmt::format("{}\n{} {}", name, size, time);
}

// The folder, and the names, sizes and times of its files.
std::string identity_of(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::set<std::string> files;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const auto size = it->file_size(gone);
    if (gone) continue;
    files.insert(fmt::format("{} {} {}", it->path().filename().string(), size,
                             it->last_write_time(gone).time_since_epoch().count()));
  }
  if (files.empty()) files.insert(file_identity(folder));  // a GGUF file
  const fs::path whole = fs::weakly_canonical(folder, error);
  return fmt::format("{}\n{}", error ? folder : whole.string(), fmt::join(files, "\n"));
}

}  // namespace

std::shared_ptr<const Source> OpenSources::open(const Inputs& inputs, const ComputeContext& context) {
  if (inputs.trained()) return open_model(inputs.model, context);
  if (inputs.captured()) return open_capture(inputs.capture);
  const LayerParameters& key = inputs;
  const std::lock_guard lock(seeding_);
  std::shared_ptr<const SeededSource> source = seeded_.find(key);
  if (source) return source;
  source = std::make_shared<const SeededSource>(key);
  seeded_.keep(key, source, max_open);
  return source;
}

template <typename Kind, typename Make>
std::shared_ptr<const Kind> OpenSources::find_or(Opened<Kind>& opened, const std::string& identity,
                                                 const Make& make) {
  const std::lock_guard one_at_a_time(opening_);
  std::shared_ptr<const Kind> source = opened.find(identity);
  if (source) return source;
  source = make();
  opened.keep(identity, source, max_open);
  return source;
}

std::shared_ptr<const Source> OpenSources::find_model(const std::string& model) {
  return model.empty() ? nullptr : models_.find(identity_of(folder_of_model(model)));
}

std::shared_ptr<const ModelSource> OpenSources::open_model(const std::string& model,
                                                           const ComputeContext& context,
                                                           LoadProgress* progress) {
  const std::string folder = folder_of_model(model);
  expect_installed(model);
  return find_or(models_, identity_of(folder), [&] { return ModelSource::open(folder, context, progress); });
}

std::shared_ptr<const CaptureSource> OpenSources::open_capture(const std::string& path) {
  return find_or(captures_, file_identity(path), [&] { return CaptureSource::open(path); });
}

Engine::Engine(int threads, BufferPool memory, std::shared_ptr<OpenSources> sources)
    : threads_(threads), memory_(std::move(memory)), sources_(std::move(sources)) {}

std::shared_ptr<const Trace> Engine::run(const Inputs& inputs, const RunOptions& options,
                                         std::stop_token stop) {
  validate(inputs);
  check_parameter_count(inputs);
  const ComputeContext compute = context();
  const BufferPool::Use use(memory_);
  return sources_->open(inputs, compute)->run(inputs, options, compute, stop);
}

ComputeContext Engine::context() {
  return {best_kernels(), threads_, memory_, requested_engine()};
}

std::shared_ptr<const ModelSource> Engine::open_model(const std::string& model, LoadProgress* progress) {
  return sources_->open_model(model, context(), progress);
}

double expected_milliseconds(const Inputs& inputs, Index n_q, Index n_k, const Trace* previous) {
  if (!inputs.seeded()) {
    const bool known = previous != nullptr && previous->source != nullptr &&
                       previous->inputs.model == inputs.model && previous->inputs.capture == inputs.capture &&
                       previous->blocks.front().n_q() > 0;
    if (!known) return 1000;  // its files must be read, too
    const double longer = static_cast<double>(n_q) / static_cast<double>(previous->blocks.front().n_q());
    return previous->milliseconds * std::max(1.0, longer * longer);
  }
  const LayerParameters& key = inputs;
  const bool draws = previous == nullptr || previous->source == nullptr || !(previous->inputs == key);
  return 1000 * forecast_of_run(inputs, n_q, n_k, 1, draws, 0).seconds;
}

}  // namespace headscope

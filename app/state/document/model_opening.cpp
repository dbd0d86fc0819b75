#include "app/state/document/model_opening.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/state/app.h"
#include "app/state/document/document.h"
#include "core/base/failure.h"
#include "core/model/built_in_models.h"
#include "core/model/model_folder.h"
#include "core/source/engine.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

std::string whole_path(const std::string& folder) {
  if (is_built_in(folder)) return folder;
  std::error_code error;
  const fs::path whole = fs::absolute(folder, error);
  std::string path = error ? folder : whole.lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

/// Uses the model as trained: interventions on another source are not kept.
void use_model(App& app, const std::string& folder, const Source& model) {
  Inputs& inputs = app.edited();
  if (inputs.model != folder) static_cast<Interventions&>(inputs) = Interventions{};
  inputs.model = folder;
  inputs.splits = inputs.joins = inputs.key_splits = inputs.key_joins = {};
  if (!model.reads_pairs()) inputs.key_sentence.reset();
  if (!model.reads_target()) inputs.target.reset();
  if (app.edits_b()) return;
  // A B with another model is unrelated to this one, unless it is in view.
  if (app.compare && app.compare->model != folder && !app.compares()) app.compare.reset();
  View& view = app.state.view;
  const View all;
  // A built-in encoder–decoder opens in the view of the whole model.
  if (is_built_in(folder) && model.reads_target()) view.kind = ViewKind::model;
  view.of_b = all.of_b;
  view.block = all.block;
  view.layer = all.layer;
  view.head.reset();
  view.zoom = all.zoom;
  view.filter = all.filter;
  view.hidden_heads = all.hidden_heads;
  view.rows = view.columns = 0;
  app.state.brush = Brush{};
}

/// Replaces a model folder or capture file wherever the session names it.
void rename_source(App& app, std::string Inputs::*source, const std::string& from, const std::string& to) {
  const auto rename = [&](Inputs& inputs) {
    if (inputs.*source == from) inputs.*source = to;
  };
  rename(app.inputs);
  if (app.compare) rename(*app.compare);
  for (Bookmark& bookmark : app.bookmarks) {
    rename(bookmark.inputs);
    if (bookmark.compare) rename(*bookmark.compare);
  }
  locate_in_lesson(app, from, to);
  const auto known = app.model_weights.extract(from);
  if (!known.empty()) app.model_weights[to] = known.mapped();
}

/// Reports models whose weights have changed since the session was saved.
void report_changed_weights(App& app, const std::string& folder, const Source& source) {
  std::string& known = app.model_weights[folder];
  const std::string found = source.fingerprint();
  if (!known.empty() && known != found)
    app.notices.warn(
        Notice::About::opening,
        TR("{}: the weights are not those that the session was saved with; the numbers may differ"), folder);
  known = found;
}

FileRequest capture_request(const App& app, const char* title) {
  FileRequest request;
  request.title = title;
  request.filters = {{app.tr("Captures (.npz, .safetensors)"), {"*.npz", "*.safetensors"}}};
  request.refusal = [&app](const std::string& path) { return why_not_taken(app, path); };
  return request;
}

FileRequest folder_request(const App& app, const char* title) {
  FileRequest request;
  request.folders = true;
  request.title = title;
  request.help = app.tr(
      "A folder downloaded from Hugging Face, with config.json, model.safetensors and tokenizer.json.");
  request.refusal = [&app](const std::string& path) { return why_not_taken(app, path); };
  if (!app.settings.recent_models.empty())
    request.folder = fs::path(app.settings.recent_models.front()).parent_path().string();
  return request;
}

}  // namespace

ModelOpening::~ModelOpening() {
  cancel();
}

void ModelOpening::cancel() {
  progress_->stop.request_stop();
}

void ModelOpening::wait() const {
  job_.wait();
}

void ModelOpening::start(App& app, const std::string& folder) {
  folder_ = folder;
  progress_ = std::make_shared<LoadProgress>();
  reading_ = std::make_shared<Reading>();
  job_.start(
      [folder, progress = progress_, reading = reading_, sources = app.sources, memory = app.memory,
       wake = app.wake](const std::stop_token&) {
        expect_model(folder);
        reading->config = std::make_shared<const ModelConfig>(read_config(folder_of_model(folder)));
        reading->there = true;
        wake();
        Engine(0, memory, sources).open_model(folder, progress.get());
        return reading->config;
      },
      app.wake);
}

bool ModelOpening::ready(App& app, const Inputs& inputs) {
  if (std::exchange(session_, app.sessions) != app.sessions) {
    known_.clear();
    refused_.clear();
  }
  if (!inputs.trained() || known_.contains(inputs.model)) return true;
  if (refused_.contains(inputs.model)) return false;
  if (!busy()) start(app, inputs.model);
  return false;
}

std::optional<Error> ModelOpening::error(const Inputs& inputs) const {
  const auto found = refused_.find(inputs.model);
  if (!inputs.trained() || found == refused_.end()) return {};
  return found->second;
}

std::shared_ptr<const ModelConfig> ModelOpening::config(const Inputs& inputs) const {
  if (!inputs.trained()) return nullptr;
  if (busy() && folder_ == inputs.model && reading_->there) return reading_->config;
  const auto found = configs_.find(inputs.model);
  return found == configs_.end() ? nullptr : found->second;
}

BlockShape shape_in_config(const ModelConfig& config, BlockKind kind) {
  const bool both = config.encoder_decoder();
  // A trace's first block.
  if (both && kind == BlockKind::self) kind = BlockKind::encoder;
  if (!both) kind = BlockKind::self;
  const LayerStack& stack = kind == BlockKind::encoder ? config.encoder : config.body();
  BlockShape shape;
  shape.kind = kind;
  shape.layers = static_cast<int>(stack.layers);
  shape.heads = static_cast<int>(stack.heads);
  shape.kv_heads = static_cast<int>(stack.kv_heads);
  shape.d_model = static_cast<int>(config.d_model);
  // A Marian model whose stacks have different numbers of heads: config's head_dim is the decoder's.
  const bool own = kind == BlockKind::encoder && both && stack.heads != config.decoder.heads;
  shape.d_k = static_cast<int>(own ? config.d_model / stack.heads : config.head_dim);
  shape.causal = both ? kind == BlockKind::decoder : config.causal;
  return shape;
}

void poll_model(App& app) {
  ModelOpening& opening = app.opening;
  if (!opening.job_.done()) return;
  const std::string folder = opening.folder_;
  const bool becomes_source = std::exchange(opening.becomes_source_, false);
  std::shared_ptr<const ModelConfig> config;
  try {
    config = opening.job_.take();
  } catch (...) {
    const Error refused = handled_error(TR("{}: cannot be opened: "), folder);
    const bool named = app.inputs.model == folder || (app.compare && app.compare->model == folder);
    if (named && !opening.known_.contains(folder)) opening.refused_.insert_or_assign(folder, refused);
    if (!becomes_source) return;
    if (opening.progress_->stop.stop_requested())
      app.notices.info(TR("Opening {} was cancelled"), folder);
    else
      app.notices.error(Notice::About::opening, refused);
    return;
  }
  const bool was_refused = opening.refused_.erase(folder) > 0;
  opening.known_.insert(folder);
  opening.configs_[folder] = std::move(config);
  // Opening the last session's model must not clear the notice about a file that was requested and refused.
  if (becomes_source || was_refused) app.notices.settle(Notice::About::opening);
  remember_model(app, folder);
  const auto model = app.sources->find_model(folder);
  if (!model) return;  // its files have just changed: the run opens it
  if (becomes_source) use_model(app, folder, *model);
  if (app.inputs.model == folder) app.runner.renew(*model);
  if (app.compare && app.compare->model == folder) app.other_runner.renew(*model);
  report_changed_weights(app, folder, *model);
}

void open_model(App& app, const std::string& given) {
  const std::string folder = whole_path(given);
  ModelOpening& opening = app.opening;
  if (opening.busy()) {
    opening.cancel();
    opening.job_.drop();
  }
  opening.becomes_source_ = true;
  opening.start(app, folder);
}

std::string not_installed(const App& app, const std::string& name) {
  try {
    expect_installed(name);
    return {};
  } catch (const Error& error) {
    return app.tr(error);
  }
}

void command_open_model(App& app) {
  ask_for_file(app, folder_request(app, app.tr("Open the folder of a model")),
               [](App& a, const std::string& folder) { open_model(a, folder); });
}

const Inputs* inputs_to_locate(const App& app) {
  const auto is_lost = [&](const Inputs& inputs) {
    return (inputs.trained() && app.opening.error(inputs)) || capture_is_missing(inputs);
  };
  if (is_lost(app.edited())) return &app.edited();
  if (is_lost(app.inputs)) return &app.inputs;
  return app.compare && is_lost(*app.compare) ? &*app.compare : nullptr;
}

void command_locate_source(App& app) {
  const Inputs* inputs = inputs_to_locate(app);
  if (inputs == nullptr) return;
  const bool captured = inputs->captured();
  const auto source = captured ? &Inputs::capture : &Inputs::model;
  const std::string missing = inputs->*source;
  const std::string title = app.tr("Where is {} now?", fs::path(missing).filename().string());
  ask_for_file(app, captured ? capture_request(app, title.c_str()) : folder_request(app, title.c_str()),
               [captured, source, missing](App& a, const std::string& path) {
                 try {
                   if (captured)
                     a.sources->open_capture(path);
                   else
                     expect_model(path);
                 } catch (const Error& error) {
                   return a.notices.error(Notice::About::opening, error);
                 }
                 rename_source(a, source, missing, whole_path(path));
               });
}

void command_open_capture(App& app) {
  ask_for_file(app, capture_request(app, app.tr("Open a capture")),
               [](App& a, const std::string& path) { command_open_path(a, path); });
}

bool capture_is_missing(const Inputs& inputs) {
  std::error_code error;
  return inputs.captured() && !fs::exists(inputs.capture, error);
}

void remember_model(App& app, const std::string& folder) {
  if (is_built_in(folder)) return;  // they have their own menu
  std::vector<std::string>& models = app.settings.recent_models;
  std::erase(models, folder);
  models.insert(models.begin(), folder);
  if (models.size() > 10) models.resize(10);
}

}  // namespace headscope

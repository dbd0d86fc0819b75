#include "app/state/document/open_model.h"

#include <filesystem>
#include <utility>

#include "app/state/app.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/pasted_pictures.h"
#include "app/state/lesson/play_lesson.h"
#include "core/base/failure.h"
#include "core/model/config/model_notes.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/scene/readable_numbers.h"
#include "core/source/engine/engine.h"
#include "core/system/machine_memory.h"
#include "core/system/process.h"

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

/// Whether the sentence is one that the program has put there: the notebook's, or the example of a model.
bool is_example(const Workspace& work, const Inputs& inputs) {
  if (inputs.sentence == notebook_sentence) return true;
  const auto model = opened_model(work, work.edited_side());
  const ModelNotes* notes = model ? model->about().model_notes : nullptr;
  return notes != nullptr && notes->sentence == inputs.sentence;
}

/// Uses the model as trained: interventions on another source are not kept. A model with an example opens
/// with it, unless the user has typed something.
void use_model(Workspace& work, const std::string& folder, const Source& model) {
  Inputs& inputs = work.edited();
  const SourceAbout& about = model.about();
  const ModelNotes* notes = about.model_notes;
  if (notes != nullptr && !notes->sentence.empty() && is_example(work, inputs))
    inputs.sentence = notes->sentence;
  if (about.reads_sentences_of_picture && is_example(work, inputs)) inputs.sentence = model.known_text();
  if (!about.reads_picture)
    inputs.picture.clear();
  else if (inputs.picture.empty())
    inputs.picture = is_built_in(folder) && notes != nullptr && !notes->picture.empty()
                         ? folder + "/" + notes->picture
                         : about.known_picture;
  if (!about.hears()) inputs.features.clear();
  if (inputs.model != folder) static_cast<Interventions&>(inputs) = Interventions{};
  inputs.model = folder;
  inputs.capture.clear();
  inputs.splits = inputs.joins = inputs.key_splits = inputs.key_joins = {};
  if (!about.reads_pairs) inputs.key_sentence.reset();
  if (!about.reads_target) inputs.target.reset();
  if (work.edited_side() == Side::b) return;
  // A B with another model is unrelated to this one, unless it is in view.
  if (work.compare && work.compare->model != folder && !work.compares()) work.compare.reset();
  View& view = work.state.view;
  const View all;
  const bool writes = is_built_in(folder) && about.reads_target, has_picture = !inputs.picture.empty();
  if (writes || has_picture) view.kind = first_view(writes, has_picture);
  view.of_b = all.of_b;
  view.block = all.block;
  view.layer = all.layer;
  view.head.reset();
  work.state.compared_head.reset();
  view.zoom = all.zoom;
  view.filter = all.filter;
  view.hidden_heads = all.hidden_heads;
  view.rows = view.columns = 0;
  work.state.brush = Brush{};
}

/// Replaces a model folder or capture file wherever the session names it.
void rename_source(OpenSession& open, const std::string& from, const std::string& to) {
  rename_sources(open, {{from, to}});
  locate_in_lesson(open, from, to);
  const auto known = open.model_weights.extract(from);
  if (!known.empty()) open.model_weights[to] = known.mapped();
}

/// Reports models whose weights have changed since the session was saved.
void report_changed_weights(Workspace& work, const std::string& folder, const Source& source) {
  std::string& known = work.model_weights[folder];
  const std::string found = source.fingerprint();
  if (!known.empty() && known != found)
    work.notices.warn(
        Notice::About::opening,
        TR("{}: the weights are not those that the session was saved with; the numbers may differ"), folder);
  known = found;
}

FileRequest capture_request(const Workspace& work, const char* title) {
  FileRequest request;
  request.title = title;
  request.filters = {{work.tr("Captures (.npz, .safetensors)"), {"*.npz", "*.safetensors"}}};
  request.refusal = [&work](const std::string& path) { return why_not_taken(work, path); };
  return request;
}

FileRequest folder_request(const Workspace& work, const char* title) {
  FileRequest request;
  request.folders = true;
  request.title = title;
  request.help = work.tr(
      "A folder downloaded from Hugging Face, with config.json, model.safetensors and tokenizer.json.");
  if (is_page())
    request.help += " " + work.tr("A page has room for at most {}.", printed_bytes(room_for_files()));
  request.refusal = [&work](const std::string& path) { return why_not_taken(work, path); };
  if (!work.settings.recent_models.empty())
    request.folder = fs::path(work.settings.recent_models.front()).parent_path().string();
  return request;
}

}  // namespace

void poll_model(Workspace& work) {
  ModelOpening& opening = work.opening;
  if (!opening.job_.done()) return;
  const std::string folder = opening.folder_;
  const bool becomes_source = std::exchange(opening.becomes_source_, false);
  std::shared_ptr<const ModelConfig> config;
  try {
    config = opening.job_.take();
  } catch (...) {
    const Error refused = handled_error(TR("{}: cannot be opened: "), folder);
    const bool named = work.inputs.model == folder || (work.compare && work.compare->model == folder);
    if (named && !opening.known_.contains(folder)) opening.refused_.insert_or_assign(folder, refused);
    if (!becomes_source) return;
    if (opening.progress_->stop.stop_requested())
      work.notices.info(TR("Opening {} was cancelled"), folder);
    else
      work.notices.error(Notice::About::opening, refused);
    return;
  }
  const bool was_refused = opening.refused_.erase(folder) > 0;
  opening.known_.insert(folder);
  opening.configs_[folder] = std::move(config);
  // Opening the last session's model must not clear the notice about a file that was requested and refused.
  if (becomes_source || was_refused) work.notices.settle(Notice::About::opening);
  remember_model(work, folder);
  const auto model = work.sources->find_model(folder);
  if (!model) return;  // its files have just changed: the run opens it
  if (becomes_source) use_model(work, folder, *model);
  if (work.inputs.model == folder) work.runners.a.renew(*model);
  if (work.compare && work.compare->model == folder) work.runners.b.renew(*model);
  report_changed_weights(work, folder, *model);
}

void open_model(Workspace& work, const std::string& given) {
  const std::string folder = whole_path(given);
  ModelOpening& opening = work.opening;
  if (opening.busy()) {
    opening.cancel();
    opening.job_.drop();
  }
  opening.becomes_source_ = true;
  opening.start(folder);
}

std::string not_installed(const Workspace& work, const std::string& name) {
  try {
    expect_installed(name);
    return {};
  } catch (const Error& error) {
    return work.tr(error);
  }
}

void command_open_model(App& app) {
  ask_for_file(app, folder_request(app, app.tr("Open the folder of a model")),
               [](App& a, const std::string& folder) { open_model(a, folder); });
}

const Inputs* inputs_to_locate(const Workspace& work) {
  const auto is_lost = [&](const Inputs& inputs) {
    return work.opening.error(inputs) || capture_is_missing(inputs);
  };
  if (is_lost(work.edited())) return &work.edited();
  if (is_lost(work.inputs)) return &work.inputs;
  return work.compare && is_lost(*work.compare) ? &*work.compare : nullptr;
}

void command_locate_source(App& app) {
  const Inputs* inputs = inputs_to_locate(app);
  if (inputs == nullptr) return;
  const bool captured = !inputs->about().computes;
  const std::string missing = captured ? inputs->capture : inputs->model;
  const std::string title = app.tr("Where is {} now?", fs::path(missing).filename().string());
  ask_for_file(app, captured ? capture_request(app, title.c_str()) : folder_request(app, title.c_str()),
               [captured, missing](App& a, const std::string& path) {
                 try {
                   if (captured)
                     a.sources->open_capture(path);
                   else
                     expect_model(path);
                 } catch (const Error& error) {
                   return a.notices.error(Notice::About::opening, error);
                 }
                 rename_source(a, missing, whole_path(path));
               });
}

void command_open_capture(App& app) {
  ask_for_file(app, capture_request(app, app.tr("Open a capture")),
               [](App& a, const std::string& path) { command_open_path(a, path); });
}

namespace {

/// Asks for a file that the model in use reads in place of a text.
void ask_for_input(App& app, const char* title, const FileRequest::Filter& filter,
                   void (*take)(Workspace&, const std::string&)) {
  FileRequest request;
  request.title = title;
  request.filters = {filter};
  request.refusal = [&app](const std::string& path) { return why_not_taken(app, path); };
  ask_for_file(app, request, [take](App& a, const std::string& path) {
    try {
      take(a, path);
    } catch (const Error& error) {
      a.notices.error(Notice::About::opening, error);
    }
  });
}

}  // namespace

void command_open_picture(App& app) {
  ask_for_input(app, app.tr("Open a picture"),
                {app.tr("Pictures (.png, .jpg, .webp)"), {"*.png", "*.jpg", "*.jpeg", "*.webp"}},
                take_picture);
}

void command_open_sound(App& app) {
  ask_for_input(app, app.tr("Open a spectrogram"), {app.tr("Spectrograms (.npy)"), {"*.npy"}}, take_sound);
}

std::shared_ptr<const Source> opened_model(const Workspace& work, Side side) {
  const std::string& model = work.of(side).model;
  const auto& trace = work.trace(side);
  if (trace && trace->source && !model.empty() && trace->inputs.model == model) return trace->source;
  return work.sources->find_model(model);
}

bool reads_picture(const Workspace& work) {
  const auto model = opened_model(work, work.edited_side());
  return model != nullptr && model->about().reads_picture;
}

bool hears(const Workspace& work) {
  const auto model = opened_model(work, work.edited_side());
  return model != nullptr && model->about().hears();
}

void command_paste_picture(App& app) {
  const auto bytes = app.desktop.get_picture();
  if (!bytes) return app.notices.info(TR("There is no picture on the clipboard"));
  try {
    take_picture(app, write_pasted_picture(*bytes));
  } catch (const Error& error) {
    app.notices.error(Notice::About::opening, error);
  }
}

bool capture_is_missing(const Inputs& inputs) {
  std::error_code error;
  return !inputs.about().computes && !fs::exists(inputs.capture, error);
}

void remember_model(Workspace& work, const std::string& folder) {
  if (is_built_in(folder)) return;  // they have their own menu
  std::vector<std::string>& models = work.settings.recent_models;
  std::erase(models, folder);
  models.insert(models.begin(), folder);
  if (models.size() > 10) models.resize(10);
}

}  // namespace headscope

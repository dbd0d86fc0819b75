#include "app/state/document/file_commands.h"

#include <filesystem>
#include <utility>

#include "app/state/app.h"
#include "app/state/document/document.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/session/session_figure.h"
#include "core/system/process.h"

namespace headscope {
namespace {

FileDialogs& dialogs(App& app) {
  return app.dialogs.files;
}

/// Proceeds at once, or after asking about unsaved changes.
void guard(App& app, std::function<void(App&)> proceed) {
  if (!is_modified(app)) return proceed(app);
  dialogs(app).unsaved = true;
  dialogs(app).proceed = std::move(proceed);
}

void proceed(App& app) {
  const auto then = std::exchange(dialogs(app).proceed, nullptr);
  if (then) then(app);
}

void write_to(App& app, const std::string& path, bool overwrite_others, std::function<void(App&)> after) {
  bool changed_by_others = false;
  if (save_file(app, path, overwrite_others, changed_by_others)) {
    if (after) after(app);
  } else if (changed_by_others) {
    dialogs(app).conflict = true;
    dialogs(app).proceed = std::move(after);
  }
}

FileRequest session_request(const Workspace& work, bool save) {
  FileRequest request;
  request.save = save;
  request.title = save ? work.tr("Save session") : work.tr("Open");
  request.filters = {{work.tr("Sessions"), {"*.json", "*.headscope"}}};
  if (!save) {
    std::vector<std::string> patterns = figure_endings("*");
    patterns.insert(patterns.begin(), {"*.json", "*.headscope"});
    patterns.emplace_back("*.npz");
    patterns.emplace_back("*.safetensors");
    patterns.emplace_back("*.gguf");
    patterns.emplace_back("*.npy");
    patterns.emplace_back("*.md");
    patterns.emplace_back("*.txt");
    // Fonts that are dropped on a window; on a phone nothing can be.
    if (is_page()) patterns.insert(patterns.end(), {"*.ttf", "*.otf", "*.ttc"});
    request.filters.insert(
        request.filters.begin(),
        {work.tr("Sessions, figures, captures, models (.gguf), masks, lessons, texts"), patterns});
  }
  const std::filesystem::path path = work.document.path;
  request.folder = path.parent_path().string();
  if (path.empty() && !work.settings.recent_files.empty())
    request.folder = std::filesystem::path(work.settings.recent_files.front()).parent_path().string();
  if (!save) request.refusal = [&work](const std::string& chosen) { return why_not_taken(work, chosen); };
  request.name = save ? (path.empty() ? "session.json" : path.filename().string()) : "";
  return request;
}

}  // namespace

void ask_for_file(App& app, FileRequest request, FileDialogs::Then then) {
  FileDialogs& files = dialogs(app);
  files.then = std::move(then);
  files.request = std::move(request);
  if (app.desktop.choose_file && app.desktop.choose_file(files.request)) return;
  files.choosing = true;
}

void answer_file(App& app, const std::string& chosen) {
  dialogs(app).choosing = false;
  const auto then = std::exchange(dialogs(app).then, nullptr);
  if (!then || chosen.empty()) return;
  // The desktop's chooser returns the name as typed; it has already asked about overwriting an existing file.
  std::filesystem::path path(chosen);
  const std::vector<FileRequest::Filter>& filters = dialogs(app).request.filters;
  std::error_code error;
  if (dialogs(app).request.save && !path.has_extension() && !filters.empty() &&
      !std::filesystem::exists(path, error))
    path.replace_extension(std::filesystem::path(filters.front().patterns.front()).extension());
  then(app, path.string());
}

void fall_back_on_chooser(App& app) {
  dialogs(app).choosing = true;
}

void answer_unsaved(App& app, UnsavedAnswer answer) {
  if (answer == UnsavedAnswer::none) return;
  FileDialogs& files = dialogs(app);
  files.unsaved = false;
  if (answer == UnsavedAnswer::save) command_save(app, std::exchange(files.proceed, nullptr));
  if (answer == UnsavedAnswer::discard) {
    app.set_session(app.document.saved);  // otherwise the last session would restore the discarded changes
    proceed(app);
  }
  if (answer == UnsavedAnswer::cancel) files.proceed = nullptr;
}

void answer_left(App& app, LeftAnswer answer) {
  FileDialogs& files = dialogs(app);
  files.left_answer = answer;
  const std::optional<Session> left = std::exchange(files.left, std::nullopt);
  if (left && answer == LeftAnswer::restore) app.set_session(*left);
}

void answer_conflict(App& app, ConflictAnswer answer) {
  if (answer == ConflictAnswer::none) return;
  FileDialogs& files = dialogs(app);
  files.conflict = false;
  auto after = std::exchange(files.proceed, nullptr);
  if (answer == ConflictAnswer::save_as)
    command_save_as(app, std::move(after));
  else if (answer == ConflictAnswer::overwrite)
    write_to(app, app.document.path, true, std::move(after));
  else if (answer == ConflictAnswer::reload && open_file(app, app.document.path) && after)
    after(app);
}

void command_new(App& app) {
  guard(app, [](App& a) { new_session(a); });
}

void command_open(App& app) {
  ask_for_file(app, session_request(app, false),
               [](App& a, const std::string& path) { command_open_path(a, path); });
}

void command_open_path(App& app, const std::string& path) {
  // Dropped files that do not replace the session: a model becomes its source, a mask is added, a text
  // becomes the sentence, a picture takes its place, and a lesson keeps the session.
  if (is_built_in(path) || path.ends_with(".npy") || path.ends_with(".md") || path.ends_with(".txt") ||
      is_model_path(path) || is_picture_for_model(app, path))
    return void(open_file(app, path));
  guard(app, [path](App& a) { open_file(a, path); });
}

void command_open_mask(App& app) {
  FileRequest request;
  request.title = app.tr("Load mask file");
  request.filters = {{app.tr("Masks (.npy)"), {"*.npy"}}};
  request.refusal = [&app](const std::string& path) { return why_not_taken(app, path); };
  ask_for_file(app, request, [](App& a, const std::string& path) { open_file(a, path); });
}

void command_save(App& app, std::function<void(App&)> after) {
  if (app.document.path.empty()) return command_save_as(app, std::move(after));
  write_to(app, app.document.path, false, std::move(after));
}

void command_save_as(App& app, std::function<void(App&)> after) {
  ask_for_file(app, session_request(app, true), [after](App& a, const std::string& path) {
    // The chooser has asked about overwriting; for the same name the check for changes by others still
    // applies.
    write_to(a, path, path != a.document.path, after);
  });
}

void command_quit(App& app) {
  const bool comes_back =
      app.document.path.empty() && (!app.desktop.keep_session || app.desktop.keep_session());
  if (comes_back) {
    app.quit = true;
  } else {
    guard(app, [](App& a) { a.quit = true; });
  }
}

}  // namespace headscope

#include "app/panels/file_dialogs.h"

#include <filesystem>

#include "app/panels/dialogs.h"
#include "app/panels/widgets.h"
#include "app/state/app.h"
#include "app/state/document.h"
#include "core/figure/formats.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

FileDialogs& dialogs(App& app) {
  return app.dialogs->files;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Goes on at once, or after the question about what is not saved.
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

void draw_unsaved(App& app) {
  FileDialogs& files = dialogs(app);
  if (!begin_dialog("unsaved", app.tr("Unsaved changes"), files.unsaved, 26)) return;
  const std::string& path = app.document.path;
  wrapped_text(path.empty() ? std::string(app.tr("This session was changed and not saved."))
                            : app.tr.format("{} was changed and not saved.", file_name(path)));
  const bool save = dialog_button(app.tr("Save"));
  anchor("unsaved save");
  ImGui::SameLine();
  const bool discard = dialog_button(app.tr("Don't save"));
  anchor("unsaved discard");
  ImGui::SameLine();
  const bool cancel = dialog_button(app.tr("Cancel"));
  if (save || discard || cancel) files.unsaved = false;
  if (!files.unsaved) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (save) command_save(app, std::exchange(files.proceed, nullptr));
  if (discard) {
    app.set_session(app.document.saved);  // or the last session would bring back what was dropped
    proceed(app);
  }
  if (cancel) files.proceed = nullptr;
}

void draw_conflict(App& app) {
  FileDialogs& files = dialogs(app);
  if (!begin_dialog("conflict", app.tr("The file was changed"), files.conflict, 28)) return;
  wrapped_text(app.tr.format("{} was written by another window or program since it was opened here.",
                             file_name(app.document.path)));
  const bool other = dialog_button(app.tr("Save under another name…"));
  anchor("conflict save as");
  ImGui::SameLine();
  const bool overwrite = dialog_button(app.tr("Overwrite it"));
  anchor("conflict overwrite");
  const bool reload = dialog_button(app.tr("Open theirs, drop mine"));
  ImGui::SameLine();
  const bool cancel = dialog_button(app.tr("Cancel"));
  if (other || overwrite || reload || cancel) files.conflict = false;
  if (!files.conflict) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  auto after = files.proceed;
  if (other || overwrite || reload || cancel) files.proceed = nullptr;
  if (other)
    command_save_as(app, std::move(after));
  else if (overwrite)
    write_to(app, app.document.path, true, std::move(after));
  else if (reload && open_file(app, app.document.path) && after)
    after(app);
}

FileRequest session_request(const App& app, bool save) {
  FileRequest request;
  request.save = save;
  request.title = save ? app.tr("Save the session") : app.tr("Open");
  request.filters = {{app.tr("Sessions"), {"*.json"}}};
  if (!save) {
    std::vector<std::string> patterns = endings(figure_formats(), "*");
    patterns.insert(patterns.begin(), "*.json");
    patterns.emplace_back("*.npy");
    request.filters.insert(request.filters.begin(), {app.tr("Sessions, figures, masks"), patterns});
  }
  const std::filesystem::path path = app.document.path;
  request.folder = path.parent_path().string();
  if (path.empty() && !app.settings.recent_files.empty())
    request.folder = std::filesystem::path(app.settings.recent_files.front()).parent_path().string();
  request.name = save ? (path.empty() ? "session.json" : path.filename().string()) : "";
  return request;
}

}  // namespace

void ask_for_file(App& app, FileRequest request, FileDialogs::Then then) {
  FileDialogs& files = dialogs(app);
  files.then = std::move(then);
  files.request = request;
  if (app.desktop_chooser && app.desktop_chooser(request)) return;
  files.chooser.open(std::move(request));
}

void answer_file(App& app, const std::string& chosen) {
  const auto then = std::exchange(dialogs(app).then, nullptr);
  if (!then || chosen.empty()) return;
  // The desktop's chooser gives a name as it was typed; one that is there it has asked about.
  std::filesystem::path path(chosen);
  const std::vector<FileRequest::Filter>& filters = dialogs(app).request.filters;
  std::error_code error;
  if (dialogs(app).request.save && !path.has_extension() && !filters.empty() &&
      !std::filesystem::exists(path, error))
    path.replace_extension(std::filesystem::path(filters.front().patterns.front()).extension());
  then(app, path.string());
}

void fall_back_on_chooser(App& app) {
  dialogs(app).chooser.open(dialogs(app).request);
}

void command_new(App& app) {
  guard(app, [](App& a) { new_session(a); });
}

void command_open(App& app) {
  ask_for_file(app, session_request(app, false),
               [](App& a, const std::string& path) { command_open_path(a, path); });
}

void command_open_path(App& app, const std::string& path) {
  if (path.ends_with(".npy")) return void(open_file(app, path));
  guard(app, [path](App& a) { open_file(a, path); });
}

void command_save(App& app, std::function<void(App&)> after) {
  if (app.document.path.empty()) return command_save_as(app, std::move(after));
  write_to(app, app.document.path, false, std::move(after));
}

void command_save_as(App& app, std::function<void(App&)> after) {
  ask_for_file(app, session_request(app, true), [after](App& a, const std::string& path) {
    // The chooser has asked about replacing a file; under the same name the check for others' changes stays.
    write_to(a, path, path != a.document.path, after);
  });
}

void command_quit(App& app) {
  if (app.document.path.empty()) {
    app.quit = true;
  } else {
    guard(app, [](App& a) { a.quit = true; });
  }
}

void draw_file_dialogs(App& app) {
  draw_unsaved(app);
  draw_conflict(app);
  FileChooser& chooser = dialogs(app).chooser;
  if (!chooser.is_open()) return;
  const FileChooser::Answer answer = chooser.draw(app.tr);
  if (answer == FileChooser::Answer::chosen) answer_file(app, chooser.path());
  if (answer == FileChooser::Answer::cancelled) answer_file(app, "");
}

}  // namespace headscope

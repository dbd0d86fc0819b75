#include "app/state/session_store.h"

#include <filesystem>

#include "app/state/app.h"
#include "app/state/autosave.h"
#include "core/base/error.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds write_after{1000};

std::string below(const std::string& folder, const char* name) {
  return folder.empty() ? std::string() : folder + "/" + name;
}

/// Tells that a file was damaged and where it lies now.
void set_aside_with_notice(App& app, const std::string& path, const Error& failure) {
  std::error_code error;
  const std::string aside = fs::is_regular_file(path, error) ? set_aside(path) : std::string();
  app.notices.warn(aside.empty() ? app.tr.format("The last session could not be read: {}", app.tr(failure))
                                 : app.tr.format("The last session was damaged and was moved to {}: {}",
                                                 aside, app.tr(failure)));
}

/// What the file holds now is what changes are told from; the session itself may be newer.
void belong_to(App& app, const std::string& path) {
  app.document = {"", Session{}, 0};
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return;
  try {
    app.document = read_document(path);
  } catch (const Error&) {
    // A file that cannot be read any more: the session goes on without one.
  }
}

}  // namespace

SessionStore::SessionStore()
    : state_folder_(state_folder()),
      settings_path_(below(config_folder(), "settings.json")),
      loaded_(load_settings(settings_path_)),
      written_settings_(loaded_.settings) {}

void SessionStore::start(App& app, const std::optional<Session>& session, const std::string& path,
                         std::optional<Language> language) {
  app.settings = loaded_.settings;
  app.tr = Translator(language.value_or(loaded_.settings.language.value_or(system_language())));
  app.state.view.theme = app.settings.theme;
  if (!loaded_.damaged.empty())
    app.notices.warn(
        loaded_.set_aside.empty()
            ? app.tr.format("The settings could not be read; using the defaults: {}", loaded_.damaged)
            : app.tr.format("The settings were damaged and were moved to {}; using the defaults",
                            loaded_.set_aside));
  if (session) {
    app.set_session(*session);
    belong_to(app, path);
    if (app.document.path.empty()) app.document.saved = *session;
  } else if (!recover(app)) {
    read_last_session(app);
  }
  written_session_ = app.session();
}

bool SessionStore::recover(App& app) {
  if (state_folder_.empty()) return false;
  const std::string orphan = orphaned_autosave(state_folder_);
  if (orphan.empty()) return false;
  try {
    const Autosave left = read_autosave(orphan);
    app.set_session(left.session);
    belong_to(app, left.path);
    app.notices.info(app.tr("Recovered a session that was not closed properly"));
    write_autosave(autosave_path(state_folder_), left);
    autosaved_ = true;
    std::error_code error;
    fs::remove(orphan, error);
    return true;
  } catch (const Error& failure) {
    set_aside_with_notice(app, orphan, failure);
    return false;
  }
}

void SessionStore::read_last_session(App& app) {
  const std::string path = below(state_folder_, "session.json");
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return;
  try {
    app.set_session(load_session(path));
    belong_to(app, loaded_.settings.last_file);
  } catch (const Error& failure) {
    set_aside_with_notice(app, path, failure);
  }
}

void SessionStore::keep(App& app) {
  app.settings.last_file = app.document.path;
  if (!changed_) {
    if (app.is_session(*written_session_) && app.settings == written_settings_) return;
    changed_ = Clock::now();
  }
  if (Clock::now() - *changed_ < write_after) return;
  changed_.reset();
  write_settings(app);
  if (app.is_session(*written_session_)) return;
  written_session_ = app.session();
  if (state_folder_.empty()) return;
  try {
    std::error_code error;
    fs::create_directories(state_folder_, error);
    write_autosave(autosave_path(state_folder_), {*written_session_, app.document.path});
    autosaved_ = true;
  } catch (const Error& failure) {
    tell_once(app, app.tr(failure));
  }
}

double SessionStore::due_in() const {
  if (!changed_) return -1;
  return std::chrono::duration<double>(*changed_ + write_after - Clock::now()).count() + 0.005;
}

void SessionStore::write_settings(App& app) {
  if (app.settings == written_settings_) return;
  written_settings_ = app.settings;
  if (settings_path_.empty()) return;
  try {
    save_settings(settings_path_, app.settings);
  } catch (const Error& failure) {
    tell_once(app, app.tr(failure));
  }
}

void SessionStore::tell_once(App& app, const std::string& why) {
  if (!told_) app.notices.warn(app.tr.format("Could not be saved for next time: {}", why));
  told_ = true;
  app.wake();
}

void SessionStore::finish(App& app) {
  app.settings.last_file = app.document.path;
  write_settings(app);
  if (state_folder_.empty()) return;
  try {
    std::error_code error;
    fs::create_directories(state_folder_, error);
    save_session(below(state_folder_, "session.json"), app.session());
    if (autosaved_) fs::remove(autosave_path(state_folder_), error);
  } catch (const Error&) {
    // The window is gone; what could be kept is in the autosave.
  }
}

}  // namespace headscope

#include "app/state/keeper.h"

#include <filesystem>

#include "app/state/app.h"
#include "core/error.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds write_after{1000};

std::string below(const std::string& folder, const char* name) {
  return folder.empty() ? std::string() : folder + "/" + name;
}

}  // namespace

Keeper::Keeper()
    : settings_path_(below(config_folder(), "settings.json")),
      session_path_(below(state_folder(), "session.json")),
      loaded_(load_settings(settings_path_)),
      written_settings_(loaded_.settings) {}

void Keeper::start(App& app, const std::optional<Session>& session, const std::string& path,
                   std::optional<Language> language) {
  app.settings = loaded_.settings;
  app.tr = Translator(language.value_or(loaded_.settings.language.value_or(system_language())));
  app.style.theme = app.state.view.theme = app.settings.theme;
  if (!loaded_.damaged.empty())
    app.notices.warn(
        loaded_.set_aside.empty()
            ? app.tr.format("The settings could not be read, so the defaults are used: {}", loaded_.damaged)
            : app.tr.format("The settings were damaged and set aside as {}; the defaults are used",
                            loaded_.set_aside));
  if (session) {
    app.set_session(*session);
  } else {
    read_last_session(app);
  }
  app.path = path;
  written_session_ = app.session();
}

void Keeper::read_last_session(App& app) {
  std::error_code error;
  if (session_path_.empty() || !fs::exists(session_path_, error)) return;
  try {
    app.set_session(load_session(session_path_));
  } catch (const Error& failure) {
    const std::string aside =
        fs::is_regular_file(session_path_, error) ? set_aside(session_path_) : std::string();
    app.notices.warn(aside.empty() ? app.tr.format("The last session could not be read: {}", app.tr(failure))
                                   : app.tr.format("The last session was damaged and set aside as {}: {}",
                                                   aside, app.tr(failure)));
  }
}

void Keeper::keep(App& app) {
  if (!changed_) {
    const bool session_changed = written_session_ && app.session() != *written_session_;
    if (!session_changed && app.settings == written_settings_) return;
    changed_ = Clock::now();
  }
  if (Clock::now() - *changed_ >= write_after) write(app);
}

double Keeper::due_in() const {
  if (!changed_) return -1;
  return std::chrono::duration<double>(*changed_ + write_after - Clock::now()).count() + 0.005;
}

void Keeper::write(App& app) {
  changed_.reset();
  try {
    if (app.settings != written_settings_) {
      written_settings_ = app.settings;
      if (!settings_path_.empty()) save_settings(settings_path_, app.settings);
    }
    const Session session = app.session();
    if ((!written_session_ || session != *written_session_)) {
      written_session_ = session;
      if (session_path_.empty()) return;
      std::error_code error;
      fs::create_directories(fs::path(session_path_).parent_path(), error);
      save_session(session_path_, session);
    }
  } catch (const Error& failure) {
    if (!told_) app.notices.warn(app.tr.format("Not kept for the next time: {}", app.tr(failure)));
    told_ = true;
    app.wake();
  }
}

void Keeper::finish(App& app) {
  write(app);
}

}  // namespace headscope

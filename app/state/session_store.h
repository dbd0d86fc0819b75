#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "app/state/settings.h"
#include "core/session/session.h"

namespace headscope {

struct App;

/// Keeps settings and the last session on disk: read at the start, written within two seconds of a change, so
/// that a program that is killed loses no more. While a window is open its session lies in a file of its own
/// (autosave-PID.json in the state folder), so that two windows do not overwrite each other's; when it closes
/// it becomes session.json.
class SessionStore {
 public:
  SessionStore();

  const Settings& settings() const { return loaded_.settings; }
  /// Fills a new app: with `session` from the command line (read from `path`, or from no file), else with
  /// what a killed window left, else with the last session, else with the notebook's; tells what was damaged.
  void start(App& app, const std::optional<Session>& session, const std::string& path,
             std::optional<Language> language);
  /// Notes what changed, and writes it if it is time.
  void keep(App& app);
  /// Seconds until `keep` has something to write; negative: nothing.
  double due_in() const;
  /// Writes what is to be found by the next start.
  void finish(App& app);

 private:
  using Clock = std::chrono::steady_clock;
  bool recover(App& app);
  void read_last_session(App& app);
  void write_settings(App& app);
  void tell_once(App& app, const std::string& why);

  std::string state_folder_, settings_path_;  // "" where there is no such folder
  LoadedSettings loaded_;
  Settings written_settings_;
  std::optional<Session> written_session_;
  std::optional<Clock::time_point> changed_;
  bool autosaved_ = false;
  bool told_ = false;  // that a folder cannot be written, once
};

}  // namespace headscope

#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "app/state/settings.h"
#include "core/session/session.h"

namespace headscope {

struct App;

/// Keeps settings and the last session on disk: read at the start, written within two seconds of a change, so
/// that a program that is killed loses no more.
class Keeper {
 public:
  Keeper();

  const Settings& settings() const { return loaded_.settings; }
  /// Fills a new app: with `session` from the command line, else the last one, else the notebook's; tells
  /// what was damaged.
  void start(App& app, const std::optional<Session>& session, const std::string& path,
             std::optional<Language> language);
  /// Notes what changed, and writes it if it is time.
  void keep(App& app);
  /// Seconds until `keep` has something to write; negative: nothing.
  double due_in() const;
  /// Writes what is not yet written.
  void finish(App& app);

 private:
  using Clock = std::chrono::steady_clock;
  void read_last_session(App& app);
  void write(App& app);

  std::string settings_path_, session_path_;  // "" where there is no such folder
  LoadedSettings loaded_;
  Settings written_settings_;
  std::optional<Session> written_session_;
  std::optional<Clock::time_point> changed_;
  bool told_ = false;  // that a folder cannot be written, once
};

}  // namespace headscope

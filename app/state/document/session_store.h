#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "app/state/document/autosave.h"
#include "app/state/document/settings.h"
#include "app/state/document/start_mark.h"
#include "app/state/jobs/notices.h"
#include "core/session/session.h"

namespace headscope {

struct App;

/// Keeps settings and the last session on disk: read at the start, written within two seconds of a change, so
/// that a program that is killed loses no more. While a window is open its session lies in an AutosaveFile of
/// its own in the state folder, so that two windows do not overwrite each other's; when it closes it becomes
/// session.json.
class SessionStore {
 public:
  SessionStore();

  const Settings& settings() const { return loaded_.settings; }
  /// Of the window: the command line's, else that of the settings, else the system's.
  Language language(std::optional<Language> asked_for) const;
  /// Fills a new app: with `session` from the command line (read from `path`, or from no file), else with
  /// what a killed window left, else with the last session, else with the notebook's; tells what was damaged.
  void start(App& app, const std::optional<Session>& session, const std::string& path,
             std::optional<Language> language);
  /// Opens what was asked for beside that, unless it has ended a start before.
  void open_asked(App& app, const std::string& path);
  /// After each pass of the window: notes what changed, and writes it if it is time.
  void keep(App& app);
  /// The same at once: whether all is kept that a window that is killed now would lose.
  bool keep_now(App& app);
  /// Seconds until `keep` has something to write; negative: nothing.
  double due_in() const;
  /// Whether the next start without a file finds the session as it is now; a notice says why not.
  bool keep_for_next(App& app);
  /// Writes what is to be found by the next start.
  void finish(App& app);
  /// The same at once and without a question, for a program that is told to end: changes that belong to a
  /// file are left as a killed window leaves them.
  void break_off(App& app);

 private:
  using Clock = std::chrono::steady_clock;
  /// Goes on with what a window left that was killed; false where none did.
  bool recover(App& app);
  /// Goes on with the lesson that was being played there.
  void resume(App& app, const std::optional<PlayedLesson>& lesson);
  /// Asks whether to go on with what a killed window left: of the document that is open, or where that was
  /// asked for by no name, any work that is older than the last session.
  void offer(App& app);
  void offer_older(App& app);
  /// Whether that is what the window begins with.
  bool open_document(App& app, const Session& session, const std::string& path);
  /// Before a file is opened. Throws Error for one that has ended a start.
  void open_marked(const std::string& path);
  /// The newest autosave that is read and is to be offered.
  void offer_first(App& app, bool of_document, const std::function<bool(const std::string& path)>& reads,
                   const std::function<bool(const Autosave& left)>& offers);
  void settle_offer(App& app);
  bool is_written(const App& app) const;
  bool write_autosave(App& app);
  bool save_last(App& app);
  void read_last_session(App& app);
  void write_settings(App& app);
  void tell_damaged_settings(App& app);
  void tell_once(App& app, Notice::About about, const Error& why);

  std::string state_folder_, settings_path_;  // "" where there is no such folder
  StartMark mark_;
  int quiet_passes_ = 0;  // after the start
  LoadedSettings loaded_;
  Settings written_settings_;
  std::optional<Session> written_session_;      // as it can be found on disk
  std::optional<PlayedLesson> written_lesson_;  // likewise
  std::optional<Clock::time_point> changed_;    // when to write what changed
  std::optional<AutosaveFile> own_, offered_;
  std::string offered_path_;                             // the file that what is offered belongs to; "": none
  std::optional<PlayedLesson> offered_lesson_;           // that was being played there
  std::filesystem::file_time_type last_session_time_{};  // when the last session was written, at the start
  std::set<Notice::About> told_;                         // what could not be written, each once until it can
};

}  // namespace headscope

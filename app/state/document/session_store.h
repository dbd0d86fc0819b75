#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/state/document/autosave.h"
#include "app/state/document/kept_works.h"
#include "app/state/jobs/notices.h"
#include "app/state/settings.h"
#include "core/session/session.h"

namespace headscope {

struct App;
struct Workspace;

/// Keeps settings and the last session on disk: read at the start, written within two seconds of a change, so
/// that a killed program loses no more. While a window is open its session is in its own AutosaveFile in the
/// state folder, so that two windows do not overwrite each other's; on closing it becomes session.json.
class SessionStore {
 public:
  SessionStore();

  const Settings& settings() const { return loaded_.settings; }
  /// The window's language: the command line's, otherwise the settings', otherwise the system's.
  Language language(std::optional<Language> requested) const;
  /// Fills a new app: with `session` from the command line (read from `path`, or from no file), otherwise
  /// with what a killed window left, the last session, or the notebook's; notifies of damaged files.
  void start(App& app, const std::optional<Session>& session, const std::string& path,
             std::optional<Language> language);
  /// Opens the additionally requested file, unless it ended an earlier start.
  void open_requested(Workspace& work, const std::string& path);
  /// After each pass of the window: records what changed, and writes it when due. What was opened counts as
  /// harmless after some passes in which the window was `shown`.
  void keep(App& app, bool shown = true);
  /// The same at once. Returns whether everything is saved that a killed window would lose.
  bool keep_now(App& app);
  /// As keep_now(), before the window may end without further notice, as a page does that is left. Such an
  /// end is no crash.
  void leave(App& app);
  /// Finds the works that are kept beside the window's own, of a page's other tabs and from before a link was
  /// followed, and offers each as an action.
  void list_works(App& app);
  /// The window goes on with one of them; its own takes that one's place, so that nothing is lost.
  /// Returns whether it does; otherwise a notice says why not.
  bool go_to_work(App& app, const std::string& path);
  /// The window goes on with what a link shows, and its own work stays beside it. What a link shows is kept
  /// only once it is changed. Errors are a notice.
  void open_link(App& app, const std::string& link);
  /// Seconds until `keep` has something to write; negative: nothing.
  double due_in() const;
  /// Saves the session so that the next start without a file finds it; on false a notice says why.
  bool keep_for_next(Workspace& work);
  /// Writes what the next start is to find.
  void finish(App& app);
  /// The same at once and without questions, when the program is being terminated: changes that belong to
  /// a file are left as by a killed window.
  void break_off(App& app);

 private:
  using Clock = std::chrono::steady_clock;
  /// Resumes the session of a killed window; false if there is none.
  bool recover(Workspace& work);
  /// Resumes the lesson that was being played there.
  void resume(Workspace& work, const std::optional<PlayedLesson>& lesson);
  /// Asks whether to resume what a killed window left: of the open document, or, if no file was named, any
  /// work older than the last session.
  void offer(App& app);
  void offer_older(App& app);
  /// Returns whether the window starts with this session.
  bool open_document(App& app, const Session& session, const std::string& path);
  /// To be called before a file is opened. Throws Error if that file ended an earlier start.
  void open_marked(const std::string& path);
  /// Asks about work at which the last starts ended.
  void offer_suspect(App& app);
  /// Offers the newest readable autosave that matches.
  void offer_first(App& app, bool of_document, const std::function<bool(const std::string& path)>& reads,
                   const std::function<bool(const Autosave& left)>& offers);
  void settle_offer(App& app);
  bool is_written(const Workspace& work) const;
  void note_written(const Workspace& work);
  void forget_oldest_works() const;
  /// Puts the window's own work beside it; false: it could not be kept, as a notice says. Throws Error.
  bool set_aside(App& app);
  void show_work(App& app, const Autosave& work);
  /// The page's address leads to what is kept.
  static void tell_address(const App& app);
  bool write_autosave(App& app);
  bool save_last(Workspace& work);
  void read_last_session(Workspace& work);
  /// A start with a file ends with that as the last session: an unsaved one before it is asked about at the
  /// next start without a file.
  void keep_unsaved();
  void adopt_unsaved() const;
  static void note_last(App& app);
  std::string works_folder() const;
  void write_settings(Workspace& work);
  void report_damaged_settings(Workspace& work);
  void report_once(Workspace& work, Notice::About about, const Error& why);

  std::string state_folder_, settings_path_;  // "" if there is no such folder
  StartMark mark_;
  int quiet_passes_ = 0;      // since the start
  bool linked_ = false;       // what the window shows, or what it became, is from a link
  bool offers_back_ = false;  // the newest of works_ was there before it
  LoadedSettings loaded_;
  Settings written_settings_;
  std::optional<Session> written_session_;      // as stored on disk
  std::optional<PlayedLesson> written_lesson_;  // as stored on disk
  std::optional<Cell> written_lock_;            // as stored on disk
  std::optional<Clock::time_point> changed_;    // when to write the changes
  std::optional<AutosaveFile> own_, offered_;
  std::string offered_path_;                             // the file that the offered session is of; "": none
  std::optional<PlayedLesson> offered_lesson_;           // the lesson that was being played there
  std::filesystem::file_time_type last_session_time_{};  // of the last session, as found at the start
  std::set<Notice::About> reported_;                     // failed writes, each once until it succeeds
  std::vector<KeptWork> works_;                          // whose names the actions refer to
  std::string chosen_work_;                              // by an action; "": none
};

}  // namespace headscope

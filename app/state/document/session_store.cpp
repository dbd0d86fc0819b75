#include "app/state/document/session_store.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "app/state/app.h"
#include "app/state/document/autosave.h"
#include "app/state/document/document.h"
#include "app/state/document/pasted_pictures.h"
#include "app/state/document/work_link.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/text/text_edit.h"
#include "core/base/error.h"
#include "core/io/file.h"
#include "core/system/process.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds write_after{1000}, try_again_after{5000};
constexpr const char* last_session = "session.json";
constexpr const char* unsaved_session = "unsaved.json";

std::string below(const std::string& folder, const char* name) {
  return folder.empty() ? std::string() : folder + "/" + name;
}

/// Renames a file that cannot be read, and notifies where it is now.
void set_aside_with_notice(Workspace& work, const std::string& path, const Error& failure) {
  std::error_code error;
  const std::string aside = fs::is_regular_file(path, error) ? set_aside(path) : std::string();
  if (aside.empty())
    work.notices.warn(Notice::About::nothing, TR("The last session could not be read: {}"), failure);
  else
    work.notices.warn(Notice::About::nothing,
                      TR("The last session could not be read and was moved to {}: {}"), aside, failure);
}

/// When the file was last written; the earliest possible time if it does not exist.
fs::file_time_type time_of(const std::string& path) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  return error ? fs::file_time_type::min() : time;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || (!a.empty() && !b.empty() && fs::equivalent(a, b, error));
}

/// The name of a file, or of a built-in lesson, in the start's mark.
std::string marked_name(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::exists(path, error) ? fs::absolute(path, error).lexically_normal() : fs::path();
  return whole.empty() ? path : whole.string();
}

Error not_opened(const std::string& path) {
  return unable_error(
      "{}: not opened, as the program ended while it opened this at the last starts; the next start tries it "
      "again",
      path);
}

/// Changes are relative to the file's present content; the session itself may be newer.
void belong_to(OpenSession& open, const std::string& path) {
  open.document = {"", Session{}, 0};
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return;
  try {
    open.document = read_document(path);
  } catch (const Error&) {
    // The file can no longer be read: the session continues without one.
  }
}

}  // namespace

SessionStore::SessionStore()
    : state_folder_(state_folder()),
      settings_path_(below(config_folder(), "settings.json")),
      mark_(state_folder_),
      loaded_(load_settings(settings_path_)),
      written_settings_(loaded_.settings) {}

Language SessionStore::language(std::optional<Language> requested) const {
  return requested.value_or(loaded_.settings.language.value_or(system_language()));
}

void SessionStore::start(App& app, const std::optional<Session>& session, const std::string& path,
                         std::optional<Language> language) {
  app.settings = loaded_.settings;
  app.tr = Translator(this->language(language));
  app.state.view.theme = app.settings.theme;
  report_damaged_settings(app);
  last_session_time_ = time_of(below(state_folder_, last_session));
  if (session && open_document(app, *session, path)) {
    keep_unsaved();
  } else if (!recover(app)) {
    read_last_session(app);
    adopt_unsaved();
    offer_older(app);
  }
  offer_suspect(app);
  note_written(app);
  delete_forgotten_pictures(state_folder_, *written_session_);
  list_works(app);
  if (own_) tell_address(app);
}

void SessionStore::open_marked(const std::string& path) {
  const std::string file = marked_name(path);
  if (mark_.is_suspect(file)) {
    mark_.forget(file);
    throw not_opened(path);
  }
  mark_.opens(file);
}

bool SessionStore::open_document(App& app, const Session& session, const std::string& path) {
  try {
    if (!path.empty()) open_marked(path);
  } catch (const Error& failure) {
    app.notices.error(Notice::About::opening, failure);
    return false;
  }
  app.set_session(session);
  belong_to(app, path);
  if (app.document.path.empty())
    app.document.saved = session;
  else
    offer(app);
  return true;
}

void SessionStore::open_requested(Workspace& work, const std::string& path) {
  try {
    open_marked(path);
    open_file(work, path);
  } catch (const Error& failure) {
    work.notices.error(Notice::About::opening, failure);
  }
}

void SessionStore::resume(Workspace& work, const std::optional<PlayedLesson>& lesson) {
  if (!lesson) return;
  try {
    open_marked(lesson->path);
    resume_lesson(work, *lesson);
  } catch (const Error& failure) {
    work.notices.error(Notice::About::opening, failure);
  }
}

void SessionStore::report_damaged_settings(Workspace& work) {
  if (loaded_.damaged.empty()) return;
  if (loaded_.set_aside.empty())
    work.notices.warn(Notice::About::nothing, TR("The settings could not be read; using the defaults: {}"),
                      loaded_.damaged);
  else
    work.notices.warn(Notice::About::nothing,
                      TR("The settings were damaged and were moved to {}; using the defaults"),
                      loaded_.set_aside);
}

bool SessionStore::recover(Workspace& work) {
  for (const std::string& path : AutosaveFile::list(state_folder_)) {
    // An older autosave would overwrite the last session, a suspect one could end this start, too: ask first.
    if (time_of(path) < last_session_time_ || mark_.is_suspect(path)) continue;
    auto file = AutosaveFile::claim(path);
    if (!file) continue;
    try {
      mark_.opens(path);
      const Autosave left = file->read();
      work.set_session(left.session);
      belong_to(work, left.path);
      work.lesson.coming_lock = left.lock;
      if (!is_page()) work.notices.info(TR("Recovered a session that was not closed properly"));
      // With a lesson that this start does not open it stays as it is, for the next one.
      const bool later = left.lesson && mark_.is_suspect(marked_name(left.lesson->path));
      resume(work, left.lesson);
      if (!later) own_ = std::move(file);
      return true;
    } catch (const Error& failure) {
      set_aside_with_notice(work, file->path(), failure);
    }
  }
  return false;
}

void SessionStore::offer(App& app) {
  const fs::file_time_type saved = time_of(app.document.path);
  offer_first(
      app, true, [&](const std::string& path) { return time_of(path) > saved && !mark_.is_suspect(path); },
      [&](const Autosave& left) {
        return same_file(left.path, app.document.path) && is_modified(left.session, app.document.saved);
      });
}

void SessionStore::offer_older(App& app) {
  offer_first(
      app, false, [&](const std::string& path) { return !mark_.is_suspect(path); },
      [&](const Autosave& left) {
        return is_modified(left.session, app.session()) || (left.lesson && left.lesson->free);
      });
}

void SessionStore::offer_first(App& app, bool of_document,
                               const std::function<bool(const std::string& path)>& reads,
                               const std::function<bool(const Autosave& left)>& offers) {
  for (const std::string& path : AutosaveFile::list(state_folder_)) {
    if (!reads(path)) continue;
    auto file = AutosaveFile::claim(path);
    if (!file) continue;
    mark_.opens(path);
    try {
      Autosave left = file->read();
      mark_.leaves();
      if (!offers(left)) continue;
      app.dialogs.files.left = std::move(left.session);
      app.dialogs.files.left_of_document = of_document;
      offered_path_ = std::move(left.path);
      offered_lesson_ = std::move(left.lesson);
      offered_ = std::move(file);
      return;
    } catch (const Error& failure) {
      mark_.leaves();
      set_aside_with_notice(app, file->path(), failure);
    }
  }
}

void SessionStore::offer_suspect(App& app) {
  constexpr int too_often = 4;  // also where it was only read, to be asked about, or restored
  const auto asks = [&](const std::string& path) {
    if (!mark_.is_suspect(path)) return false;
    if (mark_.times(path) < too_often) return true;
    app.notices.error(Notice::About::opening, not_opened(path));
    mark_.forget(path);
    return false;
  };
  if (!offered_) offer_first(app, false, asks, [](const Autosave&) { return true; });
}

void SessionStore::settle_offer(App& app) {
  if (!offered_ || app.dialogs.files.left) return;
  const LeftAnswer answer = app.dialogs.files.left_answer;
  if (answer == LeftAnswer::restore) {
    mark_.opens(offered_->path());
    quiet_passes_ = 0;
    if (!app.dialogs.files.left_of_document) belong_to(app, offered_path_);
    if (offered_lesson_) resume_lesson(app, *offered_lesson_);
    if (own_) own_->remove();
    own_ = std::move(offered_);
    note_written(app);
  }
  if (answer == LeftAnswer::discard) {
    mark_.forget(offered_->path());
    offered_->remove();
  }
  offered_.reset();
}

void SessionStore::keep_unsaved() {
  // Another window may still have it.
  if (!loaded_.settings.last_unsaved || !AutosaveFile::list(state_folder_).empty()) return;
  // One that has not been asked about is adopted: both are, then.
  adopt_unsaved();
  std::error_code error;
  fs::rename(below(state_folder_, last_session), below(state_folder_, unsaved_session), error);
  last_session_time_ = time_of(below(state_folder_, last_session));
}

void SessionStore::adopt_unsaved() const {
  const std::string path = below(state_folder_, unsaved_session);
  std::error_code error;
  if (fs::exists(path, error)) AutosaveFile::adopt(state_folder_, path);
}

void SessionStore::note_last(App& app) {
  app.settings.last_file = app.document.path;
  app.settings.last_unsaved = app.document.path.empty() && is_modified(app);
}

void SessionStore::read_last_session(Workspace& work) {
  const std::string path = below(state_folder_, last_session);
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return;
  if (mark_.is_suspect(path)) {
    // This window's session will take its place: it is asked about under another name.
    if (const auto kept = AutosaveFile::adopt(state_folder_, path)) mark_.rename(path, kept->path());
    return;
  }
  try {
    mark_.opens(path);
    readable_size(path);
    work.set_session(load_session(path));
    belong_to(work, loaded_.settings.last_file);
  } catch (const Error& failure) {
    set_aside_with_notice(work, path, failure);
  }
}

bool SessionStore::is_written(const Workspace& work) const {
  return work.is_session(*written_session_) && played_lesson(work) == written_lesson_ &&
         own_lock(work) == written_lock_;
}

void SessionStore::note_written(const Workspace& work) {
  written_session_ = work.session();
  written_lesson_ = played_lesson(work);
  written_lock_ = own_lock(work);
}

void SessionStore::keep(App& app, bool shown) {
  // Frames have shown what was opened, and nothing is running that could still crash the program.
  constexpr int enough_passes = 3;
  if (shown && !is_busy(app) && ++quiet_passes_ == enough_passes) mark_.settle();
  settle_offer(app);
  if (!chosen_work_.empty()) go_to_work(app, std::exchange(chosen_work_, ""));
  if (!app.dialogs.link.chosen.empty()) open_link(app, std::exchange(app.dialogs.link.chosen, ""));
  app.settings.last_file = app.document.path;
  if (!changed_) {
    if (is_written(app) && app.settings == written_settings_) return;
    changed_ = Clock::now() + write_after;
  }
  if (Clock::now() < *changed_) return;
  changed_.reset();
  write_settings(app);
  if (!is_written(app) && !write_autosave(app)) changed_ = Clock::now() + try_again_after;
}

bool SessionStore::keep_now(App& app) {
  write_settings(app);
  return is_written(app) || write_autosave(app);
}

bool SessionStore::write_autosave(App& app) {
  if (state_folder_.empty()) return true;
  try {
    Autosave autosave{app.session(), app.document.path, played_lesson(app), own_lock(app)};
    if (!own_) own_ = AutosaveFile::make(state_folder_);
    if (!own_) throw unable_error("{}: cannot be written", state_folder_);
    own_->write(autosave);
    written_session_ = std::move(autosave.session);
    written_lesson_ = std::move(autosave.lesson);
    written_lock_ = autosave.lock;
    tell_address(app);
    reported_.erase(Notice::About::next_time);
    app.notices.settle(Notice::About::next_time);
    return true;
  } catch (const Error& failure) {
    report_once(app, Notice::About::next_time, failure);
    return false;
  }
}

double SessionStore::due_in() const {
  if (!changed_) return -1;
  return std::chrono::duration<double>(*changed_ - Clock::now()).count() + 0.005;
}

void SessionStore::write_settings(Workspace& work) {
  if (work.settings == written_settings_) return;
  written_settings_ = work.settings;
  if (settings_path_.empty()) return;
  try {
    save_settings(settings_path_, work.settings);
    reported_.erase(Notice::About::settings);
    work.notices.settle(Notice::About::settings);
  } catch (const Error& failure) {
    report_once(work, Notice::About::settings, failure);
  }
}

void SessionStore::report_once(Workspace& work, Notice::About about, const Error& why) {
  if (reported_.insert(about).second)
    work.notices.warn(about, TR("Could not be saved for next time: {}"), why);
  work.wake();
}

bool SessionStore::save_last(Workspace& work) {
  if (state_folder_.empty()) return false;
  try {
    std::error_code error;
    fs::create_directories(state_folder_, error);
    save_session(below(state_folder_, last_session), work.session());
    work.notices.settle(Notice::About::next_time);
    return true;
  } catch (const Error& failure) {
    work.notices.warn(Notice::About::next_time, TR("Could not be saved for next time: {}"), failure);
    return false;
  }
}

bool SessionStore::keep_for_next(Workspace& work) {
  return save_last(work) || work.is_session(*written_session_);
}

void SessionStore::finish(App& app) {
  mark_.settle();
  settle_offer(app);
  // The next start goes on with one's own work, not with what a link showed.
  if (linked_ && offers_back_ && !own_ && is_written(app)) go_to_work(app, works_.front().path);
  note_last(app);
  write_settings(app);
  // What could not be saved stays in the autosave, which the next start finds.
  if (!save_last(app)) return;
  if (own_) own_->remove();
  own_.reset();
}

void SessionStore::break_off(App& app) {
  mark_.settle();
  note_last(app);
  write_settings(app);
  // The position in a lesson is not stored in any other file.
  const bool playing = app.lesson.playing(), modified = is_modified(app) || playing;
  if (modified && (!own_ || !is_written(app))) write_autosave(app);
  // All windows share one last session: if other windows are ending too, it may be theirs.
  const auto is_own = [this](const std::string& path) { return own_ && own_->path() == path; };
  const bool alone = std::ranges::all_of(AutosaveFile::list(state_folder_), is_own) &&
                     time_of(below(state_folder_, last_session)) == last_session_time_;
  if (alone && !playing && (app.document.path.empty() || !modified)) return finish(app);
  if (!modified && own_) own_->remove();
}

namespace {

std::string name_of(const Autosave& work) {
  const Inputs& inputs = work.session.inputs;
  const auto file = [](const std::string& path) { return fs::path(path).filename().string(); };
  const std::string text = !inputs.about().computes  ? file(inputs.capture)
                           : inputs.sentence.empty() ? file(inputs.picture)
                                                     : inputs.sentence;
  std::string name = work.lesson ? file(work.lesson->path) + ": " + text : text;
  std::ranges::replace(name, '#', ' ');  // in a menu, what follows "##" is not shown
  constexpr int longest = 40;
  std::size_t end = 0;
  for (int i = 0; i < longest && end < name.size(); ++i) end = next_character(name, end);
  return end < name.size() ? name.substr(0, end) + "…" : name;
}

}  // namespace

std::string SessionStore::works_folder() const {
  return state_folder_ + "/others";
}

void SessionStore::leave(App& app) {
  keep_now(app);
  mark_.settle();
}

void SessionStore::list_works(App& app) {
  works_.clear();
  for (const std::string& path : AutosaveFile::list(works_folder())) {
    const auto file = AutosaveFile::claim(path);
    if (!file) continue;
    try {
      works_.push_back({path, name_of(file->read())});
    } catch (const Error&) {
      // It cannot be shown, and stays where it is.
    }
  }
  std::vector<Action>& list = app.actions;
  std::erase_if(list, [](const Action& action) { return action.is_in(works_menu); });
  std::vector<Action> works;
  ActionRows add(works, ActionGroup::file, works_menu);
  for (const KeptWork& work : works_)
    add("earlier work " + std::to_string(works.size() + 1), work.name.c_str(),
        [this, path = work.path](App& a) {
          chosen_work_ = path;
          a.wake();
        })
        .own[Language::en] = work.name;
  const auto place = std::ranges::find(list, std::string("save"), &Action::id);
  list.insert(place, std::make_move_iterator(works.begin()), std::make_move_iterator(works.end()));
}

bool SessionStore::set_aside(App& app) {
  if (state_folder_.empty()) throw unable_error("there is no folder to keep your own work in");
  // What the window started with may be in no file of its own.
  const bool as_linked = linked_ && is_written(app),
             as_new = app.is_session(Session{}) && !app.lesson.playing();
  app.notices.settle(Notice::About::opening);
  if (!own_ && as_linked) return true;
  offers_back_ = own_ || !as_new;
  if (!offers_back_) return true;
  if (!(own_ ? keep_now(app) : write_autosave(app))) return false;
  forget_oldest_works();
  own_->move_to(works_folder());
  own_->touch();
  own_.reset();
  return true;
}

void SessionStore::show_work(App& app, const Autosave& work) {
  app.set_session(work.session);
  belong_to(app, work.path);
  app.lesson.coming_lock = work.lock;
  resume(app, work.lesson);
  note_written(app);
}

bool SessionStore::go_to_work(App& app, const std::string& path) {
  bool goes = false;
  try {
    auto file = AutosaveFile::claim(path);
    if (!file) throw unable_error("{}: is open in another window", path);
    const Autosave next = file->read();
    if (!set_aside(app)) return false;
    file->move_to(state_folder_);
    own_ = std::move(file);
    linked_ = false;
    show_work(app, next);
    tell_address(app);
    goes = true;
  } catch (const Error& failure) {
    app.notices.error(Notice::About::opening, failure);
  }
  list_works(app);
  return goes;
}

void SessionStore::open_link(App& app, const std::string& link) {
  try {
    const Autosave linked = work_in_link(link);
    if (set_aside(app)) {
      linked_ = true;
      show_work(app, linked);
      if (app.desktop.set_link) app.desktop.set_link(link.substr(link.find('#')));
      list_works(app);
      if (offers_back_) app.notices.warn(Notice::About::opening, link_note);
    }
  } catch (const Error& failure) {
    app.notices.error(Notice::About::opening, failure);
  }
}

void SessionStore::tell_address(const App& app) {
  if (!app.desktop.set_link) return;
  std::string link;
  try {
    link = link_here(app);
  } catch (const Error&) {
    // No link leads to it.
  }
  app.desktop.set_link(link);
}

void SessionStore::forget_oldest_works() const {
  constexpr std::size_t most = 20;  // as of a page (app/window/page/store.js)
  const std::vector<std::string> works = AutosaveFile::list(works_folder());
  for (std::size_t i = most; i < works.size(); ++i)
    if (auto file = AutosaveFile::claim(works[i])) file->remove();
}

}  // namespace headscope

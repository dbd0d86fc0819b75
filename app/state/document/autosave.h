#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/state/lesson/played_lesson.h"
#include "core/io/file_lock.h"
#include "core/session/session.h"

namespace headscope {

/// What a window saves while it is open, in case it is killed.
struct Autosave {
  Session session;
  std::string path;  ///< the file the session belongs to; empty if none
  std::optional<PlayedLesson> lesson{};
};

/// An autosave file, autosave-NAME.json, owned by the holder of the lock autosave-NAME.lock: a window while
/// it runs, then the next one that claims it. The file outlives this object unless removed.
class AutosaveFile {
 public:
  /// Creates one in `folder` under an unused name; no value if that fails.
  static std::optional<AutosaveFile> make(const std::string& folder);
  /// The files in `folder`, regardless of owner, newest first.
  static std::vector<std::string> list(const std::string& folder);
  /// Takes ownership of a file; no value while a window owns it.
  static std::optional<AutosaveFile> claim(const std::string& path);

  const std::string& path() const { return path_; }
  /// Throws Error as write_file, and keeps the previous content.
  void write(const Autosave& autosave);
  /// Throws Error if it is not an autosave.
  Autosave read() const;
  void remove();
  /// Into another folder, under the same name. Throws Error, and then is where it was.
  void move_to(const std::string& folder);

 private:
  AutosaveFile(FileLock lock, std::string path) : lock_(std::move(lock)), path_(std::move(path)) {}

  FileLock lock_;
  std::string path_;
};

/// Records on disk which file the program is opening at the start, until it has proved harmless: the next
/// start knows which file ended this one.
class StartMark {
 public:
  /// For a program whose state is in `folder`; "": no state, nothing is known. Removes the marks of starts
  /// that have ended.
  explicit StartMark(const std::string& folder);
  /// Leaves the mark if something was opened and settle() was not called.
  ~StartMark();
  StartMark(const StartMark&) = delete;
  StartMark& operator=(const StartMark&) = delete;

  /// Whether a start ended while this was the last file it had opened.
  bool was_ended_by(const std::string& file) const { return ended_by_.contains(file); }
  /// Records the file that is about to be opened.
  void opens(const std::string& file);
  const std::string& opened() const { return opened_; }
  /// What was opened did no harm: removes the mark.
  void settle() { lock_.reset(); }

 private:
  std::set<std::string> ended_by_;
  std::string opened_;  // last
  std::optional<FileLock> lock_;
};

}  // namespace headscope

#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/played_lesson.h"
#include "core/io/file_lock.h"
#include "core/session/session.h"

namespace headscope {

/// What a window saves while it is open, in case it is killed.
struct Autosave {
  Session session;
  std::string path;  ///< the file the session belongs to; empty if none
  std::optional<PlayedLesson> lesson{};
  std::optional<Cell> lock{};  ///< without a lesson, which has its own
};

/// As JSON, and back. `json_of` gives that of a session. Throws Error (input) if it is not an autosave.
std::string text_of(const Autosave& autosave, const std::function<std::string(const Session&)>& json_of);
Autosave autosave_from_json(std::string_view text, const std::string& source);

/// An autosave file, autosave-NAME.json, owned by the holder of the lock autosave-NAME.lock: a window while
/// it runs, then the next one that claims it. The file outlives this object unless removed.
class AutosaveFile {
 public:
  /// Creates one in `folder` under a name that no other has, in any folder; no value if that fails.
  static std::optional<AutosaveFile> make(const std::string& folder);
  /// Makes `path`, a session that no window owns, one of `folder`'s files; no value if that fails.
  static std::optional<AutosaveFile> adopt(const std::string& folder, const std::string& path);
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
  /// Makes it the newest.
  void touch();

 private:
  AutosaveFile(FileLock lock, std::string path) : lock_(std::move(lock)), path_(std::move(path)) {}

  FileLock lock_;
  std::string path_;
};

/// Records on disk which file the program is opening at the start, until it has proved harmless: the next
/// starts know at which file this one ended.
class StartMark {
 public:
  /// For a program whose state is in `folder`; "": no state, nothing is known. Takes over what the marks of
  /// starts that have ended say.
  explicit StartMark(const std::string& folder);
  /// Leaves the mark if a file is to blame, now or from earlier starts.
  ~StartMark();
  StartMark(const StartMark&) = delete;
  StartMark& operator=(const StartMark&) = delete;

  /// Whether starts ended repeatedly while this was the last file that they had opened. A single end is no
  /// proof: anything can kill a program.
  bool is_suspect(const std::string& file) const;
  /// How many in a row.
  int times(const std::string& file) const;
  /// Records the file that is about to be opened.
  void opens(const std::string& file);
  /// The last one opened was only read: the one before it is shown.
  void leaves();
  /// What was opened did no harm.
  void settle();
  /// Nothing is known about the file any more.
  void forget(const std::string& file);
  /// The file has another name.
  void rename(const std::string& from, const std::string& to);

 private:
  void take_over(const std::string& text);
  void write();

  std::string path_;
  std::map<std::string, int> ended_by_;  // how many starts in a row
  std::vector<std::string> opened_;      // in this order
  std::optional<FileLock> lock_;
};

}  // namespace headscope

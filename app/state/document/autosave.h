#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/state/lesson/played_lesson.h"
#include "core/io/file_lock.h"
#include "core/session/session.h"

namespace headscope {

/// What a window keeps while it is open, in case it is killed.
struct Autosave {
  Session session;
  std::string path;  ///< the file the session belongs to; empty if none
  std::optional<PlayedLesson> lesson{};
};

/// The file of an autosave, autosave-NAME.json, which belongs to whoever holds the lock of
/// autosave-NAME.lock: a window while it lives, then the next one that asks. It outlives this object unless
/// it is removed.
class AutosaveFile {
 public:
  /// A new one in `folder`, under a name that no other has; none where that cannot be made.
  static std::optional<AutosaveFile> make(const std::string& folder);
  /// The files in `folder`, whoever they belong to, the newest first.
  static std::vector<std::string> list(const std::string& folder);
  /// One of them; none while a window has it.
  static std::optional<AutosaveFile> claim(const std::string& path);

  const std::string& path() const { return path_; }
  /// Throws Error as write_file, and leaves what was there.
  void write(const Autosave& autosave);
  /// Throws Error where it is no autosave.
  Autosave read() const;
  void remove();

 private:
  AutosaveFile(FileLock lock, std::string path) : lock_(std::move(lock)), path_(std::move(path)) {}

  FileLock lock_;
  std::string path_;
};

}  // namespace headscope

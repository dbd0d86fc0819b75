#pragma once
#include <optional>
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

 private:
  AutosaveFile(FileLock lock, std::string path) : lock_(std::move(lock)), path_(std::move(path)) {}

  FileLock lock_;
  std::string path_;
};

}  // namespace headscope

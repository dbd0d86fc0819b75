#pragma once
#include <optional>
#include <string>

namespace headscope {

/// A lock file for something that only one process may hold, for as long as it lives. A process id would not
/// do: ids are reused, and the program may be replaced.
class FileLock {
 public:
  /// Creates the file if needed. None while another process holds it, or if it cannot be created. If the file
  /// system has no locks, every process gets it.
  static std::optional<FileLock> take(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  /// Removes the file.
  ~FileLock();

  /// The text written by the previous owner, at most 64 KiB.
  std::string text() const;
  /// Replaces the text; a failed write is ignored.
  void set_text(const std::string& text);
  /// Releases the lock without removing the file.
  void leave();

 private:
  FileLock(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace headscope

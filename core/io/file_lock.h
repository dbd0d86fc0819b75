#pragma once
#include <optional>
#include <string>

namespace headscope {

/// The lock of an open file, which ends when it is closed.
enum class Lock { taken, held_by_another, none_here };
/// `none_here`: the file system has no locks.
Lock try_lock(int descriptor);

/// A file that stands for something only one process may have, and no longer than it lives: its number may
/// come again, and its program may be replaced.
class FileLock {
 public:
  /// Makes the file where needed. None while another has it, or where it cannot be made. Where the file
  /// system has no locks everybody gets it.
  static std::optional<FileLock> take(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  /// Removes the file.
  ~FileLock();

  /// What whoever had the file before has written into it, at most 64 KiB.
  std::string text() const;
  /// Takes the place of what is there; what cannot be written is lost.
  void set_text(const std::string& text);
  /// Lets go of the file and leaves it there.
  void leave();

 private:
  FileLock(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace headscope

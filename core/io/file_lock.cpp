#include "core/io/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace headscope {
namespace {

/// The previous owner may have removed the file between our opening and locking it.
bool is_still_there(int descriptor, const std::string& path) {
  struct stat held {
  }, there{};
  return fstat(descriptor, &held) == 0 && stat(path.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
         held.st_dev == there.st_dev;
}

}  // namespace

Lock try_lock(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK ? Lock::held_by_another : Lock::none_here;
}

std::optional<FileLock> FileLock::take(const std::string& path) {
  constexpr int attempts = 10;
  for (int i = 0; i < attempts; ++i) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return {};
    const bool locked = try_lock(descriptor) != Lock::held_by_another;
    if (locked && is_still_there(descriptor, path)) return FileLock(path, descriptor);
    close(descriptor);
    if (!locked) return {};
  }
  return {};
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  close(descriptor_);
}

std::string FileLock::text() const {
  struct stat status {};
  std::string text(std::size_t{64} << 10, '\0');
  const bool regular = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  const ssize_t got = regular ? pread(descriptor_, text.data(), text.size(), 0) : 0;
  text.resize(static_cast<std::size_t>(got < 0 ? 0 : got));
  return text;
}

void FileLock::set_text(const std::string& text) {
  if (ftruncate(descriptor_, 0) == 0) static_cast<void>(!pwrite(descriptor_, text.data(), text.size(), 0));
}

void FileLock::leave() {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

}  // namespace headscope

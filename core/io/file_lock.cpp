#include "core/io/file_lock.h"

#include <utility>

#include "core/system/files.h"

namespace headscope {
namespace {

/// The previous owner may have removed the file between our opening and locking it.
bool is_still_there(int descriptor, const std::string& path) {
  const auto held = file_status(descriptor), there = file_status(path);
  return held && there && held->number == there->number && held->device == there->device;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::string& path) {
  constexpr int attempts = 10;
  for (int i = 0; i < attempts; ++i) {
    const int descriptor = open_private_file(path);
    if (descriptor < 0) return {};
    const bool locked = try_lock(descriptor) != Lock::held_by_another;
    if (locked && is_still_there(descriptor, path)) return FileLock(path, descriptor);
    close_file(descriptor);
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
  remove_file(path_);
  close_file(descriptor_);
}

std::string FileLock::text() const {
  std::string text(std::size_t{64} << 10, '\0');
  const auto status = file_status(descriptor_);
  const bool plain = status && status->kind == FileKind::plain;
  const std::ptrdiff_t got = plain ? read_bytes_at(descriptor_, text.data(), text.size(), 0) : 0;
  text.resize(got < 0 ? 0 : got);
  return text;
}

void FileLock::set_text(const std::string& text) {
  replace_content(descriptor_, text);
}

void FileLock::leave() {
  if (descriptor_ >= 0) close_file(std::exchange(descriptor_, -1));
}

}  // namespace headscope

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/io/descriptor.h"
#include "core/io/file.h"
#include "core/io/plain_file.h"

namespace headscope {
namespace {

/// Waits for a pipe's writer, with a timeout. Bytes read while checking are appended to `bytes`.
void wait_for_writer(int descriptor, const std::string& path, std::string& bytes) {
  constexpr int patience_ms = 1000;
  pollfd ready{descriptor, POLLIN, 0};
  if (poll(&ready, 1, patience_ms) > 0) return;
  char first = 0;
  const ssize_t got = ::read(descriptor, &first, 1);
  if (got == 0) throw input_error("{} is a pipe without a writer; expected a file", path);
  if (got == 1) bytes += first;
}

/// A file open for reading, with what has been read so far.
class Source {
 public:
  enum class Takes { any, plain };
  explicit Source(const std::string& path, Takes takes = Takes::any)
      // Opening a pipe without a writer would block forever.
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) throw cannot_read(path, errno);
    try {
      prepare(path, takes);
    } catch (...) {
      close(descriptor_);
      throw;
    }
  }
  ~Source() { close(descriptor_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  bool is_plain() const { return S_ISREG(status_.st_mode); }
  std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

  /// Reads until there are `wanted` bytes, or all; returns 0 or errno.
  int read_some(std::size_t wanted) {
    std::array<char, 4096> part;
    while (bytes_.size() < wanted) {
      const ssize_t got = ::read(descriptor_, part.data(), std::min(part.size(), wanted - bytes_.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got < 0 ? errno : 0;
      bytes_.append(part.data(), static_cast<std::size_t>(got));
    }
    return 0;
  }
  int read_rest(std::size_t limit) { return read_all(descriptor_, bytes_, limit); }

 private:
  static Error cannot_read(const std::string& path, int code) {
    if (code == ENOENT || code == ENOTDIR) return input_error("{} does not exist", path);
    if (code == ELOOP) return input_error("{}: a link that leads to itself", path);
    return unable_error("{}: cannot be read: {}", path, std::strerror(code));
  }

  void prepare(const std::string& path, Takes takes) {
    if (fstat(descriptor_, &status_) != 0) throw cannot_read(path, errno);
    if (S_ISDIR(status_.st_mode)) throw input_error("{} is a folder; expected a file", path);
    if (takes == Takes::plain && !is_plain()) throw input_error("{}: not a regular file", path);
    if (S_ISFIFO(status_.st_mode)) wait_for_writer(descriptor_, path, bytes_);
    const int flags = fcntl(descriptor_, F_GETFL);
    if (flags < 0 || fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK) != 0) throw cannot_read(path, errno);
  }

  int descriptor_;
  struct stat status_ {};
  std::string bytes_;
};

void check_read(int code, const std::string& path, std::size_t limit) {
  if (code == EFBIG) throw input_error("{}: larger than the allowed {} bytes", path, limit);
  if (code == ENOMEM) throw unable_error("{}: does not fit into memory", path);
  if (code != 0) throw unable_error("{}: cannot be read: {}", path, std::strerror(code));
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit, Plausible plausible) {
  constexpr std::size_t largest_stream = std::size_t{256} << 20, start = 4096;
  Source source(path);
  if (!source.is_plain()) limit = std::min(limit, largest_stream);
  if (plausible != nullptr) {
    check_read(source.read_some(start), path, limit);
    if (!plausible(source.bytes())) return source.take();
  }
  check_read(source.read_rest(limit), path, limit);
  return source.take();
}

std::string read_plain_file(const std::string& path, std::size_t limit) {
  Source source(path, Source::Takes::plain);
  check_read(source.read_rest(limit), path, limit);
  return source.take();
}

std::string read_start(const std::string& path, std::size_t bytes) {
  Source source(path, Source::Takes::plain);
  check_read(source.read_some(std::min(bytes, source.size())), path, bytes);
  return source.take();
}

std::size_t readable_size(const std::string& path) {
  const Source source(path, Source::Takes::plain);
  return source.size();
}

}  // namespace headscope

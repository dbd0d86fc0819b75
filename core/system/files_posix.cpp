#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "core/system/descriptor.h"
#include "core/system/error_stream.h"
#include "core/system/files.h"

namespace headscope {
namespace {

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::plain;
  if (S_ISDIR(mode)) return FileKind::folder;
  return S_ISFIFO(mode) ? FileKind::pipe : FileKind::other;
}

std::optional<FileStatus> as_status(int result, const struct stat& status) {
  if (result != 0) return {};
#if defined(__APPLE__)
  const timespec& modified = status.st_mtimespec;
#else
  const timespec& modified = status.st_mtim;
#endif
  constexpr std::int64_t second = 1'000'000'000;
  return FileStatus{kind_of(status.st_mode),
                    static_cast<std::size_t>(status.st_size),
                    modified.tv_sec * second + modified.tv_nsec,
                    static_cast<std::uint64_t>(status.st_dev),
                    static_cast<std::uint64_t>(status.st_ino),
                    static_cast<std::size_t>(status.st_nlink),
                    status.st_mode & 07777U,
                    status.st_uid == geteuid()};
}

template <typename Call>
auto without_interruption(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

std::optional<FileStatus> file_status(const std::string& path) {
  struct stat status {};
  return as_status(stat(path.c_str(), &status), status);
}
std::optional<FileStatus> file_status(int descriptor) {
  struct stat status {};
  return as_status(fstat(descriptor, &status), status);
}

int open_to_read(const std::string& path, Links links) {
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links == Links::refuse ? O_NOFOLLOW : 0));
}
int open_to_write(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CLOEXEC);
}
int create_file(const std::string& path) {
  return open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
}
int open_private_file(const std::string& path) {
  return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}
int create_private_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0) return -1;
  const int opened = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int code = errno;
  if (opened < 0) rmdir(path.c_str());
  errno = code;
  return opened;
}
int copy_descriptor(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

bool wait_readable(int descriptor, int milliseconds) {
  pollfd ready{descriptor, POLLIN, 0};
  return poll(&ready, 1, milliseconds) > 0;
}
bool wait_when_reading(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

std::ptrdiff_t read_bytes(int descriptor, char* to, std::size_t bytes) {
  return without_interruption([&] { return ::read(descriptor, to, bytes); });
}
std::ptrdiff_t read_bytes_at(int descriptor, char* to, std::size_t bytes, std::size_t begin) {
  return without_interruption([&] { return pread(descriptor, to, bytes, begin); });
}
std::ptrdiff_t write_bytes(int descriptor, const char* from, std::size_t bytes) {
  return without_interruption([&] { return ::write(descriptor, from, bytes); });
}

bool replace_content(int descriptor, std::string_view content) {
  return ftruncate(descriptor, 0) == 0 &&
         pwrite(descriptor, content.data(), content.size(), 0) == std::ssize(content);
}
void set_permissions(int descriptor, unsigned mode) {
  static_cast<void>(fchmod(descriptor, static_cast<mode_t>(mode)));
}
int sync_file(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
}
void sync_folder(const std::string& folder) {
  const Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor >= 0) static_cast<void>(fsync(descriptor));
}
int close_file(int descriptor) {
  return close(descriptor) == 0 ? 0 : errno;
}

Lock try_lock(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK ? Lock::held_by_another : Lock::none_here;
}

int replace_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}
void remove_file(const std::string& path) {
  unlink(path.c_str());
}
bool may_write(const std::string& path) {
  return access(path.c_str(), W_OK) == 0;
}
bool may_add_files(const std::string& folder) {
  return access(folder.c_str(), W_OK | X_OK) == 0;
}
std::string create_temporary_folder(const std::string& prefix) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / (prefix + "XXXXXX")).string();
  return mkdtemp(path.data()) == nullptr ? "" : path;
}

std::string path_of_content(std::string_view content) {
#if defined(__linux__)
  const int file = memfd_create("headscope", MFD_CLOEXEC);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
#else
  const std::string folder = create_temporary_folder("headscope-"), path = folder + "/content";
  const int file = folder.empty() ? -1 : create_file(path);
#endif
  return file >= 0 && replace_content(file, content) ? path : "";
}

void fail_beyond_size_limit() {
  std::signal(SIGXFSZ, SIG_IGN);
}

bool is_disk_full(int code) {
  return code == ENOSPC || code == EDQUOT;
}

std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return fileno(error_stream());
  for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end && number >= 0)
      return number == STDERR_FILENO ? fileno(error_stream()) : number;
  }
  return std::nullopt;
}

bool fits_pattern(const std::string& name, const std::string& pattern) {
  return fnmatch(pattern.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
}

}  // namespace headscope

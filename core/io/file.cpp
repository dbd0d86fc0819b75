#include "core/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <random>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/descriptor.h"
#include "core/io/file_lock.h"
#include "core/io/partial_file.h"
#include "core/io/plain_file.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

/// The descriptor that /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N refer to. Reopening such a
/// path would truncate the underlying file and fails for sockets.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// Where the bytes go after resolving symbolic links, and whether that is a plain file that can be replaced
/// as a whole.
struct Target {
  std::string path;
  bool replace = true;
  bool exists = false;
  mode_t mode = 0;
};

/// `path` with symbolic links at its end resolved, also to a file that does not exist yet.
std::string behind_links(const std::string& path) {
  fs::path current = path;
  for (int links = 0; links < 40; ++links) {
    std::error_code error;
    if (descriptor_of(current.string())) return current.string();
    const fs::path next = fs::read_symlink(current, error);
    if (error) return current.string();
    current = next.is_absolute() ? next : current.parent_path() / next;
  }
  throw cannot_write(path, ELOOP);
}

Target find_target(const std::string& path) {
  if (path.empty()) throw input_error("the output file name is empty; expected a path");
  Target target{behind_links(path)};
  if (descriptor_of(target.path)) {
    target.replace = false;
    return target;
  }
  struct stat status {};
  if (stat(target.path.c_str(), &status) != 0) {
    if (errno != ENOENT) throw cannot_write(path, errno);
    if (target.path.ends_with('/')) throw cannot_write(path, EISDIR);
    return target;
  }
  if (S_ISDIR(status.st_mode)) throw cannot_write(path, EISDIR);
  if (access(target.path.c_str(), W_OK) != 0) throw cannot_write(path, errno);
  target.exists = true;
  target.mode = status.st_mode & 07777;
  target.replace = S_ISREG(status.st_mode);
  return target;
}

constexpr std::string_view beside_prefix = ".headscope-";
constexpr std::size_t beside_digits = 8;

bool is_beside_name(std::string_view name) {
  if (!name.starts_with(beside_prefix)) return false;
  name.remove_prefix(beside_prefix.size());
  // A library may have created a file next to ours with its own extension.
  return name.substr(0, beside_digits).find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         (name.size() == beside_digits || (name.size() > beside_digits && name[beside_digits] == '.'));
}

/// Removes what killed programs left in `folder`; a file still being written is locked.
void remove_left_behind(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_beside_name(entry->path().filename().string())) continue;
    const int descriptor = open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status {};
    std::error_code ignored;
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_uid == geteuid() &&
        try_lock(descriptor) == Lock::taken)
      fs::remove_all(entry->path(), ignored);
    if (descriptor >= 0) close(descriptor);
  }
}

/// A new, locked file or folder with a unique name: `make` gets the name and returns a descriptor, or -1 and
/// errno.
template <typename Make>
int make_beside(const std::string& path, const fs::path& folder, std::string& name,
                std::optional<PartialFile>& unfinished, const Make& make) {
  remove_left_behind(folder);
  std::random_device random;
  for (;;) {
    name = (folder / fmt::format("{}{:08x}", beside_prefix, random())).string();
    unfinished.emplace(name);
    const int descriptor = make(name.c_str());
    const int code = errno;
    if (descriptor < 0) unfinished.reset();  // the existing one is not ours
    if (descriptor < 0 && code == EEXIST) continue;
    std::error_code ignored;
    // A system folder such as /proc exists but accepts no files.
    if (descriptor < 0)
      throw cannot_write(path, code == ENOENT && fs::is_directory(folder, ignored) ? EPERM : code);
    struct stat status {};
    // Another process may have removed it just before it was locked.
    if (try_lock(descriptor) != Lock::held_by_another && fstat(descriptor, &status) == 0 &&
        status.st_nlink > 0)
      return descriptor;
    close(descriptor);
  }
}

/// Without this, a crash of the machine may leave the old file, or none. A failed sync, as on some network
/// file systems, is ignored: the data has been written.
void sync_folder(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(fsync(descriptor));
  close(descriptor);
}

/// Copies the mode of the file it replaces, syncs to disk, and replaces it.
void put(const std::string& name, const std::string& path, const Target& target, Durability durability) {
  const int written = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (written < 0) throw cannot_write(path, errno);
  if (target.exists) static_cast<void>(fchmod(written, target.mode));
  const bool sync = durability == Durability::machine;
  const int synced = !sync || fsync(written) == 0 || errno == EINVAL ? 0 : errno;
  close(written);
  if (synced != 0) throw cannot_write(path, synced);
  if (rename(name.c_str(), target.path.c_str()) != 0) throw cannot_write(path, errno);
  if (sync) sync_folder(target.path);
}

/// A new, empty file in `folder` that is removed again unless it was renamed into place.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& path, const fs::path& folder)
      : descriptor_(make_beside(path, folder, name_, unfinished_, [](const char* name) {
          return open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        })) {}
  ~TemporaryFile() {
    if (!name_.empty()) unlink(name_.c_str());
    close(descriptor_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  void put(const std::string& path, const Target& target, Durability durability) {
    headscope::put(name_, path, target, durability);
    name_.clear();
  }

 private:
  std::string name_;
  std::optional<PartialFile> unfinished_;
  int descriptor_;
};

/// A new folder in `folder` that is removed again with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder(const std::string& path, const fs::path& folder)
      : descriptor_(make_beside(path, folder, name_, unfinished_, [](const char* name) {
          if (mkdir(name, 0700) != 0) return -1;
          const int opened = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
          const int code = errno;
          if (opened < 0) rmdir(name);
          errno = code;
          return opened;
        })) {}
  ~TemporaryFolder() {
    close(descriptor_);
    try {
      std::error_code ignored;
      fs::remove_all(name_, ignored);
    } catch (const std::bad_alloc&) {
      // Left as by a killed program: the next writer removes it.
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file() const { return name_ + "/file"; }

 private:
  std::string name_;
  std::optional<PartialFile> unfinished_;
  int descriptor_;
};

void fill(int descriptor, const std::string& path, const std::function<void(std::ostream&)>& write) {
  DescriptorBuffer buffer(descriptor);
  std::ostream stream(&buffer);
  write(stream);
  stream.flush();
  if (buffer.error() != 0) throw cannot_write(path, buffer.error());
  if (!stream) throw cannot_write(path, EIO);
}

void fill_in_place(const Target& target, const std::string& path,
                   const std::function<void(std::ostream&)>& write) {
  const auto number = descriptor_of(target.path);
  const int descriptor = number ? dup(*number) : open(target.path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw cannot_write(path, errno);
  try {
    fill(descriptor, path, write);
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (close(descriptor) != 0) throw cannot_write(path, errno);
}

}  // namespace

Error cannot_write(const std::string& path, int code) {
  switch (code) {
    case EACCES:
    case EPERM:
      return unable_error("{}: cannot be written: permission denied", path);
    case ENOSPC:
    case EDQUOT:
      return unable_error("{}: cannot be written: the disk is full", path);
    case EFBIG:
      return unable_error("{}: cannot be written: larger than files may be here", path);
    case ENOENT:
      return unable_error("{}: cannot be written: its folder does not exist", path);
    case ENOTDIR:
      return unable_error("{}: cannot be written: a part of the path is not a folder", path);
    case EROFS:
      return unable_error("{}: cannot be written: the file system is read-only", path);
    case EISDIR:
      return input_error("{} is a folder; expected the name of the file to write", path);
    default:
      return unable_error("{}: cannot be written: {}", path, std::strerror(code));
  }
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                Durability durability) {
  const Target target = find_target(path);
  if (!target.replace) return fill_in_place(target, path, write);
  TemporaryFile beside(path, fs::path(target.path).parent_path());
  fill(beside.descriptor(), path, write);
  beside.put(path, target, durability);
}

void write_file(const std::string& path, std::string_view bytes, Durability durability) {
  write_file(
      path, [&](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); },
      durability);
}

void write_file_at(const std::string& path, const std::function<void(const std::string& beside)>& write) {
  const Target target = find_target(path);
  const fs::path folder = target.replace ? fs::path(target.path).parent_path() : fs::temp_directory_path();
  const TemporaryFolder beside(path, folder);
  write(beside.file());
  if (target.replace) return put(beside.file(), path, target, Durability::machine);
  const std::string bytes = read_file(beside.file());
  fill_in_place(target, path, [&](std::ostream& out) {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  });
}

void expect_plain_file_target(const std::string& path) {
  if (!is_plain_file_target(path)) throw input_error("{}: not a regular file", path);
}

bool is_plain_file_target(const std::string& path) {
  return find_target(path).replace;
}

void expect_writable(const std::string& path) {
  const Target target = find_target(path);
  if (!target.replace) return;
  const std::string folder = fs::path(target.path).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) throw cannot_write(path, errno);
}

std::string ending(const std::string& path) {
  const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot <= name) return "";
  std::string result = path.substr(dot);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace headscope

#include "core/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/descriptor.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

/// The descriptor that /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N stand for. Opening such a path
/// anew would truncate the file behind it and fails for sockets.
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

/// Where the bytes go: behind all symbolic links, and whether that is a plain file that can be replaced
/// whole.
struct Target {
  std::string path;
  bool replace = true;
  bool exists = false;
  mode_t mode = 0;
};

/// `path` with the symbolic links at its end followed, also to a file that does not exist yet.
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

/// A new, empty file in `folder` that is removed again unless it was renamed into place.
class FileBeside {
 public:
  FileBeside(const std::string& path, const fs::path& folder) {
    std::random_device random;
    do {
      name_ = (folder / fmt::format(".headscope-{:08x}", random())).string();
      descriptor_ = open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) throw cannot_write(path, errno);
  }
  ~FileBeside() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }

  /// Takes the mode of the file it replaces, reaches the disk, and takes its place.
  void put(const std::string& path, const Target& target, Durability durability = Durability::machine) {
    // Libraries that get the name may have replaced the file: what counts is what the name leads to now.
    const int written = open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (written < 0) throw cannot_write(path, errno);
    if (target.exists) static_cast<void>(fchmod(written, target.mode));
    const bool sync = durability == Durability::machine;
    const int synced = !sync || fsync(written) == 0 || errno == EINVAL ? 0 : errno;
    close(written);
    if (synced != 0) throw cannot_write(path, synced);
    if (rename(name_.c_str(), target.path.c_str()) != 0) throw cannot_write(path, errno);
    name_.clear();
  }

 private:
  std::string name_;
  int descriptor_ = -1;
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

int open_to_read(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    throw input_error("{} is a folder; expected a file", path);
  }
  if (descriptor >= 0) return descriptor;
  if (errno == ENOENT || errno == ENOTDIR) throw input_error("{} does not exist", path);
  throw unable_error("{}: cannot be read: {}", path, std::strerror(errno));
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

std::string read_file(const std::string& path, std::size_t limit) {
  constexpr std::size_t largest_stream = std::size_t{256} << 20;
  const int descriptor = open_to_read(path);
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) limit = std::min(limit, largest_stream);
  std::string bytes;
  const int code = read_all(descriptor, bytes, limit);
  close(descriptor);
  if (code == EFBIG) throw input_error("{}: larger than the allowed {} bytes", path, limit);
  if (code == ENOMEM) throw unable_error("{}: does not fit into memory", path);
  if (code != 0) throw unable_error("{}: cannot be read: {}", path, std::strerror(code));
  return bytes;
}

std::size_t readable_size(const std::string& path) {
  const int descriptor = open_to_read(path);
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  close(descriptor);
  if (!known) throw input_error("{}: not a regular file", path);
  return static_cast<std::size_t>(status.st_size);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                Durability durability) {
  const Target target = find_target(path);
  if (!target.replace) return fill_in_place(target, path, write);
  FileBeside beside(path, fs::path(target.path).parent_path());
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
  FileBeside beside(path, folder);
  write(beside.name());
  if (target.replace) return beside.put(path, target);
  const std::string bytes = read_file(beside.name());
  fill_in_place(target, path, [&](std::ostream& out) {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  });
}

bool is_plain_file_target(const std::string& path) {
  return find_target(path).replace;
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

#include "core/io/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <streambuf>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/left_behind.h"
#include "core/io/partial_file.h"
#include "core/system/descriptor.h"
#include "core/system/files.h"

namespace headscope {
namespace {

// Reading.

/// Waits for a pipe's writer, with a timeout. Bytes read while checking are appended to `bytes`.
void wait_for_writer(int descriptor, const std::string& path, std::string& bytes) {
  constexpr int patience_ms = 1000;
  if (wait_readable(descriptor, patience_ms)) return;
  char first = 0;
  const std::ptrdiff_t got = read_bytes(descriptor, &first, 1);
  if (got == 0) throw input_error("{} is a pipe without a writer; expected a file", path);
  if (got == 1) bytes += first;
}

/// A file open for reading, with what has been read so far.
class SourceFile {
 public:
  enum class Takes { any, plain };
  explicit SourceFile(const std::string& path, Takes takes = Takes::any) : descriptor_(open_to_read(path)) {
    const auto status = descriptor_ < 0 ? std::nullopt : file_status(descriptor_);
    if (!status) throw cannot_read(path, errno);
    status_ = *status;
    if (status_.kind == FileKind::folder) throw input_error("{} is a folder; expected a file", path);
    if (takes == Takes::plain && !is_plain()) throw input_error("{}: not a regular file", path);
    if (status_.kind == FileKind::pipe) wait_for_writer(descriptor_, path, bytes_);
    if (!wait_when_reading(descriptor_)) throw cannot_read(path, errno);
  }

  bool is_plain() const { return status_.kind == FileKind::plain; }
  std::size_t size() const { return status_.size; }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

  /// Reads until there are `wanted` bytes, or all; returns 0 or errno.
  int read_some(std::size_t wanted) {
    std::array<char, 4096> part;
    while (bytes_.size() < wanted) {
      const std::ptrdiff_t got =
          read_bytes(descriptor_, part.data(), std::min(part.size(), wanted - bytes_.size()));
      if (got <= 0) return got < 0 ? errno : 0;
      bytes_.append(part.data(), got);
    }
    return 0;
  }
  /// Reads the rest; returns 0 or errno: EFBIG for more than `limit` bytes in total, ENOMEM if memory is
  /// exhausted.
  int read_rest(std::size_t limit) try {
    if (is_plain()) {
      if (size() > limit) return EFBIG;
      bytes_.reserve(size());
    }
    std::array<char, 1 << 16> part;
    for (;;) {
      const std::ptrdiff_t got = read_bytes(descriptor_, part.data(), part.size());
      if (got <= 0) return got < 0 ? errno : 0;
      if (static_cast<std::size_t>(got) > limit - bytes_.size()) return EFBIG;
      bytes_.append(part.data(), got);
    }
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::length_error&) {
    return ENOMEM;
  }

 private:
  static Error cannot_read(const std::string& path, int code) {
    if (code == ENOENT || code == ENOTDIR) return input_error("{} does not exist", path);
    if (code == ELOOP) return input_error("{}: a link that leads to itself", path);
    return unable_error("{}: cannot be read: {}", path, std::strerror(code));
  }

  Descriptor descriptor_;
  FileStatus status_;
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
  SourceFile source(path);
  if (!source.is_plain()) limit = std::min(limit, largest_stream);
  if (plausible != nullptr) {
    check_read(source.read_some(start), path, limit);
    if (!plausible(source.bytes())) return source.take();
  }
  check_read(source.read_rest(limit), path, limit);
  return source.take();
}

std::string read_plain_file(const std::string& path, std::size_t limit) {
  SourceFile source(path, SourceFile::Takes::plain);
  check_read(source.read_rest(limit), path, limit);
  return source.take();
}

std::string read_start(const std::string& path, std::size_t bytes) {
  SourceFile source(path, SourceFile::Takes::plain);
  check_read(source.read_some(std::min(bytes, source.size())), path, bytes);
  return source.take();
}

std::size_t readable_size(const std::string& path) {
  const SourceFile source(path, SourceFile::Takes::plain);
  return source.size();
}

// Writing.

namespace {

namespace fs = std::filesystem;

/// Where the bytes go after resolving symbolic links, and whether that is a plain file that can be replaced
/// as a whole.
struct Target {
  std::string path;
  bool replace = true;
  std::optional<unsigned> mode = {};  ///< of the file that it replaces
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
  const auto status = file_status(target.path);
  if (!status) {
    if (errno != ENOENT) throw cannot_write(path, errno);
    if (target.path.ends_with('/')) throw cannot_write(path, EISDIR);
    return target;
  }
  if (status->kind == FileKind::folder) throw cannot_write(path, EISDIR);
  if (!may_write(target.path)) throw cannot_write(path, errno);
  target.mode = status->mode;
  target.replace = status->kind == FileKind::plain;
  return target;
}

/// A new, locked file or folder with a unique name: `make` gets the name and returns a descriptor, or -1 and
/// errno.
template <typename Make>
Descriptor make_beside(const std::string& path, const fs::path& folder, std::string& name,
                       std::optional<PartialFile>& unfinished, const Make& make) {
  remove_left_behind(folder.empty() ? "." : folder.string());
  for (;;) {
    name = (folder / unfinished_name()).string();
    unfinished.emplace(name);
    Descriptor descriptor(make(name));
    const int code = errno;
    if (descriptor < 0) unfinished.reset();  // the existing one is not ours
    if (descriptor < 0 && code == EEXIST) continue;
    std::error_code ignored;
    // A system folder such as /proc exists but accepts no files.
    if (descriptor < 0)
      throw cannot_write(path, code == ENOENT && fs::is_directory(folder, ignored) ? EPERM : code);
    // Another process may have removed it just before it was locked.
    if (try_lock(descriptor) == Lock::held_by_another) continue;
    if (const auto status = file_status(descriptor); status && status->links > 0) return descriptor;
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Copies the mode of the file it replaces, syncs to disk, and replaces it.
void put(const std::string& name, const std::string& path, const Target& target, Durability durability) {
  Descriptor written(open_to_read(name));
  if (written < 0) throw cannot_write(path, errno);
  if (target.mode) set_permissions(written, *target.mode);
  const bool sync = durability == Durability::machine;
  const int synced = sync ? sync_file(written) : 0;
  written.close();
  if (synced != 0) throw cannot_write(path, synced);
  if (const int code = replace_file(name, target.path)) throw cannot_write(path, code);
  // Without this, a crash of the machine may leave the old file, or none.
  if (sync) sync_folder(folder_of(target.path));
}

/// A new, empty file in `folder` that is removed again unless it was renamed into place.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& path, const fs::path& folder)
      : descriptor_(make_beside(path, folder, name_, unfinished_, create_file)) {}
  ~TemporaryFile() {
    if (!name_.empty()) remove_file(name_);
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
  Descriptor descriptor_;
};

/// A new folder in `folder` that is removed again with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder(const std::string& path, const fs::path& folder)
      : descriptor_(make_beside(path, folder, name_, unfinished_, create_private_folder)) {
    if (const int code = mark_unfinished_folder(name_)) {
      remove();
      throw cannot_write(path, code);
    }
  }
  ~TemporaryFolder() { remove(); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file() const { return name_ + "/file"; }

 private:
  void remove() {
    descriptor_.close();
    try {
      std::error_code ignored;
      fs::remove_all(name_, ignored);
    } catch (const std::bad_alloc&) {
      // Left as by a killed program: the next writer removes it.
    }
  }

  std::string name_;
  std::optional<PartialFile> unfinished_;
  Descriptor descriptor_;
};

/// A stream buffer on a file descriptor that keeps the system's error number, which std::ofstream loses.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  /// errno of the first write that failed, or 0.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    if (size < epptr() - pptr()) return std::streambuf::xsputn(bytes, size);
    if (sync() != 0 || !write_out(bytes, static_cast<std::size_t>(size))) return 0;
    return size;
  }
  int sync() override {
    const bool good = write_out(pbase(), pptr() - pbase());
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return good ? 0 : -1;
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir direction,
                   std::ios_base::openmode which) override {
    // Only tellp(): a pipe cannot go back.
    if (offset != 0 || direction != std::ios_base::cur || (which & std::ios_base::out) == 0)
      return {off_type(-1)};
    return {written_ + (pptr() - pbase())};
  }

 private:
  bool write_out(const char* bytes, std::size_t size) {
    while (size > 0 && error_ == 0) {
      const std::ptrdiff_t done = write_bytes(descriptor_, bytes, size);
      if (done < 0) {
        error_ = errno;
        return false;
      }
      bytes += done;
      size -= done;
      written_ += done;
    }
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::streamoff written_ = 0;
  std::array<char, 1 << 16> buffer_;
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
  Descriptor descriptor(number ? copy_descriptor(*number) : open_to_write(target.path));
  if (descriptor < 0) throw cannot_write(path, errno);
  fill(descriptor, path, write);
  if (const int code = descriptor.close()) throw cannot_write(path, code);
}

}  // namespace

Error cannot_write(const std::string& path, int code) {
  if (is_disk_full(code)) return unable_error("{}: cannot be written: the disk is full", path);
  switch (code) {
    case EACCES:
    case EPERM:
      return unable_error("{}: cannot be written: permission denied", path);
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
      path, [&](std::ostream& out) { out.write(bytes.data(), bytes.size()); }, durability);
}

void write_file_at(const std::string& path, const std::function<void(const std::string& beside)>& write) {
  const Target target = find_target(path);
  const fs::path folder = target.replace ? fs::path(target.path).parent_path() : fs::temp_directory_path();
  const TemporaryFolder beside(path, folder);
  write(beside.file());
  if (target.replace) return put(beside.file(), path, target, Durability::machine);
  const std::string bytes = read_file(beside.file());
  fill_in_place(target, path, [&](std::ostream& out) { out.write(bytes.data(), bytes.size()); });
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
  if (!may_add_files(folder_of(target.path))) throw cannot_write(path, errno);
}

std::string ending(const std::string& path) {
  std::string result = fs::path(path).extension().string();
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace headscope

#include "core/system/windows_headers.h"
// After <windows.h>.
#include <fcntl.h>
#include <io.h>
#include <shlwapi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>

#include "core/system/descriptor.h"
#include "core/system/files.h"

// Narrow paths are UTF-8: the program's manifest sets the process's code page.

namespace headscope {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // the C library counts in int

int errno_of(DWORD code) {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
      return ENOENT;
    case ERROR_PATH_NOT_FOUND:
      return ENOTDIR;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_WRITE_PROTECT:
      return EROFS;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return EACCES;
    default:
      return EIO;
  }
}

HANDLE handle_of(int descriptor) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
}

// Files can be renamed and removed while they are open, as on other systems.
int open_shared(const std::string& path, DWORD access, DWORD disposition, DWORD attributes, int flags) {
  const HANDLE handle =
      CreateFileA(path.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  disposition, attributes | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    errno = errno_of(GetLastError());
    return -1;
  }
  const int descriptor =
      _open_osfhandle(reinterpret_cast<intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) CloseHandle(handle);
  return descriptor;
}

std::int64_t joined(DWORD high, DWORD low) {
  return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

}  // namespace

std::optional<FileStatus> file_status(int descriptor) {
  const HANDLE handle = handle_of(descriptor);
  FileStatus status;
  const DWORD type = GetFileType(handle);
  if (type != FILE_TYPE_DISK) {
    status.kind = type == FILE_TYPE_PIPE ? FileKind::pipe : FileKind::other;
    return status;
  }
  BY_HANDLE_FILE_INFORMATION found{};
  if (GetFileInformationByHandle(handle, &found) == 0) {
    errno = errno_of(GetLastError());
    return {};
  }
  constexpr std::int64_t tick_ns = 100;
  const bool folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  status.kind = folder ? FileKind::folder : FileKind::plain;
  status.size = static_cast<std::size_t>(joined(found.nFileSizeHigh, found.nFileSizeLow));
  status.modified_ns =
      tick_ns * joined(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime);
  status.device = found.dwVolumeSerialNumber;
  status.number = static_cast<std::uint64_t>(joined(found.nFileIndexHigh, found.nFileIndexLow));
  status.links = found.nNumberOfLinks;
  status.mode = (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0444 : 0666;
  status.own = true;
  return status;
}
std::optional<FileStatus> file_status(const std::string& path) {
  const Descriptor descriptor(open_shared(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0, _O_RDONLY));
  if (descriptor < 0) return {};
  return file_status(descriptor);
}

int open_to_read(const std::string& path, Links links) {
  return open_shared(path, GENERIC_READ, OPEN_EXISTING,
                     links == Links::refuse ? FILE_FLAG_OPEN_REPARSE_POINT : 0, _O_RDONLY);
}
int open_to_write(const std::string& path) {
  return open_shared(path, GENERIC_WRITE, OPEN_EXISTING, 0, _O_WRONLY);
}
int create_file(const std::string& path) {
  return open_shared(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, 0, _O_RDWR);
}
int open_private_file(const std::string& path) {
  return open_shared(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT, _O_RDWR);
}
int create_private_folder(const std::string& path) {
  if (CreateDirectoryA(path.c_str(), nullptr) == 0) {
    errno = errno_of(GetLastError());
    return -1;
  }
  return open_shared(path, GENERIC_READ, OPEN_EXISTING, 0, _O_RDONLY);
}
int copy_descriptor(int descriptor) {
  return _dup(descriptor);
}

bool wait_readable(int, int) {
  return true;
}
bool wait_when_reading(int) {
  return true;
}

std::ptrdiff_t read_bytes(int descriptor, char* to, std::size_t bytes) {
  return _read(descriptor, to, static_cast<unsigned>(std::min(bytes, most_at_once)));
}
std::ptrdiff_t read_bytes_at(int descriptor, char* to, std::size_t bytes, std::size_t begin) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(begin);
  place.OffsetHigh = static_cast<DWORD>(std::uint64_t{begin} >> 32);
  DWORD got = 0;
  if (ReadFile(handle_of(descriptor), to, static_cast<DWORD>(std::min(bytes, most_at_once)), &got, &place) !=
      0)
    return got;
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  errno = errno_of(GetLastError());
  return -1;
}
std::ptrdiff_t write_bytes(int descriptor, const char* from, std::size_t bytes) {
  return _write(descriptor, from, static_cast<unsigned>(std::min(bytes, most_at_once)));
}

bool replace_content(int descriptor, std::string_view content) {
  return _chsize_s(descriptor, 0) == 0 && _lseeki64(descriptor, 0, SEEK_SET) == 0 &&
         write_bytes(descriptor, content.data(), content.size()) ==
             static_cast<std::ptrdiff_t>(content.size());
}
void set_permissions(int, unsigned) {}  // a replaced file's access list is inherited from its folder
int sync_file(int descriptor) {
  if (FlushFileBuffers(handle_of(descriptor)) != 0) return 0;
  const DWORD code = GetLastError();
  // A file that is open for reading only, or no file on a disk, has nothing to write.
  return code == ERROR_ACCESS_DENIED || code == ERROR_INVALID_HANDLE ? 0 : errno_of(code);
}
void sync_folder(const std::string&) {}
int close_file(int descriptor) {
  return _close(descriptor) == 0 ? 0 : errno;
}

Lock try_lock(int descriptor) {
  // A lock keeps others from reading what it covers, so it covers a byte beyond every content.
  OVERLAPPED place{};
  place.OffsetHigh = 0x7fffffff;
  if (LockFileEx(handle_of(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                 &place) != 0)
    return Lock::taken;
  const DWORD code = GetLastError();
  return code == ERROR_LOCK_VIOLATION || code == ERROR_IO_PENDING ? Lock::held_by_another : Lock::none_here;
}

int replace_file(const std::string& from, const std::string& to) {
  return MoveFileExA(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING) != 0 ? 0 : errno_of(GetLastError());
}
void remove_file(const std::string& path) {
  DeleteFileA(path.c_str());
}
bool may_write(const std::string& path) {
  constexpr int writable = 2;
  return _access(path.c_str(), writable) == 0;
}
bool may_add_files(const std::string& folder) {
  return may_write(folder);
}
std::string create_temporary_folder(const std::string& prefix) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  std::random_device random;
  for (;;) {
    const std::string path = (folder / (prefix + std::to_string(random()))).string();
    if (CreateDirectoryA(path.c_str(), nullptr) != 0) return path;
    errno = errno_of(GetLastError());
    if (errno != EEXIST) return "";
  }
}

std::string path_of_content(std::string_view content) {
  const std::string folder = create_temporary_folder("headscope-"), path = folder + "\\content";
  if (folder.empty()) return "";
  const int file = create_file(path);
  const bool written = file >= 0 && replace_content(file, content);
  if (file >= 0) close_file(file);
  return written ? path : "";
}

void fail_beyond_size_limit() {}  // there is none

bool is_disk_full(int code) {
  return code == ENOSPC;
}

std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return _fileno(stdout);
  if (path == "/dev/stderr") return _fileno(stderr);
  return std::nullopt;
}

bool fits_pattern(const std::string& name, const std::string& pattern) {
  return PathMatchSpecA(name.c_str(), pattern.c_str()) != 0;
}

}  // namespace headscope

#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

// Files as the operating system has them. Open files are descriptors of the C library, as on POSIX; where a
// function fails, errno says why. Paths are UTF-8. None of these functions is interrupted by a signal.

enum class FileKind { plain, folder, pipe, other };

struct FileStatus {
  FileKind kind = FileKind::other;
  std::size_t size = 0;
  std::int64_t modified_ns = 0;          ///< only to be compared
  std::uint64_t device = 0, number = 0;  ///< the same for the same file
  std::size_t links = 0;                 ///< 0: removed while open
  unsigned mode = 0;                     ///< the permission bits
  bool own = false;                      ///< belongs to this process's user
};
/// None, and errno, on failure. Follows symbolic links.
std::optional<FileStatus> file_status(const std::string& path);
std::optional<FileStatus> file_status(int descriptor);

/// All return -1, and errno, on failure. Child processes do not inherit the descriptors.
enum class Links { follow, refuse };
/// Does not wait for a pipe's writer: see wait_when_reading().
int open_to_read(const std::string& path, Links links = Links::follow);
/// Of a file, device or pipe that exists.
int open_to_write(const std::string& path);
/// A new file to read and write; EEXIST if the name is taken.
int create_file(const std::string& path);
/// A file that only this user may read and write, created if it does not exist. Does not follow links.
int open_private_file(const std::string& path);
/// A new folder that only this user may read and write.
int create_private_folder(const std::string& path);
int copy_descriptor(int descriptor);

/// Whether a pipe or a device has bytes, or its end, within this time.
bool wait_readable(int descriptor, int milliseconds);
/// From now on reading waits for bytes. Whether it could be set.
bool wait_when_reading(int descriptor);

/// The number of bytes, fewer than requested at the end of the file and for pipes; -1, and errno, on failure.
std::ptrdiff_t read_bytes(int descriptor, char* to, std::size_t bytes);
std::ptrdiff_t read_bytes_at(int descriptor, char* to, std::size_t bytes, std::size_t begin);
std::ptrdiff_t write_bytes(int descriptor, const char* from, std::size_t bytes);

/// Replaces the whole content. Whether it could.
bool replace_content(int descriptor, std::string_view content);
/// Best effort: not every file system has them.
void set_permissions(int descriptor, unsigned mode);
/// Waits until what was written will survive a crash of the machine. 0, or errno; a file that cannot be
/// synced counts as synced.
int sync_file(int descriptor);
/// The same for a folder's names, as far as the system can.
void sync_folder(const std::string& folder);
/// 0, or errno.
int close_file(int descriptor);

/// The lock of an open file, released when it is closed.
enum class Lock { taken, held_by_another, none_here };
/// `none_here`: the file system has no locks, or not for folders.
Lock try_lock(int descriptor);

/// Renames a file, also over an existing one, atomically. 0, or errno.
int replace_file(const std::string& from, const std::string& to);
/// Also while it is open.
void remove_file(const std::string& path);
/// Whether its permissions let a file be written; errno says why not.
bool may_write(const std::string& path);
/// The same for new files in a folder.
bool may_add_files(const std::string& folder);
/// A new folder in the folder for temporary files whose name begins with `prefix`; "", and errno, on failure.
std::string create_temporary_folder(const std::string& prefix);

/// The path of a new file with this content, which this process can read as long as it runs; "" on failure.
/// Where the system can, it is in memory and has no name for others.
std::string path_of_content(std::string_view content);

/// From now on writing beyond the largest size that the system lets this process's files have (ulimit -f)
/// fails like writing to a full disk; it would end the program.
void fail_beyond_size_limit();

/// Whether errno `code` says that there is no space left for this user.
bool is_disk_full(int code);

/// The path of a descriptor that a path such as /dev/stdout or /dev/fd/N refers to, if it is one. Reopening
/// such a path would truncate the underlying file and fails for sockets.
std::optional<int> descriptor_of(const std::string& path);

/// Whether the name of a file fits a pattern such as "*.npz", whatever the case of its letters.
bool fits_pattern(const std::string& name, const std::string& pattern);

}  // namespace headscope

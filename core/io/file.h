#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace headscope {

/// Whether a file whose first 4096 bytes are `start` can be of the expected kind.
using Plausible = bool (*)(std::string_view start);

/// The whole file; only its start if that is not `plausible`, so that the caller can report what is wrong
/// without loading a gigabyte of something else. Throws Error: input if it does not exist, is a folder, is a
/// pipe without a writer, or is larger than `limit` bytes (256 MiB for a pipe or device, which may never
/// end); unable if it cannot be read.
std::string read_file(const std::string& path, std::size_t limit = std::numeric_limits<std::size_t>::max(),
                      Plausible plausible = nullptr);

/// The first bytes of a plain file, as many as there are. Throws Error as read_file does, and if it is not a
/// plain file.
std::string read_start(const std::string& path, std::size_t bytes);

/// The size of a plain file that can be read, for libraries that open it by name. Throws Error as read_file
/// does.
std::size_t readable_size(const std::string& path);

/// Whether written bytes must survive a crash of the machine or only of the process: waiting for a busy disk
/// can take seconds, which only the former justifies.
enum class Durability { machine, process };

/// Writes `path` atomically: `write` fills a temporary file in the same folder, which is synced (for
/// Durability::machine) and then renamed over it. Leftovers of killed programs are removed. A device or pipe
/// is written in place. Throws Error naming `path`: input for a folder, unable if the system refuses
/// (permission, disk full, missing folder); nothing is left behind.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                Durability durability = Durability::machine);
void write_file(const std::string& path, std::string_view bytes, Durability durability = Durability::machine);

/// The same for libraries that need a path: `write` gets the path of a file in a new folder next to it.
void write_file_at(const std::string& path, const std::function<void(const std::string& beside)>& write);

/// The Error for a failed write, by errno.
Error cannot_write(const std::string& path, int code);

/// Whether `path` is, or would become, a plain file; false for a device, a pipe or /dev/stdout, which are
/// written in place. Throws Error as write_file does.
bool is_plain_file_target(const std::string& path);

/// Throws Error as write_file if writing is sure to fail: a check before long computations.
void expect_writable(const std::string& path);

/// The extension in lower case with its dot (".png"), or "".
std::string ending(const std::string& path);

// For files that are read and written automatically and must never block.

/// As read_file(), but throws Error at once if it is not a plain file.
std::string read_plain_file(const std::string& path,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());
/// Throws Error if `path` exists and is not a plain file: writing could block until there is a reader.
void expect_plain_file_target(const std::string& path);

}  // namespace headscope

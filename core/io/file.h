#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace headscope {

/// Whether a file that starts like this, with its first 4096 bytes, can be what is looked for.
using Plausible = bool (*)(std::string_view start);

/// The whole file; only its start where that is not `plausible`, so that whoever reads it can say what is
/// wrong without a gigabyte of something else in memory. Throws Error: input where it does not exist, is a
/// folder, a pipe that nobody writes to, or larger than `limit` bytes (a pipe or a device, which may never
/// end, than 256 MiB), unable where it cannot be read.
std::string read_file(const std::string& path, std::size_t limit = std::numeric_limits<std::size_t>::max(),
                      Plausible plausible = nullptr);

/// The first bytes of a plain file, as many as there are. Throws Error as read_file does, and for what is no
/// plain file.
std::string read_start(const std::string& path, std::size_t bytes);

/// The size of a plain file that can be read, for libraries that open it by name. Throws Error as read_file
/// does.
std::size_t readable_size(const std::string& path);

/// What written bytes outlive: waiting for the disk can take seconds while others write, which only what
/// must outlive the machine is worth.
enum class Durability { machine, process };

/// Writes `path` whole or not at all: `write` fills a file beside it, which is synced (to outlive the
/// machine) and then renamed over it. What a killed program has left beside is removed. A device or pipe is
/// written in place. Throws Error naming `path`: input
/// for a folder, unable where the system says no (permission, disk full, missing folder); nothing is left
/// behind.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                Durability durability = Durability::machine);
void write_file(const std::string& path, std::string_view bytes, Durability durability = Durability::machine);

/// The same for libraries that want a path: `write` gets that of a file in a folder of its own beside.
void write_file_at(const std::string& path, const std::function<void(const std::string& beside)>& write);

/// The complaint about a system error while writing, by errno.
Error cannot_write(const std::string& path, int code);

/// Whether `path` is, or would become, a plain file; false for a device, a pipe or /dev/stdout, which are
/// written in place. Throws Error as write_file does.
bool is_plain_file_target(const std::string& path);

/// Throws Error as write_file where that is sure to fail: for what takes long to make.
void expect_writable(const std::string& path);

/// The ending in lower case with its dot (".png"), or "".
std::string ending(const std::string& path);

}  // namespace headscope

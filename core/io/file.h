#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace headscope {

/// The whole file. Throws Error: input where it does not exist, is a folder or is larger than `limit` bytes
/// (a pipe or a device, which may never end, than 256 MiB), unable where it cannot be read.
std::string read_file(const std::string& path, std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The size of a plain file that can be read, for libraries that open it by name. Throws Error as read_file
/// does.
std::size_t readable_size(const std::string& path);

/// What written bytes outlive: waiting for the disk can take seconds while others write, which only what
/// must outlive the machine is worth.
enum class Durability { machine, process };

/// Writes `path` whole or not at all: `write` fills a file beside it, which is synced (to outlive the
/// machine) and then renamed over it. A device or pipe is written in place. Throws Error naming `path`: input
/// for a folder, unable where the system says no (permission, disk full, missing folder); nothing is left
/// behind.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write,
                Durability durability = Durability::machine);
void write_file(const std::string& path, std::string_view bytes, Durability durability = Durability::machine);

/// The same for libraries that want a path: `write` gets the path of the file beside.
void write_file_at(const std::string& path, const std::function<void(const std::string& beside)>& write);

/// The complaint about a system error while writing, by errno.
Error cannot_write(const std::string& path, int code);

/// Whether `path` is, or would become, a plain file; false for a device, a pipe or /dev/stdout, which are
/// written in place. Throws Error as write_file does.
bool is_plain_file_target(const std::string& path);

/// The ending in lower case with its dot (".png"), or "".
std::string ending(const std::string& path);

}  // namespace headscope

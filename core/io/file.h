#pragma once
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace headscope {

/// The whole file. Throws Error: input where it does not exist or is a folder, unable where it cannot be read.
std::string read_file(const std::string& path);

/// Writes `path` whole or not at all: `write` fills a file beside it, which is synced and then renamed over it. A
/// device or pipe is written in place. Throws Error naming `path`: input for a folder, unable where the system says no
/// (permission, disk full, missing folder); nothing is left behind.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);
void write_file(const std::string& path, std::string_view bytes);

/// The same for libraries that want a path: `write` gets the path of the file beside.
void write_file_at(const std::string& path, const std::function<void(const std::string& beside)>& write);

/// The ending in lower case with its dot (".png"), or "".
std::string ending(const std::string& path);

}  // namespace headscope

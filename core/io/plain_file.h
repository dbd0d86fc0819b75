#pragma once
#include <limits>
#include <string>

namespace headscope {

// For what is read and written without being asked for, and may wait for nobody.

/// As read_file(), but throws Error at once for what is no plain file.
std::string read_plain_file(const std::string& path,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());
/// Throws Error where `path` is there and no plain file, whose writing could wait for a reader.
void expect_plain_file_target(const std::string& path);

}  // namespace headscope

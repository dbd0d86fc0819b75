#pragma once
#include <limits>
#include <string>

namespace headscope {

// For files that are read and written automatically and must never block.

/// As read_file(), but throws Error at once if it is not a plain file.
std::string read_plain_file(const std::string& path,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());
/// Throws Error if `path` exists and is not a plain file: writing could block until there is a reader.
void expect_plain_file_target(const std::string& path);

}  // namespace headscope

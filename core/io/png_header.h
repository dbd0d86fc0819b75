#pragma once
#include <cstdint>
#include <string>

namespace headscope {

inline constexpr std::uint32_t longest_picture = 16384;  ///< pixels a side

/// Throws Error (input) that names the file for what is no PNG picture by its first bytes, or larger than
/// longest_picture a side. Never waits for a pipe.
void expect_picture(const std::string& path);

}  // namespace headscope

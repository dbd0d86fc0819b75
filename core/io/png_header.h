#pragma once
#include <cstdint>
#include <string>

namespace headscope {

inline constexpr std::uint32_t longest_picture = 16384;  ///< pixels per side

/// Throws Error (input) naming the file if its first bytes are not a PNG header, or a side exceeds
/// longest_picture. Never blocks on a pipe.
void expect_picture(const std::string& path);

}  // namespace headscope

#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

// Where other labels are rotated, Chinese, Japanese and Korean ones are set vertically, one upright character
// below the other.

/// Whether all of its characters are as wide as they are high, or are the signs between them in a
/// comparison's labels: "猫 → 狗" is 猫 ↓ 狗 from top to bottom.
bool is_vertical(std::string_view label);
/// Whether a label among rotated ones is not: it is set vertically or has one letter.
bool is_upright(std::string_view label);
/// One by one, from top to bottom.
std::vector<std::string> vertical_characters(std::string_view label);
/// As many characters as fit below each other into `room`, each `line` high; the last is ⋮ if some are left
/// out.
std::string shortened_vertical(std::string_view label, double room, double line);
/// The height they take.
double vertical_extent(std::string_view label, double line);

/// Byte offsets at which `text` may be cut: before each character that does not belong to the one before it.
std::vector<std::size_t> character_starts(std::string_view text);

}  // namespace headscope

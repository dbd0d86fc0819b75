#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

// Where other labels are turned, Chinese, Japanese and Korean ones stand upright, one character below the
// other, as those scripts are set vertically.

/// Whether all of its characters are as wide as they are high, or the signs of a comparison's labels, which
/// stand among them: "猫 → 狗" is 猫 ↓ 狗 from top to bottom.
bool stands_upright(std::string_view label);
/// One by one, from top to bottom.
std::vector<std::string> upright_characters(std::string_view label);
/// As many characters as fit below each other into `room`, each `line` high; the last is ⋮ where some are
/// left out.
std::string shortened_upright(std::string_view label, double room, double line);
/// How much room they take.
double upright_extent(std::string_view label, double line);

/// Byte offsets at which `text` may be cut: before each character that doesn't belong to the one before it.
std::vector<std::size_t> character_starts(std::string_view text);

}  // namespace headscope

#pragma once
#include <cstddef>
#include <string_view>

namespace headscope {

/// The position of the first byte that does not belong to valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace headscope

#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// printable() for text of several lines; keeps line ends and tabs.
std::string printable_lines(std::string_view text);

}  // namespace headscope

#pragma once
#include <string>

namespace headscope {

/// One line on stderr, of at most 500 bytes, with nothing in it that a terminal would obey.
void print_message(const std::string& text);

}  // namespace headscope

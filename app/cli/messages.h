#pragma once
#include <string>

namespace headscope {

/// One line on stderr, of at most 500 bytes, with nothing in it that a terminal would obey.
void print_message(const std::string& text);

/// Text of several lines on stdout: where that is a terminal, what it would obey is spelled out.
void print_text(const std::string& text);

}  // namespace headscope

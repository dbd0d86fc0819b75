#pragma once
#include <string>

namespace headscope {

/// Prints one line of at most 500 bytes on stderr, without terminal control sequences.
void print_message(const std::string& text);

/// Prints text of several lines on stdout; if that is a terminal, control sequences are escaped.
void print_text(const std::string& text);

}  // namespace headscope

#pragma once
#include <string>

namespace headscope {

/// The text of a file as a user would type it: UTF-8, without a byte order mark and the final line end.
/// Throws Error as read_file(), and (input) if it is not UTF-8 or longer than 64 MiB.
std::string read_text_file(const std::string& path);

/// Throws Error (input) for a text that ICU or a tokenizer cannot read, with the position of the first byte
/// that is not valid UTF-8.
void check_sentence(std::string_view text);

}  // namespace headscope

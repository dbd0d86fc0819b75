#pragma once
#include <string>

namespace headscope {

/// The text of a file as somebody would type it: UTF-8, without a byte order mark and without the end of its
/// last line, which are the file's. Throws Error as read_file(), and (input) for what is not UTF-8 or is
/// longer than 64 MiB.
std::string read_text_file(const std::string& path);

}  // namespace headscope

#pragma once
#include <string>

namespace headscope {

/// The first line that this program writes to its output when it is started once more with this argument,
/// with its end of line; what there is of it after `milliseconds`. The process is ended. "" if it could not
/// be started.
std::string first_line_of_program(const std::string& argument, int milliseconds);

}  // namespace headscope

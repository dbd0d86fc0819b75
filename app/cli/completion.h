#pragma once
#include <deque>
#include <string>
#include <string_view>

#include "app/cli/command_line.h"

namespace headscope {

/// The shells that completion_script() knows, separated by "|".
extern const char* const completion_shells;

/// A script by which a shell completes the subcommands, options and values that `lines` declare. Throws Error
/// (input) for another shell.
std::string completion_script(std::string_view shell, const std::deque<CommandLine>& lines);

}  // namespace headscope

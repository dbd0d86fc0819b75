#pragma once
#include <functional>
#include <vector>

#include "app/cli/request.h"
#include "core/base/libraries.h"

namespace headscope {

/// Opens the window and returns the exit status. Empty if the program is built without it.
using WindowLauncher = std::function<int(const CommandRequest&)>;

/// The program: parses the command line, runs it and returns the exit status. 0 success, 1 failure, 2 wrong
/// use or bad input; errors print one line on stderr. `of_window`: its libraries, for --version.
int run_cli(int argc, const char* const* argv, const WindowLauncher& launch_window,
            ListLibraries of_window = nullptr);

}  // namespace headscope

#pragma once
#include <functional>

#include "app/cli/request.h"

namespace headscope {

/// Opens the window; the exit status. Not set where the program is built without it.
using WindowLauncher = std::function<int(const CommandRequest&)>;

/// The program: reads the command line, does it, and returns the exit status. 0 done, 1 could not be done, 2
/// wrong use or bad input, with one line on stderr.
int run_cli(int argc, const char* const* argv, const WindowLauncher& launch_window);

}  // namespace headscope

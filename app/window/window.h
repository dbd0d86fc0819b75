#pragma once
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/session/session.h"

namespace headscope {

/// With what the window opens.
struct WindowRequest {
  std::optional<Session> session;  ///< none: the last one, or the notebook's
  std::string path;                ///< the file that `session` came from; empty if it came from options
  /// Options on the command line changed `session`: it is not the file's any more.
  bool explicit_inputs = false;
  std::string lesson;                ///< a file, or the name of one that comes along; empty: none is played
  std::optional<Error> failed;       ///< to be told: why a file was not opened
  std::optional<Language> language;  ///< none: the one kept in the settings, or the system's
  /// Print the milliseconds from the process' start to its first frame, then leave.
  bool time_first_frame = false;
};

/// Shows the window until it is closed; the exit status. Throws Error (unable) where there is no display or
/// no OpenGL 3.3.
int run_window(const WindowRequest& request);

}  // namespace headscope

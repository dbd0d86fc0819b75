#pragma once
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/session/session.h"

namespace headscope {

/// What the window opens with.
struct WindowRequest {
  std::optional<Session> session;  ///< none: the last one, or the notebook's
  std::string path;                ///< the file that `session` came from; empty if it came from options
  /// Options on the command line changed `session`: it no longer matches the file.
  bool explicit_inputs = false;
  std::string lesson;                ///< a file, or the name of a built-in one; empty: none is played
  std::string link;                  ///< to be opened beside the last session; empty: none
  std::optional<Error> failed;       ///< to be reported: why a file was not opened
  std::optional<Language> language;  ///< none: the one kept in the settings, or the system's
  /// Print the milliseconds from the process' start to its first frame, then leave.
  bool time_first_frame = false;
};

/// Shows the window until it is closed; returns the exit status. Throws Error (unable) if there is no display
/// or no OpenGL 3.3.
int run_window(const WindowRequest& request);

}  // namespace headscope

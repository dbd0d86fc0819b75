#pragma once
#include <optional>
#include <string>

#include "core/session/session.h"
#include "core/text/translate.h"

namespace headscope {

struct WindowRequest {
  std::optional<Session> session;  ///< what to open; empty: the last session, or the notebook's
  std::string path;                ///< the session's file, to save to; empty if it has none
  bool explicit_inputs = false;    ///< inputs were given on the command line: the last session is left alone
  std::optional<Language> language;
  bool time_first_frame =
      false;  ///< print the milliseconds from the process' start to its first frame, and end
};

/// Opens the window and returns the process' exit status when it is closed: 0, or 1 with one line on stderr
/// where no window can be opened.
int run_window(const WindowRequest& request);

}  // namespace headscope

#pragma once
#include <functional>
#include <string>

#include "app/state/file_request.h"
#include "app/state/jobs/job.h"

namespace headscope {

/// The desktop's own file chooser, through the XDG desktop portal's FileChooser interface on the session bus.
/// Runs on its own thread, because the answer comes when the user gives it.
class PortalChooser {
 public:
  enum class State {
    waiting,
    chosen,
    cancelled,
    failed,  ///< no bus, no portal, or it broke off: fall back to the chooser in the window
  };

  /// Returns false at once if there can be no portal: no session bus. True guarantees nothing.
  static bool possible();

  /// `wake` is called from the thread when the state changes. `parent` is the X11 window id, 0 for none.
  PortalChooser(FileRequest request, unsigned long parent, std::function<void()> wake);
  State state() const { return answer().state; }
  const std::string& path() const { return answer().path; }  ///< once chosen

  struct Answer {
    State state = State::failed;
    std::string path;
  };

 private:
  const Answer& answer() const;

  mutable Answer answer_{State::waiting, {}};
  mutable Job<Answer> job_;
};

}  // namespace headscope

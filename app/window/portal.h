#pragma once
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "app/state/document/file_request.h"

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
  PortalChooser(const PortalChooser&) = delete;
  PortalChooser& operator=(const PortalChooser&) = delete;

  State state() const;
  std::string path() const;  ///< once chosen

 private:
  mutable std::mutex mutex_;
  State state_ = State::waiting;  // guarded by mutex_, as is path_
  std::string path_;
  std::jthread thread_;  // last: ends first, promptly, and calls no wake afterwards
};

}  // namespace headscope

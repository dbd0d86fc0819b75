#pragma once
#include <exception>
#include <string>
#include <vector>

#include "app/panels/shell/input_queue.h"

struct GLFWwindow;

namespace headscope {

/// What GLFW's callbacks leave for the loop.
struct WindowEvents {
  InputQueue input;
  std::vector<std::string> dropped;  ///< files dropped on the window
  int frames = 3;                    ///< to be drawn yet: three after every event, one loses clicks
  bool scale_changed = false;        ///< moved to a screen of another density
  bool damaged = false;              ///< what the window showed is lost
  std::exception_ptr failure;        ///< what was thrown while one was noted
};

/// Points the window's callbacks at `events`, which must outlive the window.
void listen(GLFWwindow* window, WindowEvents& events);

}  // namespace headscope

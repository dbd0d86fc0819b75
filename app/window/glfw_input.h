#pragma once
#include <exception>
#include <string>
#include <vector>

#include "app/panels/shell/input_queue.h"
#include "app/window/redraw.h"

struct GLFWwindow;

namespace headscope {

/// Where text is edited, in the window's own coordinates.
struct Caret {
  float x = 0, y = 0, height = 0;
};

/// What GLFW's callbacks collect for the main loop.
struct WindowEvents {
  InputQueue input;
  std::vector<std::string> dropped;  ///< files dropped on the window
  DueFrames frames;
  Caret caret;
  bool damaged = false;        ///< the window's content is lost
  std::exception_ptr failure;  ///< an exception thrown in a callback
};

/// Points the window's callbacks at `events`, which must outlive the window.
void listen(GLFWwindow* window, WindowEvents& events);
/// Keys alone, for a window beside the one whose events these are.
void listen_to_keys(GLFWwindow* window, WindowEvents& events);

}  // namespace headscope

// In place of the others where there is no Wayland, or a GLFW before 3.4.
#include "app/window/wayland/compositor.h"
#include "app/window/wayland/wayland_window.h"

namespace headscope {

std::vector<std::string> compositor_interfaces() {
  return {};
}

bool has_wayland_parts() {
  return false;
}

std::unique_ptr<WaylandWindow> WaylandWindow::of(GLFWwindow*, std::function<void(const std::string&)>) {
  return nullptr;
}

}  // namespace headscope

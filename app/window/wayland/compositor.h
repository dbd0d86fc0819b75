#pragma once
#include <string>
#include <vector>

namespace headscope {

/// The interfaces that the Wayland compositor offers; none: there is no compositor, or the program is built
/// without Wayland. On a connection of its own, before there is a window.
std::vector<std::string> compositor_interfaces();

/// Whether the parts that GLFW lacks on Wayland are in this program.
bool has_wayland_parts();

}  // namespace headscope

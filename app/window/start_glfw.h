#pragma once
#include <optional>

#include "app/window/window_system.h"

namespace headscope {

/// Initializes GLFW for the window system that is chosen here; nothing if GLFW cannot, and says why. Throws
/// Error where HEADSCOPE_WINDOW asks for what there is not.
std::optional<ChosenWindowSystem> start_glfw();

}  // namespace headscope

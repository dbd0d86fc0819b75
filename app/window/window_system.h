#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// By what the window is shown; `other` where there is no choice (a page, Windows).
enum class WindowSystem { x11, wayland, other };

/// What the choice depends on.
struct WindowSystemFacts {
  std::string wanted = {};            ///< HEADSCOPE_WINDOW: "x11", "wayland", or empty
  bool x11 = false, wayland = false;  ///< GLFW can, and there is such a display
  bool wayland_built_in = false;      ///< clipboard, input method and pace of frames (app/window/wayland)
  bool input_method = false;          ///< the session names one: fcitx, ibus …
  /// What the Wayland compositor offers.
  bool text_input = false, clipboard = false, frames_drawn = false;
};

struct ChosenWindowSystem {
  WindowSystem system = WindowSystem::other;
  const char* why = nullptr;  ///< a text of the translation table; nullptr: there was no choice
};

/// Wayland natively where nothing speaks against it. Throws Error (input) if `wanted` is no window system.
ChosenWindowSystem choose_window_system(const WindowSystemFacts& facts);

/// Whether one of these environment variables names an input method.
bool names_input_method(std::string_view xmodifiers, std::string_view gtk_module, std::string_view qt_module);

}  // namespace headscope

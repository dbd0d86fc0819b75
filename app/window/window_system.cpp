#include "app/window/window_system.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/translate.h"

namespace headscope {
namespace {

/// Why Wayland is not as good as XWayland here; nullptr if it is.
const char* reason_against_wayland(const WindowSystemFacts& facts) {
  if (!facts.wayland_built_in)
    return TR(
        "The window is shown by X11: this program was built without Wayland's clipboard and input methods");
  if (facts.input_method && !facts.text_input)
    return TR("The window is shown by X11: the Wayland compositor passes on no input method (text-input-v3)");
  if (!facts.clipboard) return TR("The window is shown by X11: the Wayland compositor has no clipboard");
  if (!facts.frames_drawn)
    return TR(
        "The window is shown by X11: the Wayland compositor draws no window frames, and libdecor is not "
        "installed");
  return nullptr;
}

}  // namespace

ChosenWindowSystem choose_window_system(const WindowSystemFacts& facts) {
  if (facts.wanted == "wayland")
    return {WindowSystem::wayland, TR("The window is shown by Wayland, as HEADSCOPE_WINDOW says")};
  if (facts.wanted == "x11")
    return {WindowSystem::x11, TR("The window is shown by X11, as HEADSCOPE_WINDOW says")};
  if (!facts.wanted.empty()) throw input_error("HEADSCOPE_WINDOW: {}; expected x11 or wayland", facts.wanted);
  if (!facts.wayland)
    return {WindowSystem::x11,
            TR("The window is shown by X11: there is no Wayland display that GLFW can use")};
  if (!facts.x11)
    return {WindowSystem::wayland, TR("The window is shown by Wayland: there is no X11 display")};
  if (const char* const reason = reason_against_wayland(facts)) return {WindowSystem::x11, reason};
  return {WindowSystem::wayland, TR("The window is shown by Wayland, as the session is")};
}

bool names_input_method(std::string_view xmodifiers, std::string_view gtk_module,
                        std::string_view qt_module) {
  // Those that stand for none, and GTK's own, which need no other program.
  constexpr std::array<std::string_view, 6> none{"",        "none", "simple", "gtk-im-context-simple",
                                                 "compose", "xim"};
  const auto names_one = [&none](std::string_view name) { return std::ranges::count(none, name) == 0; };
  constexpr std::string_view before = "@im=";
  const auto at = xmodifiers.find(before);
  std::string_view of_x = at == std::string_view::npos ? "" : xmodifiers.substr(at + before.size());
  of_x = of_x.substr(0, of_x.find('@'));
  return names_one(of_x) || names_one(gtk_module) || names_one(qt_module);
}

}  // namespace headscope

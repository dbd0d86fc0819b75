#include "app/window/start_glfw.h"

#if !defined(__EMSCRIPTEN__)
#include <dlfcn.h>
#endif

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/window/wayland/compositor.h"
#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/system/process.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// As in platform.cpp.
extern "C" __attribute__((weak)) unsigned long glfwGetX11Window(GLFWwindow* window);

namespace headscope {
namespace {

#if defined(GLFW_PLATFORM)

/// Whether libdecor, which GLFW uses, can draw a window's frame: its plugins do.
bool has_libdecor() {
  void* const library = dlopen("libdecor-0.so.0", RTLD_LAZY);
  if (library == nullptr) return false;
  void* const place = dlsym(library, "libdecor_new");
  Dl_info info{};
  std::error_code error;
  const bool found = place != nullptr && dladdr(place, &info) != 0 &&
                     !std::filesystem::is_empty(
                         std::filesystem::path(info.dli_fname).parent_path() / "libdecor/plugins-1", error) &&
                     !error;
  dlclose(library);
  return found;
}

WindowSystemFacts window_system_facts() {
  WindowSystemFacts facts;
  facts.wanted = environment("HEADSCOPE_WINDOW");
  facts.x11 = !environment("DISPLAY").empty() && glfwPlatformSupported(GLFW_PLATFORM_X11) == GLFW_TRUE;
  facts.wayland_built_in = has_wayland_parts();
  facts.input_method = names_input_method(environment("XMODIFIERS"), environment("GTK_IM_MODULE"),
                                          environment("QT_IM_MODULE"));
  if (environment("WAYLAND_DISPLAY").empty() || glfwPlatformSupported(GLFW_PLATFORM_WAYLAND) == GLFW_FALSE)
    return facts;
  const std::vector<std::string> interfaces = compositor_interfaces();
  const auto offers = [&interfaces](std::string_view name) {
    return std::ranges::count(interfaces, name) > 0;
  };
  facts.wayland = !interfaces.empty() || !facts.wayland_built_in;
  facts.text_input = offers("zwp_text_input_manager_v3");
  facts.clipboard = offers("wl_data_device_manager");
  facts.frames_drawn = offers("zxdg_decoration_manager_v1") || has_libdecor();
  return facts;
}

bool start_on(WindowSystem system) {
  const int platform = system == WindowSystem::wayland ? GLFW_PLATFORM_WAYLAND : GLFW_PLATFORM_X11;
  glfwInitHint(GLFW_PLATFORM, glfwPlatformSupported(platform) == GLFW_TRUE ? platform : GLFW_ANY_PLATFORM);
  return glfwInit() == GLFW_TRUE;
}

bool has_choice() {
  return glfwPlatformSupported(GLFW_PLATFORM_X11) == GLFW_TRUE ||
         glfwPlatformSupported(GLFW_PLATFORM_WAYLAND) == GLFW_TRUE;
}

std::optional<ChosenWindowSystem> start_chosen() {
  const WindowSystemFacts facts = window_system_facts();
  const ChosenWindowSystem chosen = choose_window_system(facts);
  if (start_on(chosen.system)) return chosen;
  const bool is_x11 = chosen.system == WindowSystem::x11;
  if (!facts.wanted.empty() || !(is_x11 ? facts.wayland : facts.x11)) return {};
  const ChosenWindowSystem other =
      is_x11 ? ChosenWindowSystem{WindowSystem::wayland,
                                  TR("The window is shown by Wayland: the X11 display does not answer")}
             : ChosenWindowSystem{WindowSystem::x11,
                                  TR("The window is shown by X11: the Wayland display does not answer")};
  return start_on(other.system) ? std::optional(other) : std::nullopt;
}

#else

/// GLFW before 3.4 is made for one of them. Debian's for Wayland is not what this program is tested with.
bool has_choice() {
  return glfwGetX11Window != nullptr;
}

std::optional<ChosenWindowSystem> start_chosen() {
  const std::string wanted = environment("HEADSCOPE_WINDOW");
  if (!wanted.empty() && choose_window_system({.wanted = wanted}).system != WindowSystem::x11)
    throw unable_error("HEADSCOPE_WINDOW: {}; expected x11, which is all that a GLFW before 3.4 has", wanted);
  if (glfwInit() == GLFW_FALSE) return {};
  return ChosenWindowSystem{WindowSystem::x11,
                            TR("The window is shown by X11, which is all that a GLFW before 3.4 has")};
}

#endif

}  // namespace

std::optional<ChosenWindowSystem> start_glfw() {
  if (has_choice()) return start_chosen();
  return glfwInit() == GLFW_TRUE ? std::optional(ChosenWindowSystem()) : std::nullopt;
}

}  // namespace headscope

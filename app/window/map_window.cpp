#include "app/window/map_window.h"

#include <xcb/xcb.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace headscope {
namespace {

struct Disconnect {
  void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
};
struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

// On a connection of its own, as any client may ask: GLFW's is Xlib's, which this program does not link.
bool map_window(unsigned long x11_window) {
  const std::unique_ptr<xcb_connection_t, Disconnect> connection(xcb_connect(nullptr, nullptr));
  if (xcb_connection_has_error(connection.get()) != 0) return false;
  const xcb_void_cookie_t asked =
      xcb_map_window_checked(connection.get(), static_cast<std::uint32_t>(x11_window));
  // Waits until the display has received the request, which closing the connection could otherwise outrun.
  const std::unique_ptr<xcb_generic_error_t, Free> error(xcb_request_check(connection.get(), asked));
  return error == nullptr;
}

}  // namespace headscope

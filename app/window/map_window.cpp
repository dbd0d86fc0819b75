#include "app/window/map_window.h"

#include <memory>
#include <string_view>

#include "app/window/xcb_pointers.h"

namespace headscope {
namespace {

/// Window managers set WM_STATE on what they take (ICCCM 4.1.3.1).
bool is_taken(xcb_connection_t* c, xcb_window_t window) {
  constexpr std::string_view name = "WM_STATE";
  const auto asked = xcb_intern_atom(c, 1, name.size(), name.data());
  const std::unique_ptr<xcb_intern_atom_reply_t, Free> atom(xcb_intern_atom_reply(c, asked, nullptr));
  if (atom == nullptr || atom->atom == XCB_ATOM_NONE) return false;
  const auto wanted = xcb_get_property(c, 0, window, atom->atom, XCB_ATOM_ANY, 0, 1);
  const std::unique_ptr<xcb_get_property_reply_t, Free> state(xcb_get_property_reply(c, wanted, nullptr));
  return state != nullptr && state->type != XCB_ATOM_NONE;
}

}  // namespace

// On a connection of its own, as any client may ask: GLFW's is Xlib's, which this program does not link.
MapAnswer map_window(unsigned long x11_window) {
  const XcbConnection connection(xcb_connect(nullptr, nullptr));
  xcb_connection_t* const c = connection.get();
  const auto window = static_cast<xcb_window_t>(x11_window);
  if (xcb_connection_has_error(c) != 0) return MapAnswer::cannot_ask;
  if (is_taken(c, window)) return MapAnswer::taken;
  // Waits until the display has received the request, which closing the connection could otherwise outrun.
  const std::unique_ptr<xcb_generic_error_t, Free> error(
      xcb_request_check(c, xcb_map_window_checked(c, window)));
  return error == nullptr ? MapAnswer::asked : MapAnswer::cannot_ask;
}

}  // namespace headscope

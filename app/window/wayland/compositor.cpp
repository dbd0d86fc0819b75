#include "app/window/wayland/compositor.h"

#include <cstdint>

#include "app/window/wayland/listener.h"

namespace headscope {
namespace {

class InterfaceList {
 public:
  void note(std::uint32_t, const char* interface, std::uint32_t) { names.emplace_back(interface); }

  std::vector<std::string> names;
};

}  // namespace

std::vector<std::string> compositor_interfaces() {
  const wayland::Display display(wl_display_connect(nullptr));
  if (display == nullptr) return {};
  const wayland::Registry registry(wl_display_get_registry(display.get()));
  InterfaceList list;
  constexpr wl_registry_listener listener{wayland::forward<&InterfaceList::note>, wayland::ignore};
  wl_registry_add_listener(registry.get(), &listener, &list);
  wl_display_roundtrip(display.get());
  return list.names;
}

bool has_wayland_parts() {
  return true;
}

}  // namespace headscope

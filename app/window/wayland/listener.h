#pragma once
#include <wayland-client.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace headscope::wayland {

template <typename Proxy, void (*destroy)(Proxy*)>
struct Destroy {
  void operator()(Proxy* proxy) const { destroy(proxy); }
};
template <typename Proxy, void (*destroy)(Proxy*)>
using Owned = std::unique_ptr<Proxy, Destroy<Proxy, destroy>>;

using Display = Owned<wl_display, wl_display_disconnect>;
using Registry = Owned<wl_registry, wl_registry_destroy>;
using Seat = Owned<wl_seat, wl_seat_destroy>;
using Keyboard = Owned<wl_keyboard, wl_keyboard_destroy>;
using Pointer = Owned<wl_pointer, wl_pointer_destroy>;
using Callback = Owned<wl_callback, wl_callback_destroy>;
using DataManager = Owned<wl_data_device_manager, wl_data_device_manager_destroy>;
using DataDevice = Owned<wl_data_device, wl_data_device_destroy>;
using DataOffer = Owned<wl_data_offer, wl_data_offer_destroy>;
using DataSource = Owned<wl_data_source, wl_data_source_destroy>;

template <typename Method>
struct OwnerOf;
template <typename Owner, typename... Args>
struct OwnerOf<void (Owner::*)(Args...)> {
  using Type = Owner;
};

/// An entry of a listener's table: calls a method. No exception may pass through libwayland, which is C; what
/// is lost is one event.
template <auto method, typename Proxy, typename... Args>
void forward(void* owner, Proxy*, Args... args) {
  try {
    (static_cast<typename OwnerOf<decltype(method)>::Type*>(owner)->*method)(args...);
  } catch (...) {
  }
}

/// An entry for an event that does not matter here.
template <typename... Args>
void ignore(void*, Args...) {}

}  // namespace headscope::wayland

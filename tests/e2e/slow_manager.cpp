#include "tests/e2e/slow_manager.h"

#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "tests/e2e/desktop.h"

namespace headscope::tests {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

void SlowManager::Disconnect::operator()(xcb_connection_t* connection) const {
  xcb_disconnect(connection);
}

SlowManager::SlowManager(const std::string& display) : connection_(xcb_connect(display.c_str(), nullptr)) {
  if (xcb_connection_has_error(connection_.get()) != 0) throw std::runtime_error("no display");
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_.get())).data;
  const std::uint32_t redirected = XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT;
  xcb_change_window_attributes(connection_.get(), screen->root, XCB_CW_EVENT_MASK, &redirected);
  xcb_flush(connection_.get());
}

/// That of a program that has ended does not.
bool SlowManager::exists(std::uint32_t window) {
  const auto asked = xcb_get_window_attributes(connection_.get(), window);
  const std::unique_ptr<xcb_get_window_attributes_reply_t, Free> found(
      xcb_get_window_attributes_reply(connection_.get(), asked, nullptr));
  return found != nullptr;
}

bool SlowManager::is_asked() {
  window_ = 0;
  return eventually([this] {
    while (const std::unique_ptr<xcb_generic_event_t, Free> event{xcb_poll_for_event(connection_.get())})
      if ((event->response_type & 0x7f) == XCB_MAP_REQUEST)
        window_ = reinterpret_cast<const xcb_map_request_event_t&>(*event).window;
    return window_ != 0 && exists(window_);
  });
}

void SlowManager::show() {
  xcb_map_window(connection_.get(), window_);
  xcb_flush(connection_.get());
}

void SlowManager::hide() {
  xcb_unmap_window(connection_.get(), window_);
  xcb_flush(connection_.get());
}

}  // namespace headscope::tests

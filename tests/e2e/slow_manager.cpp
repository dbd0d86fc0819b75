#include "tests/e2e/slow_manager.h"

#include <xcb/xcb.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/e2e/desktop.h"

namespace headscope::tests {

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

bool SlowManager::is_asked() {
  window_ = 0;
  return eventually([this] {
    while (xcb_generic_event_t* event = xcb_poll_for_event(connection_.get())) {
      if ((event->response_type & 0x7f) == XCB_MAP_REQUEST)
        window_ = reinterpret_cast<const xcb_map_request_event_t*>(event)->window;
      std::free(event);
    }
    return window_ != 0;
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

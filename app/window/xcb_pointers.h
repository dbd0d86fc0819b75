#pragma once
#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>

namespace headscope {

struct Disconnect {
  void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
};
using XcbConnection = std::unique_ptr<xcb_connection_t, Disconnect>;

/// For replies, events and errors, which XCB allocates by malloc().
struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace headscope

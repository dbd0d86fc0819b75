#pragma once

namespace headscope {

enum class MapAnswer {
  cannot_ask,  ///< this program was built without what asks
  asked,
  taken,  ///< a window manager has the window, and decides when it is shown
};

/// Asks for a window of X11 to be shown unless a window manager has taken it, and returns at once: it may be
/// shown much later, or never. One that is just starting may lose the request. All earlier requests for the
/// window must have reached the display.
MapAnswer map_window(unsigned long x11_window);

}  // namespace headscope

#pragma once

namespace headscope {

/// Asks for a window of X11 to be shown, and returns at once: its window manager may show it much later, or
/// never. All earlier requests for the window must have reached the display. False: this program cannot ask.
bool map_window(unsigned long x11_window);

}  // namespace headscope

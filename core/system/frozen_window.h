#pragma once

namespace headscope {

/// Whether a window does not respond while it computes: a page on one thread, in a browser that cannot
/// suspend it (core/system/fibers.h).
bool computing_freezes_window();

}  // namespace headscope

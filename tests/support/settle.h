#pragma once
#include <stdexcept>

#include "app/state/app.h"
#include "app/state/frame/frame.h"

namespace headscope::tests {

/// Frames, each a call of `frame`, until two in a row leave nothing to be computed: what one job returns may
/// be what the next one waits for. Text that a model writes is not waited for.
template <typename DrawFrame>
void run_until_idle(App& app, const DrawFrame& frame) {
  int idle = 0;
  for (int i = 0; idle < 2; ++i) {
    if (i == 200) throw std::logic_error("the window never comes to rest");
    frame();
    idle = is_busy(app) && !app.generation.running() ? 0 : idle + 1;
    app.opening.wait();
    app.runners.a.wait();
    app.runners.b.wait();
    app.view_cache.wait();
    app.long_blocks.wait();
    app.long_maps.wait();
    app.holding.wait();
    app.dialogs.picture.wait();
    app.dialogs.figure.preview.wait();
    app.dialogs.figure.running.wait();
  }
}

}  // namespace headscope::tests

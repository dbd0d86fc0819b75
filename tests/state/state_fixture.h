#pragma once

#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "tests/support/settle.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The whole state of the window, driven by keys and actions, without a display or panels.
class StateFixture : public testing::Test {
 protected:
  StateFixture() {
    app.desktop.put_text = [this](const std::string& text) { clipboard = text; };
    frame();
  }

  Frame frame() {
    Frame shown = begin_frame(app, input);
    run_shortcuts(app);
    end_frame(app);
    app.runners.a.wait();
    app.runners.b.wait();
    app.view_cache.wait();
    input.keyboard = {};
    input.now += 1;
    return shown;
  }
  Frame frames(int count) {
    while (--count > 0) frame();
    return frame();
  }
  void wait_until_idle() {
    run_until_idle(app, [this] { frame(); });
  }
  void press(Key key, bool ctrl = false, bool shift = false) {
    input.keyboard.pressed.set(static_cast<std::size_t>(key));
    input.keyboard.ctrl = ctrl;
    input.keyboard.shift = shift;
    frames(2);
  }

  std::string clipboard;
  FrameInput input;
  App app;
};

}  // namespace headscope::tests

// Whichever allocation fails while a frame is drawn, however deep in windows, tables and popups: the next
// frame is unaffected.

#include <imgui_internal.h>

#include "tests/support/failures.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class RecoverFrame : public AppFixture {
 protected:
  /// What the screen shows.
  std::map<std::string, std::array<float, 4>> marks() {
    wait_until_idle();
    return ui_anchors.rects();
  }
  /// A frame in which the n-th allocation fails; whether one did.
  bool failing_frame(long n) {
    ui_anchors.clear();
    queue.feed(ImGui::GetIO());
    const Failing failing(allocations, n);
    try {
      ImGui::NewFrame();
      draw_app(app, memory, *maps_by);
      ImGui::Render();
      end_frame(app);
    } catch (...) {
      recover_frame();
      ++thrown;
    }
    return failing.failed();
  }
  void check_every_failure() {
    const auto before = marks();
    ASSERT_GT(before.size(), 20U);
    // Adjacent ones fail in the same place.
    for (long n = 0; failing_frame(n); n += 1 + n / 40) {
      frames(2);
      app.notices.dismiss();
      ASSERT_EQ(marks(), before) << n;
    }
    EXPECT_GT(thrown, 20);
    EXPECT_EQ(ImGui::GetCurrentContext()->CurrentWindowStack.Size, 0);
  }
  int thrown = 0;
};

TEST_F(RecoverFrame, in_any_view) {
  SKIP_WITHOUT_FAILURES();
  for (const char* view : {"grid", "head", "head_table", "steps", "compare"}) {
    SCOPED_TRACE(view);
    run_action(app, view);
    check_every_failure();
    if (HasFailure()) return;
  }
}

TEST_F(RecoverFrame, in_a_dialog) {
  SKIP_WITHOUT_FAILURES();
  run_action(app, "export");
  frames(3);
  check_every_failure();
}

}  // namespace headscope::tests

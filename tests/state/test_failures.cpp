// Whichever allocation or thread creation fails in the window: the error is reported, and the next run is
// unaffected.

#include "app/state/document/figure_export.h"
#include "tests/state/state_fixture.h"
#include "tests/support/failures.h"

namespace headscope::tests {

class FailuresTest : public testing::Test {
 protected:
  /// One frame as in the window: what it throws is reported.
  void frame(App& app, const std::function<void(App&)>& act = {}) {
    try {
      begin_frame(app, input);
      if (act) act(app);
      end_frame(app);
    } catch (...) {
      reported = true;
    }
    input.now += 1;
  }
  void settle(App& app) {
    for (int i = 0; i < 50 && (i < 2 || is_busy(app)); ++i) {
      app.runners.a.wait();
      app.runners.b.wait();
      app.view_cache.wait();
      app.dialogs.picture.wait();
      app.dialogs.figure.preview.wait();
      frame(app, [this](App& a) { look(a); });
    }
  }
  /// What panels request.
  void look(App& app) {
    const auto block = app.block();
    if (block->n_q() == 0) return;
    app.shown();
    app.view_cache.statistics(block, app.state.view.layer);
    app.view_cache.similarity(block);
    app.view_cache.thumbnails(block, app.state.view.filter, app.state.view.range);
    if (app.compares()) app.view_cache.comparison(block, app.block(Side::b), app.state.view);
  }
  /// Types, runs, compares, and previews a figure before it is exported. Nothing that writes JSON: the
  /// library terminates if it has no memory to destroy a value.
  void story(App& app) {
    frame(app, [](App& a) { a.inputs.sentence = "one two"; });
    settle(app);
    frame(app, [](App& a) {
      a.state.view.kind = ViewKind::compare;
      a.inputs.temperature = 2;
    });
    settle(app);
    app.dialogs.figure.width = app.dialogs.figure.typed_height = 2;
    app.dialogs.figure.size = nullptr;
    for (int i = 0; i < 2; ++i) {
      frame(app, [](App& a) { export_preview(a, a.dialogs.figure, 48); });
      app.dialogs.figure.preview.wait();
    }
    settle(app);
  }
  std::unique_ptr<App> small_app() {
    auto app = std::make_unique<App>();
    app->desktop.put_picture = [](const std::string&) { return true; };
    app->inputs = sized_inputs();
    app->state.shown_width = app->state.shown_height = 192;
    return app;
  }
  static Inputs sized_inputs() {
    Inputs inputs;
    inputs.sentence = "one";
    inputs.d_model = 8;
    inputs.heads = 2;
    return inputs;
  }
  bool is_reported(const App& app) const {
    return reported || app.runners.a.error() || app.runners.b.error() ||
           std::ranges::any_of(app.notices.list(),
                               [](const Notice& notice) { return notice.kind == Notice::Kind::error; });
  }

  /// How many times it can fail; each time it is reported, or nothing is missing.
  long count_failures(Countdown& countdown) {
    for (long n = 0;; ++n) {
      reported = false;
      const auto app = small_app();
      bool failed = false;
      {
        const Failing failing(countdown, n);
        story(*app);
        failed = failing.failed();
      }
      const bool whole = app->runners.a.trace()->inputs == app->inputs && app->compare &&
                         app->runners.b.trace()->inputs == *app->compare;
      EXPECT_TRUE(whole || is_reported(*app)) << n;
      EXPECT_FALSE(is_busy(*app)) << n;
      // The next run is unaffected.
      frame(*app, [](App& a) {
        a.inputs.seed = 9;
        a.state.view.kind = ViewKind::grid;
      });
      settle(*app);
      EXPECT_EQ(app->runners.a.trace()->inputs, app->inputs) << n;
      EXPECT_FALSE(app->runners.a.error()) << n;
      if (!failed || HasFailure()) return n;
    }
  }

  OwnHome home;
  FrameInput input;
  bool reported = false;
};

TEST_F(FailuresTest, of_any_allocation_are_reported_and_the_next_run_is_whole) {
  SKIP_WITHOUT_FAILURES();
  const auto app = small_app();
  story(*app);  // creates everything that is kept permanently
  EXPECT_FALSE(is_reported(*app));
  EXPECT_GT(count_failures(allocations), 500);
}

TEST_F(FailuresTest, of_any_thread_are_reported_and_the_next_run_is_whole) {
  SKIP_WITHOUT_FAILURES();
  EXPECT_GE(count_failures(threads), 1);
}

TEST_F(FailuresTest, of_what_is_computed_in_the_background_come_to_the_status_line) {
  const auto app = small_app();
  settle(*app);
  app->desktop.put_picture = [](const std::string&) -> bool { throw std::bad_alloc(); };
  frame(*app, [](App& a) { copy_picture(a); });
  settle(*app);
  ASSERT_NE(app->notices.current(), nullptr);
  EXPECT_EQ(app->notices.current()->text, "the image could not be copied: not enough memory");
  write_beside(app->dialogs.figure, app->wake, "a.pdf",
               [](const std::stop_token&, WorkProgress&) { throw std::bad_alloc(); });
  app->dialogs.figure.running.wait();
  frame(*app);
  EXPECT_EQ(app->notices.current()->text, "a.pdf: cannot be written: not enough memory");
}

}  // namespace headscope::tests

#include "app/state/actions/actions.h"
#include "app/state/actions/long_work.h"
#include "app/state/document/figure_export.h"
#include "app/state/jobs/freezing.h"
#include "core/base/stopped.h"
#include "tests/state/state_fixture.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

class LongWorkTest : public testing::Test {
 protected:
  /// A frame that does not wait for anything.
  Frame frame() {
    Frame shown = begin_frame(app, input);
    app.shown();
    end_frame(app);
    input.now += 1;
    return shown;
  }
  Frame settled() {
    for (int i = 0; i < 20 && (i < 3 || is_busy(app)); ++i) {
      app.runners.a.wait();
      app.view_cache.wait();
      frame();
    }
    return frame();
  }
  /// A run that takes long by its forecast, and one that does not.
  static Inputs large() {
    Inputs inputs = sized(1500, 2048, 64);
    inputs.layers = 12;
    inputs.share_layers = true;
    return inputs;
  }
  static Inputs small() { return sized(6, 8, 2); }
  void start_large() {
    app.inputs = small();
    settled();
    app.inputs = large();
    frame();
    while (!long_work(app)) std::this_thread::yield();
  }

  OwnHome home;
  FrameInput input;
  App app;
};

TEST_F(LongWorkTest, says_beforehand_what_a_run_will_take) {
  start_large();
  const auto work = long_work(app);
  EXPECT_STREQ(work->what, "Computing attention");
  EXPECT_GT(work->now.bytes, 64.0 * 1500 * 1500 * sizeof(float)) << "the maps of the layer in view alone";
  EXPECT_TRUE(frame().stale);
  stop_work(app);
}

TEST_F(LongWorkTest, that_is_stopped_leaves_what_was_shown_and_says_so_until_it_runs_again) {
  start_large();
  const auto before = app.trace();
  stop_work(app);
  EXPECT_FALSE(long_work(app));
  const Frame shown = settled();
  EXPECT_EQ(app.trace(), before);
  EXPECT_EQ(app.inputs, large()) << "what was typed stays";
  EXPECT_TRUE(shown.stale);
  EXPECT_EQ(shown.idle, Idle::stopped);
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->text, "Stopped; what is shown is not up to date");
  run_again(app);
  frame();
  EXPECT_TRUE(app.runners.a.busy());
  EXPECT_EQ(app.notices.current(), nullptr);
  stop_work(app);
  // Other inputs are run without being requested again.
  app.inputs = small();
  app.inputs.seed = 7;
  const Frame after = settled();
  EXPECT_EQ(app.trace()->inputs, app.inputs);
  EXPECT_FALSE(after.stale);
  EXPECT_EQ(after.idle, Idle::none);
  EXPECT_EQ(app.notices.current(), nullptr);
}

TEST_F(LongWorkTest, is_stopped_by_escape) {
  start_large();
  input.keyboard.pressed.set(static_cast<std::size_t>(Key::escape));
  begin_frame(app, input);
  run_shortcuts(app);
  end_frame(app);
  EXPECT_EQ(app.runners.a.idle(), Idle::stopped);
}

TEST_F(LongWorkTest, writes_no_file_when_it_is_stopped) {
  write_beside(app.dialogs.figure, app.wake, "a.pdf",
               [](const std::stop_token& stop, WorkProgress& progress) {
                 progress.report({100, 2e9});
                 while (!stop.stop_requested()) std::this_thread::yield();
                 check_stop(stop);
               });
  while (!long_work(app)) std::this_thread::yield();
  EXPECT_STREQ(long_work(app)->what, "Writing the file");
  stop_work(app);
  app.dialogs.figure.running.wait();
  frame();
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->text, "Stopped; a.pdf was not written");
}

TEST(Freezing, is_announced_with_its_seconds_and_can_be_run_all_the_same) {
  WorkProgress progress;
  report_unasked(progress, {100, 0});  // here the window goes on
  expect_short({0.1, 0});
  try {
    expect_short({2.1, 0});
    FAIL() << "it would begin";
  } catch (const Error& failure) {
    EXPECT_EQ(failure.kind(), Error::Kind::unable) << "then it can be run again";
    EXPECT_THAT(failure.what(), HasSubstr("about 5 s"));
  }
}

TEST(Background, that_is_halted_keeps_its_value_until_it_is_requested_again_or_for_another) {
  Background<int, int> numbers;
  const auto make = [](int value) {
    return [value](const std::stop_token&) { return std::make_shared<const int>(value); };
  };
  const auto endless = [](const std::stop_token& stop) -> std::shared_ptr<const int> {
    while (!stop.stop_requested()) std::this_thread::yield();
    return nullptr;
  };
  numbers.get(1, true, make(10));
  numbers.halt();
  EXPECT_EQ(numbers.idle(), Idle::none) << "nothing was being made";
  numbers.get(2, false, endless);
  numbers.halt();
  EXPECT_FALSE(numbers.busy());
  EXPECT_EQ(numbers.idle(), Idle::stopped);
  numbers.wait();
  EXPECT_EQ(*numbers.get(2, true, make(20)), 10) << "not tried again by itself";
  numbers.again();
  EXPECT_EQ(*numbers.get(2, true, make(20)), 20);
  EXPECT_EQ(numbers.idle(), Idle::none);
}

TEST(Background, that_fails_is_not_up_to_date_until_another_key_is_requested) {
  Background<int, int> numbers;
  numbers.get(1, true, [](const std::stop_token&) { return std::make_shared<const int>(10); });
  const auto fails = [](const std::stop_token&) -> std::shared_ptr<const int> { throw std::bad_alloc(); };
  numbers.get(2, false, fails);
  numbers.wait();
  EXPECT_EQ(*numbers.get(2, false, fails), 10);
  EXPECT_EQ(numbers.idle(), Idle::failed);
  EXPECT_TRUE(numbers.take_error());
  numbers.note_frame(false);
  EXPECT_EQ(numbers.idle(), Idle::failed);
  numbers.note_frame(false);
  EXPECT_EQ(numbers.idle(), Idle::none) << "of a view that nobody looks at any more";
  EXPECT_EQ(*numbers.get(3, true, [](const std::stop_token&) { return std::make_shared<const int>(30); }),
            30);
  EXPECT_EQ(numbers.idle(), Idle::none);
}

}  // namespace headscope::tests

#include "tests/e2e/fixture.h"
#include "tests/e2e/slow_manager.h"

namespace headscope::tests {

/// Its windows are shown when the test says so.
class WindowShownLater : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped()) return;
    desktop = std::make_unique<Desktop>("1600x1000", Desktop::Manager::none);
    manager = std::make_unique<SlowManager>(desktop->display());
  }

  bool rests() {
    return eventually([&] {
      const double before = desktop->program().cpu_seconds();
      std::this_thread::sleep_for(std::chrono::seconds(1));
      return desktop->program().cpu_seconds() - before <= 0.011;  // one tick of the kernel's clock
    });
  }

  std::optional<int> end_by(int number) {
    desktop->program().signal(number);
    return desktop->program().wait(20);
  }

  std::unique_ptr<SlowManager> manager;
};

TEST_F(WindowShownLater, rests_is_whole_when_shown_and_rests_when_hidden_again) {
  desktop->launch({"--sentence", "one two three"});
  ASSERT_TRUE(manager->is_asked()) << desktop->log();
  EXPECT_TRUE(rests());
  EXPECT_FALSE(shown().is_object());  // nothing was drawn
  manager->show();
  ASSERT_TRUE(shows_field("sentence", "one two three")) << shown();
  EXPECT_TRUE(shows_mark("map 8"));
  retype("four five");
  EXPECT_TRUE(shows_field("sentence", "four five")) << shown();
  manager->hide();
  EXPECT_TRUE(rests());
  manager->show();
  desktop->key("ctrl+2");
  EXPECT_TRUE(shows([](const json& now) { return now["session"]["view"]["kind"] == "head"; })) << shown();
  EXPECT_EQ(end_by(SIGTERM), 128 + SIGTERM);
  EXPECT_EQ(desktop->log(), "");
}

/// As openbox does while it reads its fonts.
TEST_F(WindowShownLater, asks_again_where_a_manager_that_was_starting_has_lost_the_request) {
  desktop->launch();
  for (int lost = 0; lost < 3; ++lost) ASSERT_TRUE(manager->is_asked()) << desktop->log();
  manager->show();
  EXPECT_TRUE(shows_mark("map 8")) << shown();
  EXPECT_TRUE(rests());
}

TEST_F(WindowShownLater, ends_by_a_signal_and_keeps_the_work) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const std::string words = signal == SIGTERM ? "one two three" : "four five";
    desktop->launch({"--sentence", words});
    ASSERT_TRUE(manager->is_asked()) << desktop->log();
    ASSERT_TRUE(rests());
    EXPECT_EQ(end_by(signal), 128 + signal);
    fs::remove(desktop->home() / "dump.json");
    desktop->launch();
    ASSERT_TRUE(manager->is_asked()) << desktop->log();
    manager->show();
    EXPECT_TRUE(shows_field("sentence", words)) << shown();
    EXPECT_EQ(end_by(signal), 128 + signal);
    EXPECT_EQ(desktop->log(), "");
  }
}

}  // namespace headscope::tests

#include "tests/e2e/fixture.h"

namespace headscope::tests {

bool paints(const json& session) {
  for (const json& part : session.at("mask"))
    if (part.is_string() && part.get<std::string>().starts_with("painted")) return true;
  return false;
}

/// A separate test suite, so that it can be run alone.
class WindowStory : public WindowTest {};

/// What if these keys were blocked? Painted, compared with the first state, bookmarked; then the program is
/// killed, and everything is restored.
TEST_F(WindowStory, paint_compare_bookmark_kill_reopen) {
  desktop->start();
  ASSERT_TRUE(shows_mark("map 8"));
  desktop->key("ctrl+5");
  ASSERT_TRUE(shows([](const json& now) {
    return now["session"]["view"]["kind"] == "compare" && now["session"]["compare"].is_object();
  })) << shown()["session"];
  desktop->key("ctrl+1");

  click("Paint on the maps");
  const auto [from_x, from_y] = cell(0, 2, 6, 10, 10);
  const auto [to_x, to_y] = cell(0, 2, 8, 10, 10);
  desktop->drag(from_x, from_y, to_x, to_y);
  ASSERT_TRUE(shows([](const json& now) { return paints(now["session"]); })) << shown()["session"];
  const json mask = shown()["session"]["mask"];
  desktop->key("ctrl+5");
  ASSERT_TRUE(shows([&](const json& now) {
    return now["session"]["mask"] == mask && now["session"]["compare"]["mask"] == json::array();
  })) << shown()["session"];

  desktop->key("ctrl+b");
  ASSERT_TRUE(shows([&](const json& now) { return now["session"]["bookmarks"].size() == 1; }))
      << shown()["session"];
  const json before = shown()["session"];

  std::this_thread::sleep_for(std::chrono::seconds(3));  // what is older than two seconds must not be lost
  desktop->kill();
  start_again();
  EXPECT_TRUE(shows([&](const json& now) { return now["session"] == before; })) << before << '\n'
                                                                                << shown()["session"];
  EXPECT_EQ(desktop->close(), 0) << desktop->log();
}

TEST_F(WindowStory, another_killed_window_does_not_destroy_what_this_one_keeps) {
  desktop->start();
  retype("one two three");
  ASSERT_TRUE(shows_field("sentence", "one two three"));
  std::this_thread::sleep_for(std::chrono::seconds(3));
  desktop->kill();
  for (const char* words : {"one two three", "one two three four"}) {
    start_again();
    EXPECT_TRUE(shows_field("sentence", words)) << shown()["session"];
    desktop->key("ctrl+l");
    desktop->key("ctrl+End");
    desktop->type(" four");
    ASSERT_TRUE(shows(
        [](const json& now) { return now["session"]["sentence"].get<std::string>().ends_with(" four"); }));
    EXPECT_EQ(desktop->close(), 0) << desktop->log();
  }
}

}  // namespace headscope::tests

#include "app/window/window_system.h"
#include "core/base/error.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

/// A desktop on Wayland with XWayland, where everything can be had.
WindowSystemFacts complete() {
  return {.x11 = true,
          .wayland = true,
          .wayland_built_in = true,
          .text_input = true,
          .clipboard = true,
          .frames_drawn = true};
}

WindowSystem system_of(const WindowSystemFacts& facts) {
  return choose_window_system(facts).system;
}

TEST(WindowSystem, is_wayland_where_nothing_speaks_against_it) {
  EXPECT_EQ(system_of(complete()), WindowSystem::wayland);
}

TEST(WindowSystem, is_x11_where_wayland_would_lack_something) {
  for (bool WindowSystemFacts::*lacking : {&WindowSystemFacts::wayland, &WindowSystemFacts::wayland_built_in,
                                           &WindowSystemFacts::clipboard, &WindowSystemFacts::frames_drawn}) {
    WindowSystemFacts facts = complete();
    facts.*lacking = false;
    EXPECT_EQ(system_of(facts), WindowSystem::x11);
  }
}

TEST(WindowSystem, needs_text_input_only_for_an_input_method) {
  WindowSystemFacts facts = complete();
  facts.text_input = false;
  EXPECT_EQ(system_of(facts), WindowSystem::wayland);
  facts.input_method = true;
  EXPECT_EQ(system_of(facts), WindowSystem::x11);
  facts.text_input = true;
  EXPECT_EQ(system_of(facts), WindowSystem::wayland);
}

TEST(WindowSystem, is_the_only_display_that_there_is_whatever_it_lacks) {
  EXPECT_EQ(system_of({.wayland = true, .input_method = true}), WindowSystem::wayland);
  EXPECT_EQ(system_of({.x11 = true}), WindowSystem::x11);
}

TEST(WindowSystem, is_the_one_asked_for) {
  WindowSystemFacts facts = complete();
  facts.wanted = "x11";
  EXPECT_EQ(system_of(facts), WindowSystem::x11);
  EXPECT_EQ(system_of({.wanted = "wayland", .x11 = true}), WindowSystem::wayland);
  facts.wanted = "mir";
  EXPECT_THAT([&] { choose_window_system(facts); },
              testing::ThrowsMessage<Error>("HEADSCOPE_WINDOW: mir; expected x11 or wayland"));
}

TEST(WindowSystem, says_why) {
  EXPECT_STREQ(choose_window_system(complete()).why, "The window is shown by Wayland, as the session is");
  WindowSystemFacts facts = complete();
  facts.frames_drawn = false;
  EXPECT_STREQ(choose_window_system(facts).why,
               "The window is shown by X11: the Wayland compositor draws no window frames, and libdecor is "
               "not installed");
}

TEST(WindowSystem, input_methods_are_named_by_any_of_three_variables) {
  EXPECT_TRUE(names_input_method("@im=fcitx", "", ""));
  EXPECT_TRUE(names_input_method("@im=ibus@x=1", "", ""));
  EXPECT_TRUE(names_input_method("", "ibus", ""));
  EXPECT_TRUE(names_input_method("", "", "fcitx"));
  EXPECT_FALSE(names_input_method("", "", ""));
  EXPECT_FALSE(names_input_method("@im=none", "gtk-im-context-simple", "compose"));
  EXPECT_FALSE(names_input_method("@im=", "", ""));
}

}  // namespace
}  // namespace headscope::tests

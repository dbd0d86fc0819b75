#include "tests/ui/app_fixture.h"

namespace headscope::tests {

TEST_F(AppFixture, every_action_is_reachable_by_the_palette_and_runs) {
  app.desktop.choose_file = [](const FileRequest&) { return true; };  // opens, and never answers
  for (const Action& action : all_actions()) {
    const std::string id = action.id;
    if (id == "quit" || id == "palette") continue;
    press(Key::p, true, true);
    ASSERT_TRUE(app.dialogs.palette.open) << action.id;
    for (const char* c = action.text; *c != '\0'; ++c)
      type(static_cast<unsigned char>(*c) < 0x80 ? std::u32string(1, static_cast<char32_t>(*c)) : U" ");
    press(Key::enter);
    EXPECT_FALSE(app.dialogs.palette.open) << action.id;
    press_each({Key::escape, Key::escape});
  }
}

TEST_F(AppFixture, language_and_theme_switch_live) {
  press(Key::l, true, true);
  EXPECT_EQ(app.language(), Language::zh);
  EXPECT_STREQ(app.tr("Padding"), "填充");
  press(Key::l, true, true);
  EXPECT_STREQ(app.tr("Padding"), "Padding");
  press(Key::d, true);
  EXPECT_EQ(memory.style.theme, Theme::dark);
  EXPECT_EQ(app.settings.theme, Theme::dark);
}

TEST_F(AppFixture, question_mark_lists_the_keys_but_not_in_a_text) {
  type(U"?");
  EXPECT_TRUE(app.dialogs.keys);
  press(Key::escape);
  EXPECT_FALSE(app.dialogs.keys);
  press(Key::l, true);
  type(U"?");
  EXPECT_FALSE(app.dialogs.keys);
  EXPECT_TRUE(app.inputs.sentence.ends_with("?"));
}

TEST_F(AppFixture, escape_closes_a_submenu_that_the_mouse_rests_on) {
  const auto popup = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  click("menu help");
  click("submenu Lessons");
  ASSERT_TRUE(shows("item lesson masks"));
  press(Key::escape);
  frames(3);
  EXPECT_FALSE(shows("item lesson masks")) << "the pointer is still on its entry";
  for (int i = 0; i < 2 && popup(); ++i) press(Key::escape);
  frames(3);
  EXPECT_FALSE(popup());
}

}  // namespace headscope::tests

#include "app/panels/dialogs.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

TEST(Actions, ids_and_keys_are_unique) {
  std::set<std::string> ids, keys;
  for (const Action& action : all_actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    for (const Shortcut& shortcut : action.keys) {
      EXPECT_FALSE(to_string(shortcut).ends_with("+") && shortcut.key != Key::equal) << action.id;
      EXPECT_TRUE(keys.insert(to_string(shortcut)).second) << to_string(shortcut);
    }
  }
}

TEST(Actions, are_found_in_both_languages) {
  const std::vector<Action> actions = all_actions();
  const auto best = [&](const std::string& query) {
    const auto found = std::ranges::max_element(
        actions, {}, [&](const Action& action) { return match_score(action, query); });
    return std::string(found->id);
  };
  EXPECT_EQ(best("dark"), "theme");
  EXPECT_EQ(best("深色"), "theme");
  EXPECT_EQ(best("导出图"), "export");
  EXPECT_EQ(best("expfig"), "export");
  EXPECT_LT(match_score(actions.front(), "qqqqqq"), 0);
}

TEST(Actions, are_found_by_the_menu_they_stand_in) {
  int masks = 0;
  for (const Action& action : all_actions()) {
    if (action.submenu == nullptr || action.submenu != std::string("Mask")) continue;
    ++masks;
    for (const char* query : {"mask", "掩码"}) EXPECT_GT(match_score(action, query), 100) << action.id;
  }
  EXPECT_GT(masks, 8);
}

TEST(Actions, the_whole_name_in_either_language_finds_it_first) {
  const std::vector<Action> actions = all_actions();
  const Translator zh(Language::zh);
  for (const Action& wanted : actions)
    for (const std::string& name : {std::string(wanted.text), std::string(zh(wanted.text))}) {
      const auto found = std::ranges::max_element(
          actions, {}, [&](const Action& action) { return match_score(action, name); });
      // Two things may have one name: a mask and a kind of weights.
      EXPECT_TRUE(found->text == std::string(wanted.text) || zh(found->text) == std::string(zh(wanted.text)))
          << name << " finds " << found->id;
    }
}

TEST_F(AppFixture, every_action_is_reachable_by_the_palette_and_runs) {
  app.desktop_chooser = [](const FileRequest&) { return true; };  // asks, and never answers
  for (const Action& action : all_actions()) {
    const std::string id = action.id;
    if (id == "quit" || id == "palette") continue;
    press(Key::p, true, true);
    ASSERT_TRUE(app.dialogs->palette.open) << action.id;
    for (const char* c = action.text; *c != '\0'; ++c)
      if (static_cast<unsigned char>(*c) < 0x80) type(std::u32string(1, static_cast<char32_t>(*c)));
    press(Key::enter);
    EXPECT_FALSE(app.dialogs->palette.open) << action.id;
    press_each({Key::escape, Key::escape});
  }
}

TEST_F(AppFixture, language_and_theme_switch_live) {
  press(Key::l, true, true);
  EXPECT_EQ(app.language(), Language::zh);
  EXPECT_TRUE(shows("填充"));
  EXPECT_FALSE(shows("Padding"));
  press(Key::l, true, true);
  EXPECT_TRUE(shows("Padding"));
  press(Key::d, true);
  EXPECT_EQ(app.style.theme, Theme::dark);
  EXPECT_EQ(app.settings.theme, Theme::dark);
}

TEST_F(AppFixture, text_sizes_end_at_both_ends) {
  for (int i = 0; i < 4; ++i) press(Key::equal, true);
  EXPECT_EQ(app.settings.text_size, TextSize::projector);
  for (int i = 0; i < 4; ++i) press(Key::minus, true);
  EXPECT_EQ(app.settings.text_size, TextSize::regular);
}

TEST_F(AppFixture, question_mark_lists_the_keys_but_not_in_a_text) {
  type(U"?");
  EXPECT_TRUE(app.dialogs->keys);
  press(Key::escape);
  EXPECT_FALSE(app.dialogs->keys);
  press(Key::l, true);
  type(U"?");
  EXPECT_FALSE(app.dialogs->keys);
  EXPECT_TRUE(app.inputs.sentence.ends_with("?"));
}

}  // namespace headscope::tests

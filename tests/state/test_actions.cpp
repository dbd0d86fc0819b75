#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/view/navigation.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

TEST(Actions, ids_and_keys_are_unique) {
  std::set<std::string> ids, keys;
  for (const Action& action : all_actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    for (const Shortcut& shortcut : action.keys) {
      EXPECT_FALSE(to_string(shortcut).ends_with("+") && shortcut.key != Key::equal) << action.id;
      // While presenting some have another meaning; a lesson leaves its step keys to the arithmetic.
      if (action.id == "lesson next" || action.id == "lesson back") continue;
      EXPECT_TRUE(keys.insert((action.presenting ? "presenting " : "") + to_string(shortcut)).second)
          << to_string(shortcut);
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
  EXPECT_EQ(best("pytorch"), "copy pytorch") << "not the kind of weights";
  EXPECT_LT(match_score(actions.front(), "qqqqqq"), 0);
}

TEST(Actions, are_found_by_the_menu_they_are_in) {
  int masks = 0;
  for (const Action& action : all_actions()) {
    if (action.submenu == nullptr || action.submenu != std::string("Mask")) continue;
    ++masks;
    for (const char* query : {"mask", "掩码"}) EXPECT_GT(match_score(action, query), 100) << action.id;
  }
  EXPECT_GT(masks, 8);
}

TEST(Actions, that_ablate_heads_are_found_by_any_of_their_words) {
  const std::vector<Action> actions = all_actions();
  for (const char* id :
       {"encoder off", "decoder off", "cross off", "guided off", "layer off now", "chosen head off"}) {
    const auto action = std::ranges::find(actions, id, &Action::id);
    ASSERT_NE(action, actions.end()) << id;
    for (const char* query :
         {"switch", "off", "head", "heads off", "switch off", "off heads switch", "关闭", "头"})
      EXPECT_GE(match_score(*action, query), 0) << id << ": " << query;
  }
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

TEST_F(StateFixture, text_sizes_end_at_both_ends) {
  for (int i = 0; i < 4; ++i) press(Key::equal, true);
  EXPECT_EQ(app.settings.text_size, TextSize::projector);
  for (int i = 0; i < 6; ++i) press(Key::minus, true);
  EXPECT_EQ(app.settings.text_size, TextSize::smallest);
}

TEST_F(StateFixture, control_0_brings_back_the_size_and_tells_where_the_whole_model_is) {
  for (const Key by : {Key::equal, Key::minus}) {
    press(by, true);
    press(by, true);
    open_head(app.state, 1);
    run_action(app, "zoom in");
    EXPECT_NE(app.state.view.zoom, Zoom{});
    press(Key::digit_0, true);
    EXPECT_EQ(app.settings.text_size, TextSize::regular);
    EXPECT_EQ(app.state.view.zoom, Zoom{});
    EXPECT_EQ(app.notices.current(), nullptr) << "a seeded layer has no whole model";
  }
}

TEST_F(StateFixture, every_action_runs_without_a_window) {
  app.desktop.choose_file = [](const FileRequest&) { return true; };  // opens, and never answers
  app.state.lock = Cell{1, 2, 3};
  for (const Action& action : all_actions()) {
    run_action(app, action.id);
    frame();
  }
  EXPECT_TRUE(app.quit);
  EXPECT_FALSE(app.runners.a.error());
}

TEST_F(StateFixture, a_text_that_is_edited_keeps_its_keys) {
  input.text_focus = true;
  press(Key::c, true);
  EXPECT_EQ(clipboard, "");
  press(Key::escape);
  press(Key::d, true);
  EXPECT_EQ(app.settings.theme, Theme::dark) << "Ctrl+D belongs to no text";
  input.text_focus = false;
  input.popup_open = true;
  press(Key::d, true);
  EXPECT_EQ(app.settings.theme, Theme::dark) << "a menu or dialog has the keys for itself";
}

}  // namespace headscope::tests

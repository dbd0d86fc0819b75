#include "app/state/actions/action_search.h"
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
      // While presenting some have another meaning; a lesson leaves its step keys to the arithmetic, and what
      // is pasted may be a picture or a link.
      if (action.id == "lesson next" || action.id == "lesson back" || action.id == "open link") continue;
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
  EXPECT_EQ(best("exp fig"), "export") << "the beginnings of its words";
  EXPECT_EQ(best("pytorch"), "copy pytorch") << "not the kind of weights";
  EXPECT_LT(match_score(actions.front(), "qqqqqq"), 0);
}

TEST(Actions, other_words_are_of_actions_that_exist) {
  std::set<std::string> ids;
  for (const Action& action : all_actions()) ids.insert(action.id);
  for (const std::string& id : ids_with_other_words()) EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(Actions, that_have_no_such_word_are_not_found_by_letters_in_order) {
  for (const Action& action : all_actions())
    for (const char* query : {"pdf", "font", "manual", "single", "expfig"})
      if (action.id == "black screen" || action.id == "freeze" || query == std::string("expfig"))
        EXPECT_LT(match_score(action, query), 0) << action.id << ": " << query;
}

/// What people type, and what they want: among the first three.
constexpr std::pair<const char*, const char*> asked[] = {
    {"pdf", "export"},
    {"svg", "export"},
    {"paper", "export"},
    {"screenshot", "copy picture"},
    {"print", "export"},
    {"future", "mask causal"},
    {"autoregressive", "mask causal"},
    {"triangular", "mask causal"},
    {"look ahead", "mask causal"},
    {"local", "mask window"},
    {"bidirectional", "mask none"},
    {"unmask", "mask none"},
    {"font", "larger"},
    {"font size", "larger"},
    {"bigger", "larger"},
    {"night", "theme"},
    {"translate", "model translator"},
    {"induction", "model induction"},
    {"gpt", "model induction"},
    {"hugging face", "open model"},
    {"bert", "open model"},
    {"checkpoint", "open model"},
    {"numpy", "open capture"},
    {"bertviz", "open capture"},
    {"photo", "open picture"},
    {"knock out", "chosen head off"},
    {"disable", "chosen head off"},
    {"prune", "chosen head off"},
    {"why", "causes"},
    {"activation patching", "causes"},
    {"difference", "compare"},
    {"side by side", "compare"},
    {"single head", "head"},
    {"enlarge", "head"},
    {"all heads", "grid"},
    {"overview", "grid"},
    {"statistics", "population"},
    {"entropy", "population"},
    {"formula", "steps"},
    {"calculation", "steps"},
    {"softmax", "steps"},
    {"arrows", "lines"},
    {"full screen", "present"},
    {"projector", "present"},
    {"reset", "notebook"},
    {"start over", "notebook"},
    {"random weights", "roll"},
    {"shuffle", "roll"},
    {"two sentences", "cross"},
    {"own sentence", "sentence"},
    {"type", "sentence"},
    {"search", "find"},
    {"revert", "undo"},
    {"exit", "quit"},
    {"grayscale", "greys"},
    {"color blind", "cividis"},
    {"colormap", "viridis"},
    {"weights", "numbers"},
    {"撤回", "undo"},
    {"sidebar", "controls"},
    {"shortcuts", "keys"},
    {"hotkeys", "keys"},
    {"course", "open lesson"},
    {"tutorial", "open lesson"},
    {"manual", "documents"},
    {"guide", "documents"},
    {"手册", "documents"},
    {"worksheet", "export handout"},
    {"version", "about"},
    {"python", "copy pytorch"},
    {"cancel", "stop"},
    {"skip connection", "residual"},
    {"mlp", "feed forward"},
    {"brush", "paint"},
    {"complete", "generate"},
    {"rename", "name head"},
    {"单头", "head"},
    {"截图", "copy picture"},
    {"论文", "export"},
    {"字号", "larger"},
    {"字体", "larger"},
    {"遮住", "mask causal"},
    {"未来", "mask causal"},
    {"翻译", "model translator"},
    {"为什么", "causes"},
    {"差别", "compare"},
    {"敲除", "chosen head off"},
    {"归纳", "model induction"},
    {"全屏", "present"},
    {"怎么算", "steps"},
    {"搜索", "find"},
    {"重置", "notebook"},
    {"快捷键", "keys"},
    {"撤回", "undo"},
    {"夜间", "theme"},
    {"放大", "larger"},
};

TEST_F(StateFixture, actions_are_found_by_what_people_call_them_in_either_window) {
  std::vector<const Action*> all;
  for (const Action& action : app.actions) {
    all.push_back(&action);
    // Whether it can be run now is another test's.
    const_cast<Action&>(action).enabled = nullptr;
    const_cast<Action&>(action).refused = nullptr;
  }
  for (const Language language : {Language::en, Language::zh}) {
    app.set_language(language);
    for (const auto& [query, id] : asked) {
      const std::vector<const Action*> found = find_actions(app, all, query);
      std::vector<std::string> first;
      for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i) first.push_back(found[i]->id);
      EXPECT_THAT(first, testing::Contains(id)) << query;
    }
  }
}

TEST_F(StateFixture, what_can_be_done_is_found_before_what_cannot) {
  std::vector<const Action*> all;
  for (const Action& action : app.actions) all.push_back(&action);
  for (const char* query : {"", "head", "export", "model", "搜索"}) {
    bool all_before = true;
    for (const Action* const action : find_actions(app, all, query)) {
      const bool can = is_enabled(app, *action);
      EXPECT_TRUE(all_before || !can) << query << ": " << action->id;
      all_before = can;
    }
  }
}

TEST(Actions, menus_are_short) {
  constexpr std::size_t longest = 20;
  std::map<ActionGroup, std::set<std::string>> lines;
  for (const Action& action : all_actions())
    lines[action.group].insert(action.submenu != nullptr ? std::string("submenu ") + action.submenu
                                                         : action.id);
  for (const auto& [group, entries] : lines) EXPECT_LE(entries.size(), longest) << group_name(group);
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

#include <regex>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/sentence/sentence.h"
#include "core/attention/painting.h"
#include "tests/support/source_files.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// Everything by keyboard, never a pointer.
class Keyboard : public AppFixture {
 protected:
  void key(Key key, bool down, bool shift = false) {
    queue.push({.kind = Kind::key, .key = key, .down = down, .shift = shift});
    settle();
  }
  void go_to(Panel panel) {
    for (int i = 0; i < 10 && app.state.panel != panel; ++i) press(Key::f6);
    ASSERT_EQ(app.state.panel, panel);
  }
  const Runs& painted() { return app.inputs.mask.at(0).painted; }
};

TEST_F(Keyboard, f6_goes_through_all_panels_and_back) {
  go_to(Panel::maps);
  press(Key::f6);
  EXPECT_EQ(app.state.panel, Panel::rail) << "nothing to inspect yet";
  app.state.lock = Cell{0, 1, 2};
  for (const Panel panel :
       {Panel::controls, Panel::sentence, Panel::tokens, Panel::bar, Panel::maps, Panel::inspector}) {
    press(Key::f6);
    EXPECT_EQ(app.state.panel, panel) << static_cast<int>(panel);
    EXPECT_EQ(memory.texts.a.sentence.focused, panel == Panel::sentence);
  }
  press(Key::f6, false, true);
  EXPECT_EQ(app.state.panel, Panel::maps);
  app.inputs.key_sentence = "a b";
  frames(2);
  go_to(Panel::tokens);
  press(Key::f6);
  EXPECT_TRUE(memory.texts.a.key_sentence.focused);
  press(Key::tab);
  EXPECT_EQ(app.state.panel, Panel::key_tokens);
}

TEST_F(Keyboard, controls_are_changed_with_arrows_and_space) {
  go_to(Panel::controls);
  press_each({Key::down, Key::space});  // from d_model to "fewer heads"
  EXPECT_EQ(app.inputs.heads, 4);
}

TEST_F(Keyboard, tokens_are_marked_as_padding_or_global) {
  app.inputs.mask = {parse_mask_part("padding:9")};
  frames(2);
  go_to(Panel::tokens);
  press_each({Key::right, Key::right, {Key::space, false, true}});
  EXPECT_EQ(app.inputs.mask[0].tokens, (std::vector{2, 9}));
  app.inputs.mask = {parse_mask_part("global:0")};
  frames(2);
  press(Key::space, false, true);
  EXPECT_EQ(app.inputs.mask[0].tokens, (std::vector{0, 2}));
  press(Key::space);
  EXPECT_THAT(app.state.lock, Optional(Field(&Cell::query, 2)));
}

TEST_F(Keyboard, esc_leads_back_to_the_maps_and_frees_the_cell_only_then) {
  go_to(Panel::maps);
  press_each({Key::down, Key::right});
  ASSERT_TRUE(app.state.lock);
  go_to(Panel::controls);
  press(Key::escape);
  EXPECT_EQ(app.state.panel, Panel::maps);
  EXPECT_TRUE(app.state.lock);
  press(Key::escape);
  EXPECT_FALSE(app.state.lock);
}

TEST_F(Keyboard, esc_frees_the_cell_at_once_where_a_click_left_an_unseen_focus) {
  for (const char* mark : {"views 0", "Causal", "filter"}) {
    app.state.lock = Cell{0, 1, 2};
    frames(2);
    click(mark);
    if (mark == std::string("filter")) press(Key::escape);  // closes its popup
    ASSERT_TRUE(app.state.lock);
    press(Key::escape);
    EXPECT_FALSE(app.state.lock) << mark;
  }
}

TEST_F(Keyboard, esc_closes_a_menu_and_nothing_else) {
  go_to(Panel::maps);
  press(Key::down);
  ASSERT_TRUE(app.state.lock);
  press(Key::f10);
  EXPECT_TRUE(memory.popup_open);
  press(Key::escape);
  EXPECT_FALSE(memory.popup_open);
  EXPECT_TRUE(app.state.lock);
}

TEST_F(Keyboard, another_view_has_the_keys_at_once) {
  go_to(Panel::maps);
  for (const char digit : {'6', '4', '3', '5', '1'}) {
    press(digit_key(digit), true);
    EXPECT_EQ(app.state.panel, Panel::maps) << digit;
  }
  press(digit_key('4'), true);
  press_each({Key::right, Key::space});
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
}

TEST_F(Keyboard, coming_back_to_the_lines_the_arrows_go_on_from_token_to_token) {
  press(digit_key('3'), true);
  press_each({Key::down, Key::down});
  EXPECT_THAT(app.state.lock, Optional(Field(&Cell::query, 1)));
  go_to(Panel::controls);
  go_to(Panel::maps);
  press(Key::down);
  EXPECT_EQ(app.state.lock->query, 2);
  press(Key::tab);
  EXPECT_EQ(app.state.panel, Panel::inspector);
}

TEST_F(Keyboard, a_stroke_is_one_step) {
  press(Key::p, true);
  ASSERT_TRUE(app.state.brush.on);
  go_to(Panel::maps);
  press(Key::down);
  key(Key::space, true);
  for (int i = 0; i < 3; ++i) press(Key::right);
  key(Key::space, false);
  EXPECT_EQ(painted(), (Runs{{-1, 0, 0, 4}}));
  EXPECT_EQ(app.undo.history.steps().size(), 2U);
  key(Key::space, true, true);
  key(Key::space, false);
  EXPECT_EQ(painted(), (Runs{{-1, 0, 0, 3}})) << "with Shift the brush frees";
  press(Key::z, true);
  EXPECT_EQ(painted(), (Runs{{-1, 0, 0, 4}}));
  press(Key::z, true);
  EXPECT_TRUE(app.inputs.mask.empty());
}

TEST_F(Keyboard, keys_that_open_a_dialog_close_it) {
  for (const auto& [id, key, ctrl] : {std::tuple{"keys", Key::f1, false}, {"palette", Key::p, true}}) {
    press(key, ctrl, ctrl);
    EXPECT_TRUE(app.dialogs.keys || app.dialogs.palette.open) << id;
    press(key, ctrl, ctrl);
    EXPECT_FALSE(app.dialogs.keys || app.dialogs.palette.open) << id;
  }
}

TEST_F(Keyboard, the_list_of_keys_is_searched_and_leads_to_the_documents) {
  press(Key::f1);
  type(U"safetensors");
  EXPECT_EQ(app.dialogs.key_query, "safetensors");
  EXPECT_FALSE(shows("read MASKS")) << "it has no such word";
  click("read captures");
  settle();
  EXPECT_FALSE(app.dialogs.keys);
  EXPECT_TRUE(shows("page"));
  EXPECT_EQ(app.dialogs.page.name, "captures");
  click("read MASKS");
  EXPECT_EQ(app.dialogs.page.name, "MASKS");
  press(Key::escape);
  settle();
  EXPECT_FALSE(shows("page"));
}

TEST_F(Keyboard, what_is_typed_into_a_dialog_does_not_reach_the_sentence_below) {
  press(Key::l, true);
  press(Key::f1);
  ASSERT_TRUE(app.dialogs.keys);
  type(U"x ");
  press(Key::backspace);
  EXPECT_EQ(app.inputs.sentence, notebook_sentence);
  press(Key::escape);
  type(U"x");
  EXPECT_EQ(app.inputs.sentence, "x") << "it is still being edited, all of it selected";
}

TEST_F(Keyboard, a_head_gets_its_name) {
  go_to(Panel::maps);
  press_each({Key::down, {Key::right, true}, Key::f2});
  type(U"previous");
  press(Key::enter);
  EXPECT_FALSE(app.dialogs.head_label);
  EXPECT_EQ(app.labels, (std::vector<HeadLabel>{{0, 1, "previous", {}}}));
}

/// The spelling in the list of keys of every key that a panel queries.
TEST(PanelKeys, every_key_that_a_panel_requests_is_in_the_list) {
  std::string listed;
  for (const PanelKey& key : panel_keys()) listed += std::string(key.keys) + "\n";
  const auto spelled = nlohmann::json::parse(R"({
    "left": "arrow keys", "right": "arrow keys", "up": "arrow keys", "down": "arrow keys",
    "page_up": "PgUp", "page_down": "PgDn", "home": "Home", "end": "End", "del": "Del", "tab": "Tab",
    "backspace": "Backspace", "space": "Space", "enter": "Enter", "escape": "Esc", "keypad_enter": "Enter",
    "equal": "+", "minus": "−", "a": "Ctrl+A", "c": "Ctrl+C", "menu": "Menu", "f10": "Shift+F10", "x": "Ctrl+X", "v": "Ctrl+V"
  })")
                           .get<std::map<std::string, std::string>>();
  const std::regex asked(R"(key_(?:pressed|down)\(Key::(\w+))");
  for (const SourceFile& file : source_files("app/panels"))
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), asked), end; at != end; ++at) {
      ASSERT_TRUE(spelled.contains((*at)[1])) << file.name << " " << (*at)[1];
      EXPECT_THAT(listed, HasSubstr(spelled.at((*at)[1]))) << file.name << " " << (*at)[1];
    }
}

}  // namespace headscope::tests

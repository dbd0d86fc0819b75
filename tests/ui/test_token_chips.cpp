#include "app/panels/widgets/glyphs.h"
#include "app/state/document/adjust.h"
#include "app/state/document/undo_steps.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/navigation.h"
#include "core/inputs/token_edit.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// The tokens of the sentence.
class TokenChipsOf : public AppFixture {
 protected:
  void say(const std::string& sentence) {
    app.inputs.sentence = sentence;
    frames(3);
  }
  /// A click with keys held, which arrive with the button as in the window.
  void click_with(const std::string& mark, bool ctrl, bool shift) {
    move(middle(mark));
    queue.push({.kind = Kind::button, .down = true, .ctrl = ctrl, .shift = shift});
    queue.push({.kind = Kind::button, .ctrl = ctrl, .shift = shift});
    queue.push({.kind = Kind::key, .key = Key::count});
    settle();
    pause();
  }
  void drag(const std::string& from, const std::string& to) {
    move(middle(from));
    button(true);
    settle();
    move(middle(to));
  }
  void open_menu(const std::string& mark) { click(middle(mark), 1); }
  void choose(const std::string& token, const std::string& entry) {
    open_menu(token);
    click("item " + entry);
  }
  void expect_row_of_caret() const {
    ASSERT_TRUE(app.state.lock);
    const Token& token = app.block()->tokens[app.state.lock->query];
    EXPECT_THAT(memory.texts.a.sentence.cursor.caret,
                AllOf(testing::Ge(token.begin), testing::Le(token.end)));
  }
  std::string tokens() const {
    std::string text;
    for (const Token& token : app.block()->tokens) text += (text.empty() ? "" : "|") + token.text;
    return text;
  }
};

TEST_F(TokenChipsOf, keys_represent_no_cell_while_the_queries_sentence_is_empty) {
  app.inputs.key_sentence = "one two three";
  say("");
  ASSERT_EQ(app.block()->n_q(), 0);
  for (const bool presented : {false, true}) {
    app.presentation.on = presented;
    for (int view = 0; view < 7; ++view) {
      press(Key::escape);
      app.state.view.kind = static_cast<ViewKind>(view);
      frames(3);
      for (const char* mark : {"key token 1", "key line token 1"})
        if (shows(mark)) {
          click(mark);
          press(Key::enter);
        }
      press_each({Key::down, Key::right});
      EXPECT_FALSE(app.state.lock.has_value()) << view;
      EXPECT_FALSE(app.state.hover.has_value()) << view;
    }
  }
  app.presentation.on = false;
  say("a b c");
  click("key token 1");
  EXPECT_THAT(app.state.lock, Optional(Field(&Cell::key, 1)));
}

TEST_F(TokenChipsOf, a_filter_that_leaves_no_query_leaves_its_keys_to_be_pointed_at) {
  app.inputs.key_sentence = "one two three";
  say("a b");
  app.state.view.filter.hidden_queries = {0, 1};
  for (int view = 0; view < 7; ++view) {
    app.state.view.kind = static_cast<ViewKind>(view);
    frames(3);
    if (shows("key token 1")) click("key token 1");
    press_each({Key::down, Key::right});
  }
}

TEST_F(TokenChipsOf, a_click_edits_there_and_locks_the_row_until_esc) {
  for (const int view : {0, 1, 2, 5}) {
    click("views " + std::to_string(view));
    const ImVec2 fourth = middle("token 4");
    click("token 3");
    EXPECT_TRUE(memory.texts.a.sentence.focused);
    EXPECT_THAT(app.state.lock, Optional(Field(&Cell::query, 3))) << view;
    EXPECT_FALSE(app.state.lines_of_key);
    press(Key::enter);
    EXPECT_THAT(app.state.lock, Optional(Field(&Cell::query, 3))) << "Enter keeps it";
    click("token 3");
    click(fourth);
    expect_row_of_caret();
    press_each({{Key::home}, {Key::right}});
    expect_row_of_caret();
    EXPECT_THAT(app.state.lock, Optional(Field(&Cell::query, 0))) << "the row follows the caret";
    press(Key::escape);
    EXPECT_FALSE(app.state.lock) << "Esc ends both at once";
    EXPECT_TRUE(shows("token 3"));
  }
}

TEST_F(TokenChipsOf, what_is_typed_after_a_click_stands_beside_the_token) {
  const auto at = place("token 1");
  click(at[0] + 2, middle("token 1").y);
  type(U"big ");
  EXPECT_TRUE(app.inputs.sentence.starts_with("The big animal"));
  ASSERT_TRUE(app.state.lock);
  press(Key::escape);
  EXPECT_TRUE(app.state.lock) << "the edit has ended, not what was looked at before";
  const auto end = place("token 2");
  click(end[2] - 2, middle("token 2").y);
  type(U"s");
  EXPECT_TRUE(app.inputs.sentence.starts_with("The big animals"));
}

TEST_F(TokenChipsOf, a_clickers_keys_go_on_while_the_text_has_the_keyboard) {
  ASSERT_TRUE(play_lesson(app, "temperature"));
  frames(5);
  ASSERT_TRUE(shows("token 1"));
  click("token 1");
  ASSERT_TRUE(memory.texts.a.sentence.focused);
  const int before = app.lesson.step;
  for (int i = 0; i < 10 && app.lesson.step == before; ++i) press(Key::page_down);
  EXPECT_EQ(app.lesson.step, before + 1);
}

TEST_F(TokenChipsOf, pointing_at_one_marks_its_row_in_the_maps) {
  move(middle("token 3"));
  EXPECT_THAT(app.state.hover, Optional(Field(&Cell::query, 3)));
}

TEST_F(TokenChipsOf, in_the_lines_its_lines_stay_alone) {
  click("views 2");
  click("token 3");
  const Scene scene = app.scene(app.block());
  EXPECT_EQ(token_alone(scene, *app.shown()).row, 3);
}

TEST_F(TokenChipsOf, keys_of_a_second_sentence_lock_their_column) {
  set_cross(app.inputs, true);
  frames(3);
  click("key token 2");
  EXPECT_THAT(app.state.lock, Optional(Field(&Cell::key, 2)));
  EXPECT_TRUE(app.state.lines_of_key);
  press(Key::escape);
  EXPECT_FALSE(app.state.lock);
}

TEST_F(TokenChipsOf, a_drag_filters_while_it_lasts) {
  const Filter& filter = app.state.view.filter;
  drag("token 2", "token 4");
  EXPECT_EQ(filter.queries, (TokenRange{2, 5})) << "shown live";
  EXPECT_EQ(filter.keys, (TokenRange{2, 5}));
  move(middle("token 3"));
  EXPECT_EQ(filter.keys, (TokenRange{2, 4}));
  move(middle("token 2"));
  EXPECT_FALSE(filter.on()) << "back where it began";
  move(middle("token 0"));
  button(false);
  settle();
  EXPECT_EQ(filter.queries, (TokenRange{0, 3}));
  EXPECT_FALSE(app.state.lock) << "no click";
  click("token 1");
  EXPECT_TRUE(app.state.lock) << "one that is shown is chosen";
  press(Key::escape);
  click("token 5");
  EXPECT_FALSE(filter.on()) << "one that is left out brings all back";
}

TEST_F(TokenChipsOf, of_one_sentence_of_two_are_filtered_alone) {
  set_cross(app.inputs, true);
  frames(3);
  drag("key token 1", "key token 2");
  button(false);
  settle();
  EXPECT_EQ(app.state.view.filter.keys, (TokenRange{1, 3}));
  EXPECT_FALSE(app.state.view.filter.queries);
}

TEST_F(TokenChipsOf, marks_are_set_with_shift_and_by_the_menu) {
  click("Padding");
  click_with("token 8", false, true);
  EXPECT_EQ(find_part(app.inputs, MaskKind::padding)->tokens, std::vector{8});
  click("token 9");
  EXPECT_EQ(find_part(app.inputs, MaskKind::padding)->tokens, std::vector{8}) << "a click alone marks none";
  press(Key::escape);
  choose("token 9", "mark padding");
  EXPECT_EQ(find_part(app.inputs, MaskKind::padding)->tokens, (std::vector{8, 9}));
  click("Padding");
  EXPECT_FALSE(app.block()->mask.any());
  choose("token 1", "mark global");  // switches it on
  EXPECT_EQ(find_part(app.inputs, MaskKind::global)->tokens, std::vector{1});
  click("Padding");
  click_with("token 2", true, false);
  EXPECT_EQ(find_part(app.inputs, MaskKind::global)->tokens, (std::vector{1, 2}));
}

TEST_F(TokenChipsOf, the_menu_splits_and_joins) {
  say("我在河岸边");
  ASSERT_EQ(tokens(), "我在|河|岸边");
  choose("token 1", "join next");
  EXPECT_EQ(tokens(), "我在|河岸边");
  choose("token 1", "split 1");
  EXPECT_EQ(tokens(), "我在|河|岸边");
  choose("token 0", "split 1");
  EXPECT_EQ(tokens(), "我|在|河|岸边");
  choose("token 2", "join previous");
  EXPECT_EQ(tokens(), "我|在河|岸边");
  undo(app);
  frames(3);
  EXPECT_EQ(tokens(), "我|在|河|岸边");
  EXPECT_EQ(app.session().inputs.splits, std::set{1}) << "kept in the session";
  choose("token 0", "reset tokens");
  EXPECT_EQ(tokens(), "我在|河|岸边");
}

TEST_F(TokenChipsOf, a_letter_with_its_marks_is_one) {
  say("a\xCC\x81o\xCC\x81");
  open_menu("token 0");
  EXPECT_TRUE(shows("item split 1"));
  EXPECT_FALSE(shows("item split 2"));
}

TEST_F(TokenChipsOf, the_menu_of_a_long_word_stays_in_the_window) {
  say(std::string(5000, 'a'));
  open_menu("token 0");
  EXPECT_LE(place("item reset tokens")[3], ImGui::GetIO().DisplaySize.y);
  click("item split 3");
  EXPECT_EQ(app.block()->tokens[0].text, "aaa");
  EXPECT_FALSE(memory.popup_open);
}

TEST_F(TokenChipsOf, the_menu_key_opens_it) {
  press(Key::f6);
  while (app.state.panel != Panel::tokens) press(Key::f6);
  press(Key::right);
  press(Key::menu);
  EXPECT_TRUE(shows("item join next"));
}

TEST_F(TokenChipsOf, what_is_typed_elsewhere_keeps_the_splits) {
  say("我在河岸边");
  choose("token 2", "split 1");
  press_each({{Key::l, true}, {Key::home, true}});
  type(U"今天");
  EXPECT_THAT(tokens(), EndsWith("岸|边"));
  EXPECT_EQ(app.inputs.splits, std::set{6});
  press_each({{Key::a, true}, Key::del});
  EXPECT_TRUE(app.inputs.splits.empty());
  EXPECT_FALSE(app.runners.a.error());
}

TEST_F(TokenChipsOf, nothing_jumps_when_the_first_letter_is_typed) {
  const auto places = [&] {
    std::map<std::string, std::array<float, 4>> kept;
    for (const auto& [name, rect] : ui_anchors.rects())
      for (const char* start : {"panel ", "views ", "tokens", "Top", "At least", "order of heads", "Divide",
                                "temperature", "section "})
        if (name.starts_with(start)) kept[name] = rect;
    return kept;
  };
  press_each({{Key::l, true}, {Key::a, true}, Key::del});
  ASSERT_EQ(app.block()->n_q(), 0);
  ASSERT_TRUE(shows("placeholder"));
  const auto empty = places();
  type(U"a");
  EXPECT_FALSE(shows("placeholder"));
  EXPECT_EQ(places(), empty);
}

}  // namespace headscope::tests

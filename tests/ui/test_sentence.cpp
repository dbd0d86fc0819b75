#include "app/state/document/figure_export.h"
#include "app/state/document/undo_steps.h"
#include "core/scene/view_kinds.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

class Sentence : public AppFixture {
 protected:
  void start_over() { press_each({{Key::l, true}, {Key::a, true}}); }
};

TEST_F(Sentence, every_keystroke_is_seen) {
  start_over();
  type(U"to be");
  EXPECT_EQ(app.inputs.sentence, "to be");
  EXPECT_EQ(app.block()->n_q(), 2);
  press(Key::backspace);
  EXPECT_EQ(app.inputs.sentence, "to b");
  EXPECT_EQ(app.block()->tokens[1].text, "b");
}

TEST_F(Sentence, its_tokens_are_the_field_that_edits_it) {
  const auto at_rest = place("sentence");
  move(middle("token 1"));
  for (const bool down : {true, false, true, false}) button(down);
  settle();
  EXPECT_FALSE(shows("token 1"));
  EXPECT_EQ(place("sentence"), at_rest) << "nothing moves";
  type(U"cat");
  EXPECT_EQ(app.inputs.sentence, "The cat didn't cross the street because it was tired");
  press(Key::escape);
  EXPECT_TRUE(shows("token 1"));
  click((place("token 9")[2] + place("edit sentence")[0]) / 2, middle("token 9").y);
  EXPECT_TRUE(memory.texts.a.sentence.focused) << "a click behind the last token";
  type(U" now");
  press(Key::enter);
  EXPECT_TRUE(app.inputs.sentence.ends_with("was tired now"));
  EXPECT_TRUE(shows("token 10"));
  click("token 3");
  EXPECT_EQ(app.state.lock->query, 3) << "a click on a token locks its row";
}

TEST_F(Sentence, any_text_can_be_pasted_and_looked_at) {
  add_zero_width_glyphs();
  std::string marks = "e", lines = "a";
  for (int i = 0; i < 20'000; ++i) marks += "\xCC\x81";
  for (int i = 0; i < 3000; ++i) lines += "\nab";
  for (const std::string& text : {marks, std::string(50'000, 'a'), lines}) {
    clipboard = text;
    start_over();
    press(Key::v, true);
    EXPECT_EQ(app.inputs.sentence, text);
    press(Key::escape);
    move(middle("token 0"));
    frames(2);
    for (const ViewKindRow& view : view_kinds) {
      app.state.view.kind = view.value;
      app.state.lock = Cell{0, 0, 0};
      frames(3);
    }
    app.state.view.kind = ViewKind::grid;
  }
}

TEST_F(Sentence, any_text_can_be_pasted_into_a_title) {
  add_zero_width_glyphs();
  for (int i = 0; i < 20'000; ++i) app.state.view.title += "\xCC\x81";
  open_export(app, ExportDialog::What::figure);
  frames(3);
  clipboard = app.state.view.title + app.state.view.title;
  click("title");
  press_each({{Key::a, true}, {Key::v, true}});
  frames(2);
  EXPECT_LE(app.state.view.title.size(), 4000U);
}

TEST_F(Sentence, keeps_characters_beyond_sixteen_bits) {
  start_over();
  type(U"猫 \U0001F600 ok");
  EXPECT_EQ(app.inputs.sentence, "猫 \xF0\x9F\x98\x80 ok");
  press_each({{Key::a, true}, {Key::c, true}});
  EXPECT_EQ(clipboard, app.inputs.sentence);
  type(U"x");
  press(Key::v, true);
  EXPECT_EQ(app.inputs.sentence, "x猫 \xF0\x9F\x98\x80 ok");
}

TEST_F(Sentence, caret_moves_and_selects) {
  start_over();
  type(U"one two");
  press(Key::left, true);
  type(U"big ");
  EXPECT_EQ(app.inputs.sentence, "one big two");
  press_each({Key::home, {Key::right, true, true}, {Key::x, true}});
  EXPECT_EQ(app.inputs.sentence, "big two");
  EXPECT_EQ(clipboard, "one ");
  press_each({Key::end, {Key::backspace, true}});
  EXPECT_EQ(app.inputs.sentence, "big ");
  press(Key::del);
  EXPECT_EQ(app.inputs.sentence, "big ");
}

TEST_F(Sentence, keys_of_the_box_do_not_move_elsewhere) {
  click("heads more");
  const auto before = place("heads more");
  start_over();
  press_each({Key::end, Key::down});
  type(U"x");
  EXPECT_TRUE(memory.texts.a.sentence.focused);
  EXPECT_EQ(place("heads more"), before);
}

TEST_F(Sentence, escape_leaves_the_box_before_anything_else) {
  app.state.lock = Cell{0, 1, 2};
  press(Key::l, true);
  EXPECT_TRUE(memory.texts.a.sentence.focused);
  press(Key::escape);
  EXPECT_FALSE(memory.texts.a.sentence.focused);
  EXPECT_TRUE(app.state.lock);
  press(Key::escape);
  EXPECT_FALSE(app.state.lock);
}

TEST_F(Sentence, the_right_button_selects_and_pastes) {
  const ImVec2 beside{place("edit sentence")[0] - 30, middle("sentence").y};
  const auto choose = [&](const char* entry) {
    move(beside);
    for (const bool down : {true, false}) {
      button(down, 1);
      settle();
    }
    click(entry);
  };
  clipboard = "by mouse";
  choose("edit select all");
  choose("edit paste");
  EXPECT_EQ(app.inputs.sentence, "by mouse");
}

TEST_F(Sentence, empty_is_a_friendly_state_and_too_long_an_error_in_place) {
  start_over();
  press(Key::del);
  EXPECT_EQ(app.inputs.sentence, "");
  EXPECT_FALSE(app.runners.a.error());
  clipboard = sentence_of(70000, "word", false);
  press(Key::v, true);
  EXPECT_EQ(app.inputs.sentence.size(), 350000U);
  EXPECT_TRUE(app.runners.a.error());
  press(Key::a, true);
  type(U"fine");
  EXPECT_FALSE(app.runners.a.error());
  EXPECT_EQ(app.block()->n_q(), 1);
}

TEST_F(Sentence, words_that_change_no_map_are_reported_in_place_and_can_be_made_to_count) {
  app.inputs.sentence = "cats chase mice";
  for (int i = 0; i < 4; ++i) pause();  // typing after it is another run
  EXPECT_FALSE(shows("use embedding"));
  const auto before = place("sentence");
  start_over();
  press(Key::home);
  press(Key::del);
  type(U"b");
  ASSERT_TRUE(shows("use embedding"));
  EXPECT_TRUE(shows("text has no effect"));
  EXPECT_EQ(place("sentence"), before) << "nothing moves";
  click("use embedding");
  EXPECT_EQ(app.inputs.vectors, VectorKind::embedding);
  EXPECT_EQ(app.inputs.sentence, "bats chase mice");
  EXPECT_FALSE(shows("use embedding"));
  undo(app);
  frames(2);
  EXPECT_EQ(app.inputs.vectors, VectorKind::randn);
  EXPECT_EQ(app.inputs.sentence, "bats chase mice");
}

TEST_F(Sentence, the_button_that_makes_words_count_is_there_in_a_narrow_window) {
  ImGui::GetIO().DisplaySize = {640, 480};
  app.inputs.sentence = "cats chase mice";
  frames(2);
  app.inputs.sentence = "dogs chase mice";
  frames(3);
  const auto [left, top, right, bottom] = place("use embedding");
  EXPECT_GE(left, 0);
  EXPECT_LE(right, 640);
}

TEST_F(Sentence, an_info_goes_from_the_status_bar_by_itself) {
  app.state.lock = Cell{0, 1, 2};
  run_action(app, "copy cell");
  frames(2);
  EXPECT_TRUE(shows("dismiss"));
  for (int i = 0; i < 9; ++i) pause();
  EXPECT_FALSE(shows("dismiss"));
}

}  // namespace headscope::tests

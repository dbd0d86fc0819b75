#include "app/panels/sentence.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

TEST(TextEdit, steps_over_what_is_one_character_to_a_reader) {
  const std::string text =
      "a\xCC\x81\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9z";  // á, two emoji joined, z
  EXPECT_EQ(next_character(text, 0), 3U);
  EXPECT_EQ(next_character(text, 3), 14U);
  EXPECT_EQ(previous_character(text, 14), 3U);
  EXPECT_EQ(previous_character(text, 3), 0U);
  EXPECT_EQ(previous_character(text, text.size()), 14U);
}

TEST(TextEdit, pasted_bytes_become_utf8) {
  EXPECT_EQ(clean_text("a\r\nb\rc\x01\x7F\xFF\xC0\xAF"), "a\nb\nc\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(clean_text("\xF0\x9F\x98\x80 猫"), "\xF0\x9F\x98\x80 猫");
}

TEST(TextEdit, wraps_at_spaces_and_between_chinese_characters) {
  WrappedText wrapped;
  const auto one = [](char32_t) { return 1.0F; };
  const auto lines = [&](std::string_view text, float width) {
    wrapped.wrap(text, width, one);
    std::vector<std::string> list;
    for (const TextLine& l : wrapped.lines()) list.emplace_back(text.substr(l.begin, l.end - l.begin));
    return list;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines("", 5), Lines{""});
  EXPECT_EQ(lines("one two three", 8), (Lines{"one two ", "three"}));
  EXPECT_EQ(lines("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(lines("猫坐在垫子上", 4), (Lines{"猫坐在垫", "子上"}));
  EXPECT_EQ(lines("猫坐在垫。子上", 4), (Lines{"猫坐在", "垫。子上"}));  // no line begins with a full stop
  EXPECT_EQ(lines("a\n\nb", 9), (Lines{"a", "", "b"}));
}

TEST(TextEdit, every_character_lies_on_exactly_one_line) {
  const std::string text = "The quick 棕色的狐狸 jumps\nover  the lazy dog, twice. Donaudampfschifffahrt";
  for (float width = 1; width < 30; ++width) {
    WrappedText wrapped;
    wrapped.wrap(text, width, [](char32_t) { return 1.0F; });
    std::string joined;
    std::size_t at = 0;
    for (const TextLine& line : wrapped.lines()) {
      if (at < line.begin) joined += text.substr(at, line.begin - at);  // the line end itself
      joined += text.substr(line.begin, line.end - line.begin);
      at = line.end;
    }
    EXPECT_EQ(joined, text) << width;
  }
}

class Sentence : public AppFixture {
 protected:
  void start_over() {
    press(Key::l, true);
    press(Key::a, true);
  }
};

TEST_F(Sentence, every_keystroke_is_seen) {
  start_over();
  type(U"to be");
  EXPECT_EQ(app.inputs.sentence, "to be");
  EXPECT_EQ(app.runner.trace()->n_q(), 2);
  press(Key::backspace);
  EXPECT_EQ(app.inputs.sentence, "to b");
  EXPECT_EQ(app.runner.trace()->tokens[1].text, "b");
}

TEST_F(Sentence, keeps_characters_beyond_sixteen_bits) {
  start_over();
  type(U"猫 \U0001F600 ok");
  EXPECT_EQ(app.inputs.sentence, "猫 \xF0\x9F\x98\x80 ok");
  press(Key::a, true);
  press(Key::c, true);
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
  press(Key::home);
  press(Key::right, true, true);
  press(Key::x, true);
  EXPECT_EQ(app.inputs.sentence, "big two");
  EXPECT_EQ(clipboard, "one ");
  press(Key::end);
  press(Key::backspace, true);
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
  EXPECT_TRUE(app.sentence_box->focused);
  EXPECT_EQ(place("heads more"), before);
}

TEST_F(Sentence, escape_leaves_the_box_before_anything_else) {
  app.state.lock = Cell{0, 1, 2};
  press(Key::l, true);
  EXPECT_TRUE(app.sentence_box->focused);
  press(Key::escape);
  EXPECT_FALSE(app.sentence_box->focused);
  EXPECT_TRUE(app.state.lock);
  press(Key::escape);
  EXPECT_FALSE(app.state.lock);
}

TEST_F(Sentence, the_right_button_selects_and_pastes) {
  const auto [left, top, right, bottom] = place("token 0");
  const auto choose = [&, x = left + 30, y = top - 16](const char* entry) {
    click(x, y, 1);  // the box stands above its tokens
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
  EXPECT_FALSE(app.runner.error());
  clipboard.clear();
  for (int i = 0; i < 20000; ++i) clipboard += "word ";
  press(Key::v, true);
  EXPECT_EQ(app.inputs.sentence.size(), 100000U);
  EXPECT_TRUE(app.runner.error());
  press(Key::a, true);
  type(U"fine");
  EXPECT_FALSE(app.runner.error());
  EXPECT_EQ(app.runner.trace()->n_q(), 1);
}

}  // namespace headscope::tests

#include "app/state/text/text_edit.h"
#include "tests/support/testing.h"

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
  const char* const call = "(torch.manual_seed(42)). So";
  EXPECT_EQ(lines(call, 24), (Lines{"(torch.manual_seed(42)). ", "So"}));
  EXPECT_EQ(lines(call, 23), (Lines{"(torch.manual_", "seed(42)). So"})) << "no line begins with a full stop";
  EXPECT_EQ(lines(call, 12), (Lines{"(torch.", "manual_", "seed(42)). ", "So"}));
  EXPECT_EQ(lines("abcdef)).", 8), (Lines{"abcde", "f))."}));
  EXPECT_EQ(lines("猫坐在垫子上", 4), (Lines{"猫坐在垫", "子上"}));
  EXPECT_EQ(lines("猫坐在垫。子上", 4), (Lines{"猫坐在", "垫。子上"}));  // no line begins with a full stop
  EXPECT_EQ(lines("猫坐（垫）子上", 3), (Lines{"猫坐", "（垫）", "子上"}))
      << "no line ends with an opening bracket";
  EXPECT_EQ(lines("猫（torch.manual_seed(42)）。子", 24), (Lines{"猫", "（torch.manual_seed(42)）。", "子"}));
  EXPECT_EQ(lines("a\n\nb", 9), (Lines{"a", "", "b"}));
}

TEST(TextEdit, every_character_is_on_exactly_one_line) {
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

}  // namespace headscope::tests

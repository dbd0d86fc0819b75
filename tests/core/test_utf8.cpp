#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(Printable, nothing_moves_a_cursor_or_forges_a_line) {
  EXPECT_EQ(printable("猫 é \xF0\x9F\x98\x80 \\"), "猫 é \xF0\x9F\x98\x80 \\");
  EXPECT_EQ(printable("a\x1b[2J\nb\t\r\x7f"), "a\\x1b[2J\\nb\\t\\r\\x7f");
  EXPECT_EQ(printable("\xc2\x85 \xe2\x80\xae \xe2\x80\xa8"), "\\u0085 \\u202e \\u2028");
  EXPECT_EQ(printable("\xff \xe7\x8c"), "\\xff \\xe7\\x8c");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable_lines("a\tb\n\x1b[2J\n\xe2\x80\xae"), "a\tb\n\\x1b[2J\n\\u202e");
}

TEST(Printable, every_message_is) {
  const Error error = input_error("{} does not exist", "a\nb");
  EXPECT_STREQ(error.what(), "a\\nb does not exist");
  EXPECT_EQ(Translator(Language::zh)(error), "a\\nb 不存在");
  EXPECT_EQ(Translator()("{}!", "\x1b"), "\\x1b!");
}

TEST(Noncharacters, are_replaced_and_nothing_else_is) {
  EXPECT_EQ(without_noncharacters("a\uffff猫\ufdd0\U0001fffe\ufdf0"), "a\ufffd猫\ufffd\ufffd\ufdf0");
  EXPECT_EQ(without_noncharacters("\ufdcf\ufffd\ue000"), "\ufdcf\ufffd\ue000");
}

TEST(CutOff, between_characters) {
  EXPECT_EQ(cut_off("猫猫猫", 9), "猫猫猫");
  EXPECT_EQ(cut_off("猫猫猫", 8), "猫…");
  EXPECT_EQ(cut_off("abcdef", 5), "ab…");
  EXPECT_EQ(cut_off("abcdef", 1), "…");
}

}  // namespace headscope::tests

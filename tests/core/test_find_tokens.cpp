#include "core/text/find_tokens.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

std::vector<FoundTokens> found_in(const char* text, const char* wanted) {
  return find_tokens(words(text), wanted);
}

}  // namespace

TEST(FindTokens, finds_words_and_parts_of_words_whatever_their_case) {
  const char* text = "The cat saw the other CAT.";
  EXPECT_THAT(found_in(text, "cat"), ElementsAre(FoundTokens{1, 1}, FoundTokens{5, 5}));
  EXPECT_THAT(found_in(text, "THE"), ElementsAre(FoundTokens{0, 0}, FoundTokens{3, 3}, FoundTokens{4, 4}));
  EXPECT_THAT(found_in("Straße", "STRASSE"), ElementsAre(FoundTokens{0, 0}));
  EXPECT_THAT(found_in(text, "dog"), IsEmpty());
  EXPECT_THAT(found_in(text, "  "), IsEmpty());
  EXPECT_THAT(found_in("", "cat"), IsEmpty());
}

TEST(FindTokens, finds_phrases_from_the_beginning_of_a_token) {
  EXPECT_THAT(found_in("that he saw the cat", "the cat"), ElementsAre(FoundTokens{3, 4}));
  EXPECT_THAT(found_in("that he saw the cat", "the c"), ElementsAre(FoundTokens{3, 4}))
      << "while it is typed";
  EXPECT_THAT(found_in("that he", "the"), IsEmpty()) << "no word begins there";
  EXPECT_THAT(found_in("我喜欢自然语言处理", "自然语言"), Not(IsEmpty()));
}

TEST(FindTokens, finds_a_token_by_its_number) {
  EXPECT_THAT(found_in("a b c", "#2"), ElementsAre(FoundTokens{1, 1}));
  EXPECT_THAT(found_in("a b c", " 3 "), ElementsAre(FoundTokens{2, 2}));
  EXPECT_THAT(found_in("a b 2", "2"), ElementsAre(FoundTokens{2, 2})) << "the text comes first";
  EXPECT_THAT(found_in("a b c", "0"), IsEmpty());
  EXPECT_THAT(found_in("a b c", "4"), IsEmpty());
  EXPECT_THAT(found_in("a b c", "99999999999999999999"), IsEmpty());
}

TEST(FindTokens, goes_through_a_long_text_in_one_go) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "aaaa ";
  EXPECT_EQ(found_in(text.c_str(), "aaaa").size(), 20'000U);
  EXPECT_EQ(found_in(text.c_str(), "a").size(), 20'000U) << "once a token";
}

}  // namespace headscope::tests

#include <clocale>

#include "core/base/utf8.h"
#include "core/inputs/inputs.h"
#include "core/text/token_label.h"
#include "core/text/words.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// A field of each token.
template <typename Field>
std::vector<Field> fields(std::string_view text, Field Token::*field) {
  std::vector<Field> result;
  for (const Token& token : words(text)) result.push_back(token.*field);
  return result;
}
std::vector<std::string> texts(std::string_view text) {
  return fields(text, &Token::text);
}
std::vector<int> sentences(std::string_view text) {
  return fields(text, &Token::sentence);
}

TEST(Words, notebook_sentence_has_exactly_ten) {
  EXPECT_EQ(texts(notebook_sentence), split("The animal didn't cross the street because it was tired"));
}

TEST(Words, contractions_stay_whole_with_either_apostrophe) {
  EXPECT_THAT(texts("don't don’t l'homme we’ll've"), ElementsAre("don't", "don’t", "l'homme", "we’ll've"));
}

TEST(Words, punctuation_is_a_token_and_white_space_none) {
  EXPECT_EQ(texts("  Yes,\tno:  \r\n3.14! \u00a0\u3000(a-b)…\n"), split("Yes , no : 3.14 ! ( a - b ) …"));
}

TEST(Words, chinese_is_split_by_the_dictionary) {
  const auto cat = texts("猫坐在垫子上");
  EXPECT_GE(cat.size(), 3U);
  EXPECT_LT(cat.size(), 6U);
  EXPECT_EQ(cat.front(), "猫");
  EXPECT_THAT(texts("我喜欢深度学习。"), Contains("喜欢"));
  EXPECT_EQ(texts("我喜欢深度学习。").back(), "。");
}

TEST(Words, japanese_thai_and_korean_have_words_too) {
  EXPECT_GT(texts("吾輩は猫である").size(), 2U);
  EXPECT_GT(texts("ภาษาไทยสนุก").size(), 1U);
  EXPECT_THAT(texts("안녕 세상"), ElementsAre("안녕", "세상"));
}

TEST(Words, right_to_left_in_logical_order_without_direction_marks) {
  EXPECT_THAT(texts("שלום עולם!"), ElementsAre("שלום", "עולם", "!"));
  EXPECT_THAT(texts("القط جلس"), ElementsAre("القط", "جلس"));
  EXPECT_THAT(texts("\u200fשלום\u200f שלום"), ElementsAre("שלום", "שלום"));
}

TEST(Words, combining_marks_and_emoji_sequences_stay_together) {
  EXPECT_THAT(texts("cafe\u0301 e\u0302\u0323"), ElementsAre("cafe\u0301", "e\u0302\u0323"));
  EXPECT_EQ(texts("👩‍👩‍👧‍👦 👍🏽 🇨🇳🇫🇷 1️⃣ ❤️"),
            split("👩‍👩‍👧‍👦 👍🏽 🇨🇳 🇫🇷 1️⃣ ❤️"));
  EXPECT_THAT(texts("a \u0301b"), ElementsAre("a", "\u0301", "b"));
}

TEST(Words, what_cannot_be_seen_is_no_token) {
  EXPECT_THAT(texts(""), IsEmpty());
  EXPECT_THAT(texts(" \t\r\n\u2028\u00a0"), IsEmpty());
  EXPECT_THAT(texts(std::string_view("\0\x01\x7f\u200b\ufeff\u2060\ufe0f\u200d", 18)), IsEmpty());
  EXPECT_THAT(texts(std::string_view("a\0b", 3)), ElementsAre("a", "b"));
}

TEST(Words, bytes_lead_back_to_the_sentence) {
  const std::string sentence = " 猫 don’t 👩‍👧! \u200fשלום\u200f";
  std::size_t last = 0;
  for (const Token& token : words(sentence)) {
    EXPECT_EQ(sentence.substr(token.begin, token.end - token.begin), token.text);
    EXPECT_GE(token.begin, last);
    last = token.end;
  }
}

// Any text: tokens are in order, and nothing visible is between them.
TEST(Words, every_visible_character_of_random_text_is_in_one_token) {
  const std::vector<std::string> pieces{
      "a",      "Z",      "1",      ".",      "'",      "’",      "-",      " ",  "\t", "\n",
      "\u00a0", "\u0301", "\u200b", "\u200d", "\u200f", "\ufe0f", "\u00ad", "猫", "子", "か",
      "カ",     "ก",      "า",      "ש",      "ل",      "👩",      "🏽",   "🇨",  "🇳",  "한",
      "\u0e33", "क",      "\u094d", "\u3000", "😀",      "(",      "。",     "…"};
  const std::vector<std::string> unseen{" ",      "\t",     "\n",     "\u00a0", "\u200b",
                                        "\u200d", "\u200f", "\ufe0f", "\u00ad", "\u3000"};
  std::mt19937 generator(9);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (auto length = generator() % 14; length > 0; --length) text += pieces[generator() % pieces.size()];
    std::string between;
    std::size_t at = 0;
    int sentence = 0;
    for (const Token& token : words(text)) {
      ASSERT_LE(at, token.begin) << text;
      ASSERT_LT(token.begin, token.end) << text;
      ASSERT_GE(token.sentence, sentence) << text;
      ASSERT_EQ(text.substr(token.begin, token.end - token.begin), token.text);
      between += text.substr(at, token.begin - at);
      at = token.end;
      sentence = token.sentence;
    }
    between += text.substr(at);
    for (const std::string& piece : unseen)
      for (auto i = between.find(piece); i != std::string::npos; i = between.find(piece))
        between.erase(i, piece.size());
    ASSERT_EQ(between, "") << text;
  }
}

TEST(Words, sentences_are_counted_and_empty_lines_are_not) {
  EXPECT_THAT(sentences("One two. Three! Four"), ElementsAre(0, 0, 0, 1, 1, 2));
  EXPECT_THAT(sentences("\n\nOne.\n\n\nTwo"), ElementsAre(0, 0, 1));
  EXPECT_THAT(sentences("猫。狗。"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(sentences("猫！狗？鸟"), ElementsAre(0, 0, 1, 1, 2));
}

TEST(Words, lower_case_sentences_end_at_their_marks_too) {
  EXPECT_THAT(sentences("a b. c! d? e"), ElementsAre(0, 0, 0, 1, 1, 2, 2, 3));
  EXPECT_THAT(sentences("a . b"), ElementsAre(0, 0, 1));
  EXPECT_THAT(sentences(". a"), ElementsAre(0, 1));
  // No sentence end: an abbreviation, an ellipsis, a number, a mark inside a word.
  EXPECT_THAT(sentences("see e.g. this"), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(sentences("well... maybe"), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(sentences("pi is 3.14 here"), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(sentences("no.space yes"), ElementsAre(0, 0));
}

TEST(Words, invalid_utf8_is_refused_with_the_byte) {
  EXPECT_EQ(find_invalid_utf8("héllo 猫 👍"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("ab\xff"), 2U);
  EXPECT_EQ(find_invalid_utf8("猫\xe7\x8c"), 3U);         // cut
  EXPECT_EQ(find_invalid_utf8("a\xc0\xaf"), 1U);          // overlong
  EXPECT_EQ(find_invalid_utf8("a\xed\xa0\x80"), 1U);      // surrogate
  EXPECT_EQ(find_invalid_utf8("a\xf4\x90\x80\x80"), 1U);  // beyond U+10FFFF
  EXPECT_THAT(complaint([] { words("ab \xff"); }), AllOf(HasSubstr("byte 3"), HasSubstr("0xFF")));
}

TEST(Words, a_hundred_thousand_characters) {
  std::string english, chinese;
  while (english.size() < 100000) english += "word, ";
  while (chinese.size() < 300000) chinese += "猫坐在垫子上";
  EXPECT_EQ(words(english).size(), 2 * (english.size() / 6));
  EXPECT_GT(words(chinese).size(), 50000U);
}

TEST(Words, do_not_depend_on_the_locale) {
  const auto before = texts("猫坐在垫子上 don't");
  setenv("LC_ALL", "th_TH.UTF-8", 1);
  std::setlocale(LC_ALL, "");
  EXPECT_EQ(texts("猫坐在垫子上 don't"), before);
}

TEST(TokenLabel, makes_visible_what_is_alone) {
  EXPECT_EQ(token_label(" "), "·");
  EXPECT_EQ(token_label(" the cat\n"), "·the·cat↵");
  EXPECT_EQ(token_label("<unk> (the bridge)"), "<unk> (the·bridge)") << "a token and the word in its place";
  EXPECT_EQ(token_label("a\t\xE2\x80\x8B"), "a<9><200B>");
  EXPECT_EQ(token_label("猫 ⟨E7⟩"), "猫·⟨E7⟩");
  EXPECT_EQ(token_label(token_label(" \n")), "·↵");
}

TEST(RepeatedTokens, are_distinguished_by_their_places) {
  const std::vector<Token> tokens = words("the cat and the dog");
  EXPECT_EQ(number_of_repeated(tokens, 0), " (1)");
  EXPECT_EQ(number_of_repeated(tokens, 3), " (4)");
  EXPECT_EQ(number_of_repeated(tokens, 1), "");
}

}  // namespace headscope::tests

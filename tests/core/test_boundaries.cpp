#include "core/inputs/token_edit.h"
#include "core/session/session.h"
#include "core/text/boundaries.h"
#include "tests/support/testing.h"

namespace headscope::tests {

std::string joined_tokens(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += (text.empty() ? "" : "|") + token.text;
  return text;
}

TEST(Boundaries, split_and_join_the_words_of_a_text) {
  const struct {
    const char* text;
    std::set<int> splits, joins;
    const char* tokens;
  } cases[] = {
      {"我在河岸边", {}, {}, "我在|河|岸边"},
      {"我在河岸边", {1}, {}, "我|在|河|岸边"},
      {"我在河岸边", {1, 4}, {}, "我|在|河|岸|边"},
      {"我在河岸边", {}, {3}, "我在|河岸边"},
      {"我在河岸边", {4}, {3}, "我在|河岸|边"},
      {"in New York", {}, {7}, "in|New York"},
      {"in New York", {}, {3, 7}, "in New York"},
      {"in New York", {8}, {7}, "in|New Y|ork"},
      {"in New York", {6}, {7}, "in|New|York"},  // no token begins or ends with a space
      {"in New York", {7}, {7}, "in|New|York"},
      {"in New York", {2, 3}, {1, 2}, "in|New|York"},  // nothing to split or to join there
      {"\xF0\x9F\x98\x80\xF0\x9F\x98\x80 a", {1}, {}, "\xF0\x9F\x98\x80|\xF0\x9F\x98\x80|a"},
      {"a\xE2\x80\x8D", {1}, {}, "a"},  // a joiner alone is invisible
      {"", {1}, {1}, ""},
  };
  for (const auto& [text, splits, joins, tokens] : cases)
    EXPECT_EQ(joined_tokens(apply({splits, joins}, words(text), text)), tokens)
        << text << PrintToString(splits) << PrintToString(joins);
}

TEST(Boundaries, tokens_are_where_they_are_in_the_text) {
  const std::string text = "One. Two three";
  for (const Token& token : apply({{7}, {5, 9}}, words(text), text))
    EXPECT_EQ(token.text, text.substr(token.begin, token.end - token.begin));
}

TEST(Boundaries, sentences_keep_numbers_without_a_gap) {
  const std::string text = "A. B. C.";
  std::vector<int> sentences;
  for (const Token& token : apply({{}, {3, 4}}, words(text), text)) sentences.push_back(token.sentence);
  EXPECT_THAT(sentences, ElementsAre(0, 0, 1, 1));
}

TEST(Boundaries, stay_where_the_text_around_them_stays) {
  const struct {
    const char *before, *after;
    std::set<int> boundaries, kept;
  } cases[] = {
      {"河岸边", "在河岸边", {1}, {2}},
      {"河岸边", "河岸边上", {1}, {1}},
      {"河岸边", "河x岸边", {1}, {}},
      {"河岸边", "岸边", {1}, {}},
      {"河岸边", "河岸", {1, 2}, {1}},
      {"ab cd ef", "ab X ef", {1, 4, 7}, {1, 6}},
      {"ab cd ef", "ab cd ef", {1, 4, 7}, {1, 4, 7}},
      {"ab", "", {1}, {}},
      {"\xE6\xB2\xB3\xE5\xB2\xB8", "\xE6\xB2\xB3\xE5\xB2\xB9", {1}, {}},  // they differ in their last byte
  };
  for (const auto& [before, after, boundaries, kept] : cases)
    EXPECT_EQ(moved_boundaries(boundaries, before, after), kept) << before << " → " << after;
}

TEST(Boundaries, beyond_the_sentence_are_refused_in_a_line) {
  Inputs inputs;
  inputs.sentence = "河岸边";
  for (const int place : {0, 3, 1 << 20}) {
    inputs.splits = {place};
    EXPECT_THAT(complaint([&] { tokens_of(inputs); }),
                AllOf(HasSubstr("splits is"), HasSubstr("3 characters")));
  }
  inputs.splits = {};
  inputs.key_sentence = "岸边";
  inputs.key_joins = {2};
  EXPECT_THAT(complaint([&] { tokens_of(inputs); }), HasSubstr("key_joins is 2"));
  for (const char* splits : {"3", "[-1]", "[\"a\"]", "[0.5]", "{}"})
    EXPECT_THAT(complaint([&] {
                  session_from_json(fmt::format(R"({{"version": 1, "splits": {}}})", splits), "s.json");
                }),
                HasSubstr("s.json: splits"));
}

class TokenEdit : public testing::Test {
 protected:
  TokenEdit() { inputs.sentence = "我在河岸边 in New York"; }
  std::string tokens(bool keys = false) const {
    const InputTokens all = tokens_of(inputs);
    return joined_tokens(keys ? all.keys : all.queries);
  }
  Inputs inputs;
};

TEST_F(TokenEdit, splits_joins_and_goes_back) {
  split_token(inputs, false, 3);  // bytes
  EXPECT_EQ(tokens(), "我|在|河|岸边|in|New|York");
  EXPECT_THAT(inputs.splits, ElementsAre(1));
  join_tokens(inputs, false, 5);
  EXPECT_EQ(tokens(), "我|在|河|岸边|in|New York");
  join_tokens(inputs, false, 0);
  EXPECT_EQ(tokens(), "我在|河|岸边|in|New York");
  EXPECT_THAT(inputs.splits, IsEmpty()) << "what was split by hand needs no join";
  split_token(inputs, false, inputs.sentence.find("York"));
  EXPECT_EQ(tokens(), "我在|河|岸边|in|New|York");
  EXPECT_THAT(inputs.joins, IsEmpty());
  join_tokens(inputs, false, 1);
  EXPECT_EQ(tokens(), "我在|河岸边|in|New|York");
  join_tokens(inputs, false, 99);
  reset_tokens(inputs, false);
  EXPECT_EQ(tokens(), "我在|河|岸边|in|New|York");
}

TEST_F(TokenEdit, masks_follow_their_tokens) {
  inputs.mask = {parse_mask_part("padding:2,5"), parse_mask_part("global:3")};
  split_token(inputs, false, inputs.sentence.find("边"));
  EXPECT_EQ(to_string(inputs.mask[0]), "padding:2,3,6");
  EXPECT_EQ(to_string(inputs.mask[1]), "global:4");
  join_tokens(inputs, false, 0);
  EXPECT_EQ(to_string(inputs.mask[0]), "padding:1,2,5");
}

TEST_F(TokenEdit, of_the_second_sentence_are_its_own) {
  inputs.key_sentence = "岸边";
  inputs.mask = {parse_mask_part("padding:0")};
  split_token(inputs, true, 3);
  EXPECT_EQ(tokens(true), "岸|边");
  EXPECT_EQ(tokens(), "我在|河|岸边|in|New|York");
  EXPECT_EQ(to_string(inputs.mask[0]), "padding:0,1");
  const Text before = inputs;
  inputs.key_sentence = "在岸边";
  carry_boundaries(before, inputs);
  EXPECT_THAT(inputs.key_splits, ElementsAre(2));
}

}  // namespace headscope::tests

#include "core/source/model/known_words.h"
#include "core/source/model/model_text.h"
#include "core/text/token_label.h"
#include "core/text/token_matches.h"
#include "tests/support/testing.h"

namespace headscope::tests {

Token unknown_token(const std::string& word) {
  Token token{"<unk>", 0, 0, 0};
  name_unknown(token, word);
  return token;
}

TEST(UnknownToken, is_named_by_the_word_in_its_place_as_well) {
  const Token bridge = unknown_token(" bridge (old)");
  EXPECT_EQ(bridge.text, "<unk> (bridge (old))");
  EXPECT_TRUE(bridge.unknown && !bridge.placeholder);
  EXPECT_EQ(text_in_vocabulary(bridge), "<unk>");
  EXPECT_EQ(unknown_token("<unk>").text, "<unk>") << "as it was written";
  EXPECT_EQ(unknown_token(" ").text, "<unk>");
  EXPECT_EQ(text_in_vocabulary({"a (b)", 0, 0, 0}), "a (b)");
}

TEST(UnknownToken, is_the_same_to_the_model_whatever_the_word) {
  const std::vector<Token> tokens{unknown_token("bridge"), {"a", 0, 0, 0}, unknown_token("tunnel")};
  EXPECT_THAT(TokenMatches(tokens, tokens).keys_of(0), ElementsAre(0, 2));
}

TEST(UnknownToken, of_a_model_has_the_word_that_was_typed) {
  const nlohmann::json file{
      {"version", "1.0"},
      {"added_tokens", nlohmann::json::array()},
      {"normalizer", nullptr},
      {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
      {"post_processor", nullptr},
      {"decoder", nullptr},
      {"model", {{"type", "WordLevel"}, {"vocab", {{"<unk>", 0}, {"a", 1}}}, {"unk_token", "<unk>"}}}};
  const Tokenizer tokenizer = Tokenizer::from_json(file.dump(), "tokenizer.json");
  ModelConfig config;
  config.vocabulary = 2;
  config.positions = 16;
  Text text;
  text.sentence = "a 桥 a";
  const auto split = split_text(text, config, tokenizer, {});
  ASSERT_TRUE(split);
  EXPECT_THAT(split->tokens, ElementsAre(Field(&Token::text, "a"), Field(&Token::text, "<unk> (桥)"),
                                         Field(&Token::text, "a")));
  EXPECT_EQ(split->tokens[1].id, 0);
}

TEST(UnknownToken, is_counted_unless_a_placeholder_is_read_for_it) {
  const Token known{"a", 0, 0, 0};
  Token placeholder = unknown_token("ball");
  placeholder.placeholder = true;
  const std::vector<Token> tokens{known, unknown_token("bridge"), placeholder, unknown_token("tunnel")};
  EXPECT_EQ(unknown_count(tokens), 2);
  EXPECT_FALSE(mostly_unknown(tokens)) << "half of them";
  EXPECT_TRUE(mostly_unknown(std::span(tokens).last(3)));
  EXPECT_FALSE(mostly_unknown({}));
}

TEST(UnknownToken, is_not_in_a_text_of_the_vocabulary) {
  const auto with = [](const nlohmann::json& vocabulary) {
    const nlohmann::json file{
        {"version", "1.0"},
        {"added_tokens", nlohmann::json::array()},
        {"normalizer", {{"type", "Lowercase"}}},
        {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
        {"post_processor", nullptr},
        {"decoder", nullptr},
        {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", "<unk>"}}}};
    return Tokenizer::from_json(file.dump(), "tokenizer.json");
  };
  const Tokenizer words = with({{"<unk>", 0},
                                {"x", 1},
                                {"##ing", 2},
                                {"red", 3},
                                {"Fox", 4},
                                {"ran", 5},
                                {"!", 6},
                                {"over", 7},
                                {"桥", 8},
                                {"my", 9},
                                {"old", 10},
                                {"7", 11}});
  EXPECT_EQ(text_of_known_words(words), "red ran over my old")
      << "no letter, piece, sign, number, other script, or word that is lower-cased to an unknown one";
  for (const TokenId id : words.encode(text_of_known_words(words)).ids()) EXPECT_NE(id, words.unknown());
  EXPECT_EQ(text_of_known_words(with({{"<unk>", 0}, {"!", 1}})), "");
}

}  // namespace headscope::tests

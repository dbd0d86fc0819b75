#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "core/source/model/model_text.h"
#include "core/source/model/placeholders.h"
#include "tests/support/built_in_models.h"

namespace headscope::tests {
namespace {

/// A tokenizer of Chinese and English words that joins what it decodes.
Tokenizer joining_tokenizer() {
  const Json vocabulary{{"<unk>", 0}, {"cat", 1}, {"猫", 2}, {"一只", 3}, {"⟨1⟩", 4}, {"⟨2⟩", 5}, {"。", 6}};
  const Json file{{"version", "1.0"},
                  {"added_tokens", Json::array()},
                  {"normalizer", nullptr},
                  {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
                  {"post_processor", nullptr},
                  {"decoder", {{"type", "Fuse"}}},
                  {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", "<unk>"}}}};
  return Tokenizer::from_json(file.dump(), "tokenizer.json");
}

ModelConfig config_with_slots(std::vector<std::string> slots) {
  ModelConfig config;
  config.notes.emplace().slots = std::move(slots);
  return config;
}

std::vector<Token> tokens_of_text(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<Token> tokens;
  for (const EncodedToken& encoded : tokenizer.encode(text).tokens) {
    Token& token = tokens.emplace_back();
    token.id = encoded.id;
    token.begin = encoded.begin;
    token.end = encoded.end;
  }
  return tokens;
}

std::vector<Index> ids(const std::vector<Token>& tokens) {
  std::vector<Index> all;
  for (const Token& token : tokens) all.push_back(token.id);
  return all;
}

}  // namespace

TEST(Placeholders, take_slots_in_the_order_of_their_appearance_and_the_same_word_the_same_one) {
  const Tokenizer tokenizer = joining_tokenizer();
  Placeholders placeholder(config_with_slots({"⟨1⟩", "⟨2⟩"}), tokenizer);
  const std::string text = "Zork cat blub zork gnat";
  std::vector<Token> tokens = tokens_of_text(tokenizer, text);
  placeholder.replace_unknown(text, tokens);
  EXPECT_THAT(ids(tokens), ElementsAre(4, 1, 5, 4, 0));
  EXPECT_EQ(tokens[0].text, "⟨Zork⟩");
  EXPECT_TRUE(tokens[0].unknown && tokens[0].placeholder);
  EXPECT_FALSE(tokens[1].unknown || tokens[1].placeholder);
  EXPECT_EQ(tokens[4].text, "⟨gnat?⟩");
  EXPECT_TRUE(tokens[4].unknown && !tokens[4].placeholder);
  EXPECT_THAT(placeholder.words(), ElementsAre("Zork", "blub", "gnat"));
  EXPECT_TRUE(placeholder.too_many());
}

TEST(Placeholders, come_back_in_what_is_written) {
  const Tokenizer tokenizer = joining_tokenizer();
  Placeholders placeholder(config_with_slots({"⟨1⟩", "⟨2⟩"}), tokenizer);
  std::vector<Token> tokens = tokens_of_text(tokenizer, "zork");
  placeholder.replace_unknown("zork", tokens);
  EXPECT_FALSE(placeholder.too_many());
  Token slot;
  slot.id = 4;
  EXPECT_EQ(placeholder.written(slot).text, "⟨zork⟩");
  slot.id = 5;
  slot.text = "⟨2⟩";
  EXPECT_EQ(placeholder.written(slot).text, "⟨2⟩") << "stands for nothing in this text";
  const TokenId written[] = {3, 4, 2, 4, 6};
  EXPECT_EQ(placeholder.decode(written, tokenizer), "一只 zork 猫 zork。");
}

TEST(TargetWords, are_found_in_a_text_without_blanks) {
  const Tokenizer tokenizer = joining_tokenizer();
  ModelConfig config;
  config.encoder.layers = config.decoder.layers = 1;
  config.vocabulary = config.decoder_vocabulary = 7;
  config.positions = 16;
  const auto target = [&](const std::string& written) {
    Text text;
    text.sentence = "cat";
    text.target = written;
    const auto read = split_text(text, config, tokenizer, {});
    return std::vector<Token>(read->target.begin() + 1, read->target.end());
  };
  EXPECT_THAT(ids(target("一只 猫 。")), ElementsAre(3, 2, 6));
  const std::vector<Token> joined = target("一只猫。");
  EXPECT_THAT(ids(joined), ElementsAre(3, 2, 6));
  EXPECT_EQ(joined[1].begin, 6U);
  EXPECT_EQ(joined[1].end, 9U);
  EXPECT_NE(joined[0].word, joined[1].word);
  EXPECT_THAT(ids(target("一猫只cat狗")), ElementsAre(0, 2, 0, 1, 0)) << "what it has no word of is unknown";
  EXPECT_THAT(ids(target("concat")), ElementsAre(0)) << "letters are no words by themselves";
  EXPECT_EQ(joined_words("猫", joined), "猫 一只 猫 。");
}

TEST(Placeholders, are_none_of_models_that_were_not_trained_with_slots) {
  const Tokenizer tokenizer = joining_tokenizer();
  for (const ModelConfig& config : {ModelConfig(), config_with_slots({})}) {
    Placeholders placeholder(config, tokenizer);
    std::vector<Token> tokens = tokens_of_text(tokenizer, "zork");
    const std::vector<Token> before = tokens;
    placeholder.replace_unknown("zork", tokens);
    EXPECT_EQ(tokens, before);
    EXPECT_THAT(placeholder.words(), IsEmpty());
  }
  EXPECT_THAT(complaint([&] { Placeholders(config_with_slots({"⟨3⟩"}), tokenizer); }),
              "headscope.slots: \"⟨3⟩\" is not in the vocabulary of tokenizer.json");
}

}  // namespace headscope::tests

// Text to ids and back, compared with Hugging Face's `tokenizers` (tests/data/make_reference_tokenizers.js).

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/tokenizer.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using Json = nlohmann::json;

const Json& reference_tokenizers() {
  static const Json file = Json::parse(read_file(TEST_DATA_DIR "/tokenizers.json"));
  return file;
}

/// The tokenizer of a row of the reference, with the model that several rows share.
Tokenizer tokenizer_of(const Json& row) {
  Json file = row["file"];
  file["model"] = reference_tokenizers()["models"][row["model"]];
  file["model"].update(row["options"]);
  return Tokenizer::from_json(file.dump(), row["name"]);
}

Tokenizer reference_tokenizer(const std::string& name) {
  for (const Json& row : reference_tokenizers()["tokenizers"])
    if (row["name"] == name) return tokenizer_of(row);
  throw std::runtime_error("no tokenizer " + name);
}

template <typename Number>
void add_to_checksum(std::uint32_t& sum, Number number) {
  sum = sum * 31 + static_cast<std::uint32_t>(number);
}

/// Ids, spans and, for a pair, types, as in the reference.
Json summary(const Encoding& encoding, bool with_types) {
  std::uint32_t spans = 7, types = 7;
  for (const EncodedToken& token : encoding.tokens) {
    add_to_checksum(spans, token.begin);
    add_to_checksum(spans, token.end);
    add_to_checksum(types, token.type);
  }
  Json result{encoding.ids(), spans};
  if (with_types) result.push_back(types);
  return result;
}

TEST(Tokenizer, encodes_and_decodes_as_the_reference) {
  const Json& file = reference_tokenizers();
  for (const Json& row : file["tokenizers"]) {
    SCOPED_TRACE(row["name"].get<std::string>());
    const Tokenizer tokenizer = tokenizer_of(row);
    for (std::size_t i = 0; i < file["texts"].size(); ++i) {
      const std::string text = file["texts"][i];
      const Json& expected = row["texts"][i];
      const Encoding encoding = tokenizer.encode(text);
      EXPECT_EQ(summary(encoding, false), Json({expected[0], expected[1]})) << text;
      if (expected.size() > 2) {
        EXPECT_EQ(tokenizer.decode(encoding.ids(), true), expected[2].get<std::string>()) << text;
      }
    }
    for (std::size_t i = 0; i < row["pairs"].size(); ++i) {
      const Json& pair = file["pairs"][i];
      const std::string first = file["texts"][pair[0].get<std::size_t>()],
                        second = file["texts"][pair[1].get<std::size_t>()];
      EXPECT_EQ(summary(tokenizer.encode(first, second), true), row["pairs"][i]) << first;
    }
  }
}

/// The parts of `text` that the tokens represent.
std::vector<std::string> parts_of(const std::string& text, const Encoding& encoding) {
  std::vector<std::string> parts;
  for (const EncodedToken& token : encoding.tokens)
    parts.push_back(text.substr(token.begin, token.end - token.begin));
  return parts;
}

std::vector<std::string> shown(const Tokenizer& tokenizer, const Encoding& encoding) {
  std::vector<std::string> all;
  for (const TokenId id : encoding.ids()) all.push_back(tokenizer.shown(id));
  return all;
}

TEST(Tokenizer, tokens_know_their_part_of_the_sentence) {
  const std::string text = "CAFÉ x";
  const Encoding bert = reference_tokenizer("bert").encode(text);
  EXPECT_THAT(parts_of(text, bert), ElementsAre("", "CAFÉ", "x", ""));
  EXPECT_EQ(bert.tokens[0].sequence, -1);
  EXPECT_TRUE(bert.tokens[0].special);
  EXPECT_FALSE(bert.tokens[1].special);
  const Encoding pair = reference_tokenizer("bert").encode("x", "12");
  EXPECT_THAT(pair.tokens, testing::SizeIs(5));
  EXPECT_EQ(pair.tokens[3].sequence, 1);
  EXPECT_EQ(pair.tokens[3].type, 1);
  EXPECT_EQ(reference_tokenizer("bert").encode("x", {}, false).tokens.size(), 1U);
}

TEST(Tokenizer, bytes_are_shown_as_bytes_only_where_they_make_no_character) {
  const Tokenizer bytes = reference_tokenizer("gpt2"), fallback = reference_tokenizer("llama2");
  EXPECT_THAT(shown(bytes, bytes.encode("𠮷")), ElementsAre("⟨F0⟩", "⟨A0⟩", "⟨AE⟩", "⟨B7⟩"));
  EXPECT_THAT(shown(bytes, bytes.encode(" \n")), ElementsAre(" ", "\\n"));
  EXPECT_THAT(shown(fallback, fallback.encode("𠮷", {}, false)),
              ElementsAre(" ", "⟨F0⟩", "⟨A0⟩", "⟨AE⟩", "⟨B7⟩"));
  EXPECT_EQ(fallback.shown(1), "<s>");
  EXPECT_EQ(fallback.shown(123456), "⟨id 123456⟩");
  EXPECT_EQ(bytes.decode(bytes.encode("𠮷").ids()), "𠮷");
  const auto start = bytes.encode("𠮷").ids();
  EXPECT_EQ(bytes.decode(std::vector(start.begin(), start.begin() + 2)), "\ufffd");
}

TEST(Tokenizer, pieces_of_a_word_have_one_number) {
  const auto words_of = [](const char* name, const std::string& text) {
    const Tokenizer tokenizer = reference_tokenizer(name);
    const Encoding encoding = tokenizer.encode(text, {}, false);
    const std::vector<int> numbers = tokenizer.words(encoding, text);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == std::ssize(words)) words.emplace_back();
      const EncodedToken& token = encoding.tokens[i];
      if (i == 0 || encoding.tokens[i - 1].begin != token.begin || numbers[i - 1] != numbers[i])
        words.back() += text.substr(token.begin, token.end - token.begin);
    }
    return words;
  };
  EXPECT_THAT(words_of("gpt2", "worldly lines, 12"), ElementsAre("worldly", " lines", ",", " 12"));
  EXPECT_THAT(words_of("llama2", "worldly lines"), ElementsAre("worldly", " lines"));
  EXPECT_THAT(words_of("bert", "cafea, lines"), ElementsAre("cafea", ",", "lines"));
  EXPECT_THAT(words_of("llama3", "我们喜欢<s>猫"), ElementsAre("我们", "喜欢", "<s>", "猫"));
}

// Texts that none of the rules above was written for.
std::string random_text(std::mt19937& random, std::size_t maximum) {
  static const std::u32string some =
      U"aab  .,'\n\tÀé\u0301\u0323中文ｶﾞ½🤣\u200d👩한\u1100\u1161\u0000\u00a0١2";
  std::string text;
  for (std::size_t i = random() % (maximum + 1); i > 0; --i) {
    auto c = static_cast<char32_t>(random() % 0x110000);
    if (random() % 5 != 0) c = some[random() % some.size()];
    append_utf8(text, c >= 0xD800 && c < 0xE000 ? U'?' : c);
  }
  return text;
}

TEST(Tokenizer, any_text_comes_back_from_bytes_and_every_span_is_in_it) {
  std::mt19937 random(1);
  const Tokenizer bytes = reference_tokenizer("llama3");
  std::vector<Tokenizer> others;
  for (const char* name : {"bert", "t5", "unigram", "llama2", "NFKC", "replaced", "roberta", "added"})
    others.push_back(reference_tokenizer(name));
  for (int i = 0; i < 200; ++i) {
    const std::string text = random_text(random, 30);
    const Encoding encoding = bytes.encode(text, {}, false);
    EXPECT_EQ(bytes.decode(encoding.ids()), text);
    // Without a normalizer the tokens cover the text, in order; only those of one character share it.
    std::size_t end = 0;
    for (const EncodedToken& token : encoding.tokens) {
      EXPECT_LE(token.begin, end);
      EXPECT_GE(token.end, end);
      end = token.end;
    }
    EXPECT_EQ(end, text.size());
    for (const Tokenizer& other : others) {
      std::size_t begin = 0;
      for (const EncodedToken& token : other.encode(text).tokens) {
        if (token.sequence < 0) continue;
        EXPECT_LE(begin, token.begin) << text;
        EXPECT_LE(token.begin, token.end);
        EXPECT_LE(token.end, text.size());
        const auto splits = [&](std::size_t at) {
          return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
        };
        EXPECT_FALSE(splits(token.begin) || splits(token.end)) << text;
        begin = token.begin;
      }
    }
  }
}

TEST(Tokenizer, a_text_that_is_no_utf8_is_refused) {
  EXPECT_THAT(complaint([] { reference_tokenizer("gpt2").encode("a\xff"); }),
              HasSubstr("byte 1 (numbered from 0) is 0xFF"));
}

// Quadratic time would show as a hanging test.
TEST(Tokenizer, a_long_text_without_spaces_takes_no_long_time) {
  const std::size_t size = 100'000;
  const std::string texts[] = {std::string(size, 'a'), std::string(size, ' '), std::string(size, '\n'),
                               "a" + [&] {
                                 std::string marks;
                                 for (std::size_t i = 0; i < size / 4; ++i) marks += "\u0301\u0323";
                                 return marks;
                               }()};
  for (const char* name :
       {"gpt2", "llama2", "bert", "t5", "unigram", "NFKD", "added", "whole", "invert_Contiguous"}) {
    const Tokenizer tokenizer = reference_tokenizer(name);
    for (const std::string& text : texts) EXPECT_LE(tokenizer.encode(text).tokens.size(), 2 * size) << name;
  }
}

}  // namespace headscope::tests

// Folders with the files of a tokenizer, and what may be wrong in them.

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/text/tokenizer/pattern.h"
#include "core/text/tokenizer/tokenizer.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using Json = nlohmann::json;

Json small_tokenizer() {
  return Json::parse(
      R"({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 5, "u": 2}, "merges": ["a b"], "unk_token": "u"}})");
}

std::string complaint_about(const Json& file) {
  return complaint([&] { Tokenizer::from_json(file.dump(), "t.json").encode("a b"); });
}

TEST(TokenizerFile, says_what_is_wrong_where) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"/version", R"("2.0")", "t.json: version is \"2.0\"; expected \"1.0\""},
      {"/model/type", R"("Foo")",
       "t.json: model.type is \"Foo\"; expected one of: BPE, Unigram, WordLevel, WordPiece"},
      {"/model", "null", "t.json: model is missing"},
      {"/model/vocab", "[]", "t.json: model.vocab is []; expected an object"},
      {"/model/vocab/a", "-1",
       "t.json: model.vocab: the id of \"a\" is -1; expected a whole number from 0 to 2147483647"},
      {"/model/vocab/a", "4294967296", "the id of \"a\" is 4294967296"},
      {"/model/vocab/a", "1", "t.json: model.vocab: \"a\" and \"b\" have one id, 1; expected one each"},
      {"/model/merges", R"(["a c"])",
       "t.json: model.merges: merge 0 needs \"c\", which is not in the vocabulary"},
      {"/model/merges", R"(["b a"])", "merge 0 needs \"ba\", which"},
      {"/model/merges", R"(["a b c"])", "t.json: model.merges[0] is \"a b c\"; expected two tokens"},
      {"/model/merges", R"([["a"]])", "model.merges[0] is [\"a\"]; expected two tokens"},
      {"/model/merges", "7", "t.json: model.merges is 7; expected a list"},
      {"/model/dropout", "0.1", "t.json: model.dropout is 0.1; expected null"},
      {"/model/continuing_subword_prefix", R"("####")", "merge 0 is \"a b\"; expected #### before"},
      {"/normalizer", R"({"type": "Foo"})",
       "t.json: normalizer.type is \"Foo\"; expected one of: BertNormalizer, "},
      {"/normalizer", R"({"type": "Strip"})", "t.json: normalizer.strip_left is missing"},
      {"/normalizer", R"({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": 1}]})",
       "t.json: normalizer.normalizers[0].prepend is 1; expected a string"},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "AAA"})",
       "t.json: normalizer.precompiled_charsmap is damaged; expected base64 of a character map"},
      // One unit, whose children are far outside.
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "BAAAAAD///8="})",
       "t.json: normalizer.precompiled_charsmap is damaged: it points to unit "},
      {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "/////wAAAAA="})",
       "is damaged; expected base64"},
      {"/normalizer", R"({"type": "Replace", "pattern": {"Regex": "("}, "content": ""})",
       "t.json: normalizer.pattern.Regex: the pattern ( cannot be compiled: "},
      {"/normalizer", R"({"type": "Replace", "pattern": {}, "content": ""})",
       "t.json: normalizer.pattern is {…}; expected {\"String\": …} or {\"Regex\": …}"},
      {"/pre_tokenizer", R"({"type": "FixedLength", "length": 0})",
       "pre_tokenizer.length is 0; expected a whole number from 1"},
      {"/pre_tokenizer", R"({"type": "CharDelimiterSplit", "delimiter": "ab"})",
       "delimiter is \"ab\"; expected one character"},
      {"/pre_tokenizer", R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Foo"})",
       "behavior is \"Foo\"; expected one of: Removed"},
      {"/pre_tokenizer", R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "foo"})",
       "expected one of: always, first, never"},
      {"/post_processor", R"({"type": "BertProcessing", "sep": ["x"], "cls": ["x", 1]})",
       "post_processor.sep is [\"x\"]; expected [\"token\", id]"},
      {"/post_processor",
       R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x", "type_id": 0}}], "pair": [], "special_tokens": {}})",
       "t.json: post_processor.single[0].SpecialToken.id is \"x\"; expected one of special_tokens"},
      {"/post_processor",
       R"({"type": "TemplateProcessing", "single": [{"Sequence": {"id": "B", "type_id": 0}}], "pair": [], "special_tokens": {}})",
       "id is \"B\"; expected one of: A"},
      {"/decoder", R"({"type": "Foo"})", "t.json: decoder.type is \"Foo\"; expected one of: BPEDecoder"},
      {"/added_tokens", R"([{"id": 7}])", "t.json: added_tokens[0].content is missing"},
      {"/added_tokens", R"([{"content": "x", "special": 1}])",
       "t.json: added_tokens[0].special is 1; expected true or false"},
      {"/truncation", R"({"max_length": -1})", "t.json: truncation.max_length is -1"},
      {"/model", R"({"type": "Unigram", "vocab": [["a", 0]], "unk_id": 1})",
       "t.json: model.unk_id is 1; expected 0"},
      {"/model", R"({"type": "Unigram", "vocab": [["a"]]})",
       "t.json: model.vocab[0] is [\"a\"]; expected [\"token\", score]"},
      {"/model", R"({"type": "Unigram", "vocab": [["a", 0]]})",
       "t.json: model.vocab: \"b\" is not in the vocabulary, and unk_id is missing"},
      {"/model", R"({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "x"})",
       "t.json: model: \"b\" is not in the vocabulary, nor is its unknown token x"},
      {"/model",
       R"({"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "x", "continuing_subword_prefix": "##"})",
       "max_input_chars_per_word is missing"},
  };
  for (const auto& [place, value, expected] : cases) {
    Json file = small_tokenizer();
    file[Json::json_pointer(place)] = Json::parse(value);
    EXPECT_THAT(complaint_about(file), HasSubstr(expected)) << place << value;
  }
  EXPECT_EQ(complaint_about(small_tokenizer()), "no complaint");
  EXPECT_THAT(complaint([] { Tokenizer::from_json("[]", "t.json"); }),
              HasSubstr("t.json: []; expected an object"));
  EXPECT_THAT(complaint([] { Tokenizer::from_json(R"({"model": {"vocab": {"a": 0, "a": 1}}})", "t.json"); }),
              HasSubstr("model.vocab.a is given twice"));
}

TEST(TokenizerFile, no_template_is_longer_than_any_text) {
  Json file = small_tokenizer();
  const Json special{{"SpecialToken", {{"id", "X"}, {"type_id", 0}}}},
      text{{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const auto with = [&](const std::vector<Json>& items, std::size_t ids) {
    file["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", items},
        {"pair", Json::array()},
        {"special_tokens",
         {{"X", {{"id", "X"}, {"ids", std::vector<int>(ids, 0)}, {"tokens", Json::array()}}}}}};
    return complaint_about(file);
  };
  EXPECT_EQ(with({text, special}, 1000), "no complaint");
  const std::string refused = "t.json: post_processor.single: the template is too long for any text";
  EXPECT_EQ(with({text, special, special}, 40'000), refused);
  EXPECT_EQ(with(std::vector<Json>(100, text), 1), refused);
}

TEST(TokenizerFile, no_chain_of_replacements_takes_all_memory) {
  const char* doubling = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
  const char* bytes = R"({"type": "ByteLevel"})";
  const std::pair<const char*, const char*> cases[] = {{doubling, "aaaa"}, {bytes, "é"}};
  for (const auto& [step, text] : cases) {
    Json file = small_tokenizer();
    file["normalizer"] = {{"type", "Sequence"}, {"normalizers", std::vector<Json>(60, Json::parse(step))}};
    EXPECT_THAT(complaint([&, input = text] { Tokenizer::from_json(file.dump(), "t.json").encode(input); }),
                StartsWith("the tokenizer makes more than 4"));
  }
  Json file = small_tokenizer();
  file["normalizer"] = {
      {"type", "Replace"}, {"pattern", {{"String", ""}}}, {"content", std::string(100'000, 'a')}};
  EXPECT_THAT(
      complaint([&] { Tokenizer::from_json(file.dump(), "t.json").encode(std::string(100'000, 'a')); }),
      StartsWith("the tokenizer makes more than 4598400 bytes of 100000 bytes of the sentence"));
}

TEST(TokenizerFile, has_one_budget_from_the_file_to_the_text) {
  const auto replace = [](const Json& pattern, const std::string& content) {
    return Json{{"type", "Replace"}, {"pattern", pattern}, {"content", content}};
  };
  const auto decoded = [](const Json& decoders) {
    Json file = small_tokenizer();
    file["decoder"] = {{"type", "Sequence"}, {"decoders", decoders}};
    return complaint([&] {
      const Tokenizer tokenizer = Tokenizer::from_json(file.dump(), "t.json");
      tokenizer.decode(std::vector<TokenId>(1000, 0));
    });
  };
  const std::string refused = "t.json: too much is packed into it";
  EXPECT_THAT(decoded(std::vector<Json>(40, replace({{"String", "a"}}, "aa"))), StartsWith(refused));
  EXPECT_THAT(decoded(std::vector<Json>(
                  40'000, Json{{"type", "Strip"}, {"content", "x"}, {"start", 1}, {"stop", 1}})),
              StartsWith(refused));
  EXPECT_EQ(decoded(std::vector<Json>(10, replace({{"String", "a"}}, "b"))), "no complaint");

  WorkBudget budget("t.json", 0);
  EXPECT_THAT(
      complaint([&] { tokenizers::Pattern::literal("a").find_all(std::string(3'000'000, 'a'), budget); }),
      StartsWith(refused))
      << "what is found is charged, too";

  Json wide = small_tokenizer();
  std::string classes;
  for (int i = 0; i < 4900; ++i) classes += "\\w";
  wide["normalizer"] = replace({{"Regex", classes}}, "");
  EXPECT_THAT(complaint_about(wide), StartsWith(refused));

  Json added = small_tokenizer();
  added["normalizer"] = {{"type", "Lowercase"}};
  for (int i = 0; i < 100'000; ++i) added["added_tokens"].push_back({{"content", "T" + std::to_string(i)}});
  EXPECT_EQ(Tokenizer::from_json(added.dump(), "t.json").find("T99999"), 4 + 99'999);
}

TEST(TokenizerFile, a_vocabulary_may_have_holes_and_what_is_cut_or_padded_elsewhere_is_reported) {
  Json file = small_tokenizer();
  file["added_tokens"] =
      Json::parse(R"([{"id": 77, "content": "<x>", "special": true}, {"content": "b"}, {"content": "<y>"}])");
  file["truncation"] = {{"max_length", 512}};
  file["padding"] = {{"pad_token", "<y>"}};
  const Tokenizer tokenizer = Tokenizer::from_json(file.dump(), "t.json");
  // Added tokens are numbered as in the reference, after the size of the vocabulary, whatever the file says.
  EXPECT_THAT(tokenizer.encode("a<x>b<y>ab").ids(), ElementsAre(0, 4, 1, 5, 0, 1));
  EXPECT_EQ(tokenizer.token(3), std::nullopt);
  EXPECT_EQ(tokenizer.token(4), "<x>");
  EXPECT_EQ(tokenizer.find("<x>"), 4);
  EXPECT_TRUE(tokenizer.is_special(4) && !tokenizer.is_special(1) && !tokenizer.is_special(99));
  EXPECT_EQ(tokenizer.size(), 6U);
  EXPECT_EQ(tokenizer.facts().truncates_at, 512U);
  EXPECT_TRUE(tokenizer.facts().pads);
  EXPECT_EQ(tokenizer.role("pad_token"), 5);
  EXPECT_EQ(tokenizer.facts().model, "BPE");
  EXPECT_EQ(tokenizer.decode(std::vector<TokenId>{0, 4, 99, 1}, true), "a b");
}

class TokenizerFolder : public InFolder {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(at(name)) << text; }
  Tokenizer read() const { return Tokenizer::from_folder(folder.path.string()); }
  std::string complaint_of_folder() const {
    return complaint([&] { read(); });
  }
};

/// Every byte, as byte-level vocabularies write them, after `first`.
std::string byte_vocabulary(std::vector<std::string> first, const std::vector<std::string>& last) {
  Json vocabulary = Json::object();
  for (int byte = 33; byte < 127; ++byte) first.emplace_back(1, static_cast<char>(byte));
  for (const char* other : {"Ġ", "Ċ", "Ã", "©"}) first.emplace_back(other);
  first.insert(first.end(), last.begin(), last.end());
  for (const std::string& token : first) vocabulary.emplace(token, vocabulary.size());
  return vocabulary.dump();
}

TEST_F(TokenizerFolder, gpt2_from_vocab_and_merges) {
  write("vocab.json", byte_vocabulary({}, {"Ġt", "he", "Ġthe", "<|endoftext|>"}));
  write("merges.txt", "#version: 0.2\nĠ t\nh e\r\nĠt he\n");
  const Tokenizer tokenizer = read();
  const Encoding encoding = tokenizer.encode("the the<|endoftext|>\n");
  std::vector<std::string> tokens;
  for (const TokenId id : encoding.ids()) tokens.emplace_back(*tokenizer.token(id));
  EXPECT_THAT(tokens, ElementsAre("t", "he", "Ġthe", "<|endoftext|>", "Ċ"));
  EXPECT_EQ(encoding.tokens[2].begin, 3U);
  EXPECT_EQ(tokenizer.facts().model, "BPE");
  write("tokenizer_config.json",
        R"({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true, "add_bos_token": true,
    "bos_token": {"content": "<|endoftext|>"}, "pad_token": "<pad>", "mask_token": null})");
  const Tokenizer other = read();
  EXPECT_THAT(other.encode("the").ids(), ElementsAre(*other.find("<|endoftext|>"), *other.find("Ġthe")));
  EXPECT_EQ(other.role("pad_token"), other.find("<pad>"));
  EXPECT_EQ(other.role("mask_token"), std::nullopt);
}

TEST_F(TokenizerFolder, roberta_by_its_config_or_by_its_vocabulary) {
  write("vocab.json", byte_vocabulary({"<s>", "<pad>", "</s>", "<unk>"}, {"<mask>"}));
  write("merges.txt", "");
  const auto check = [&] {
    const Tokenizer tokenizer = read();
    EXPECT_THAT(tokenizer.encode("a <mask>").ids(),
                ElementsAre(0, *tokenizer.find("a"), *tokenizer.find("<mask>"), 2));
    EXPECT_EQ(tokenizer.encode("a", "b").ids().size(), 6U);
  };
  check();
  write("config.json", R"({"model_type": "roberta"})");
  check();
  write("config.json", R"({"model_type": "mpnet"})");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("how the tokenizer mpnet uses vocab.json and merges.txt is "
                                               "not known; expected tokenizer.json, or one of: gpt2"));
}

TEST_F(TokenizerFolder, qwen2_normalizes_and_splits_digits) {
  write("vocab.json", byte_vocabulary({}, {"Ã©", "12", "<|endoftext|>"}));
  write("merges.txt", "Ã ©\n1 2\n");
  write("tokenizer_config.json", R"({"tokenizer_class": "Qwen2Tokenizer", "added_tokens_decoder": {
    "101": {"content": "<|im_start|>", "special": true}, "100": {"content": "<|endoftext|>", "special": true}}})");
  const Tokenizer tokenizer = read();
  EXPECT_THAT(tokenizer.encode("e\u0301").ids(), ElementsAre(*tokenizer.find("Ã©")));
  EXPECT_EQ(tokenizer.encode("12").ids().size(), 2U);
  EXPECT_EQ(tokenizer.encode("<|im_start|>").ids().size(), 1U);
  EXPECT_TRUE(tokenizer.is_special(*tokenizer.find("<|im_start|>")));
}

TEST_F(TokenizerFolder, bert_from_a_list_of_words) {
  write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncafe\n##s \n中\r\nCafé\n");
  EXPECT_THAT(read().encode("Cafés 中x", "[MASK]").ids(), ElementsAre(2, 5, 6, 7, 1, 3, 4, 3));
  EXPECT_EQ(read().encode("a", "b").tokens[3].type, 1);
  EXPECT_EQ(read().decode(std::vector<TokenId>{2, 5, 6, 3}, true), "cafes");
  write("tokenizer_config.json", R"({"do_lower_case": false, "tokenizer_class": "DistilBertTokenizerFast"})");
  EXPECT_THAT(read().encode("Cafés").ids(), ElementsAre(2, 8, 6, 3));
  write("special_tokens_map.json", R"({"cls_token": "[X]"})");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("vocab.txt: the vocabulary has no [X]"));
  write("tokenizer_config.json", R"({"tokenizer_class": "FooTokenizer"})");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("how the tokenizer foo uses vocab.txt is not known"));
}

TEST_F(TokenizerFolder, the_class_of_the_config_has_the_last_word) {
  const Json vocabulary{{"<s>", 0}, {"</s>", 1}, {"u", 2},  {"a", 3},  {"A", 4},  {"é", 5},
                        {"e", 6},   {"中文", 7}, {"中", 8}, {"文", 9}, {"Ġa", 10}};
  const Json bert{{"type", "BertNormalizer"},
                  {"clean_text", true},
                  {"handle_chinese_chars", true},
                  {"strip_accents", nullptr},
                  {"lowercase", true}};
  const Json white{{"type", "WhitespaceSplit"}};
  const Json bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}};
  using Ids = std::vector<TokenId>;
  struct Case {
    const char* config;
    Json normalizer, pre_tokenizer;
    const char* text;
    Ids ids;
  };
  const Case cases[] = {
      {R"({"tokenizer_class": "BertTokenizer"})", bert, white, "A é 中文", {3, 6, 8, 9}},
      {R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false})", bert, white, "A é", {4, 5}},
      {R"({"tokenizer_class": "DistilBertTokenizerFast", "strip_accents": false})",
       bert,
       white,
       "A é",
       {3, 5}},
      {R"({"tokenizer_class": "ElectraTokenizer", "tokenize_chinese_chars": false})",
       bert,
       white,
       "中文",
       {7}},
      // The base class reads the file as is.
      {R"({"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": false})", bert, white, "A", {3}},
      {R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false})", nullptr, white, "A", {4}},
      {R"({"tokenizer_class": "GPT2Tokenizer"})", nullptr, bytes, "a", {3}},
      {R"({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true})", nullptr, bytes, "a", {10}},
      {R"({"tokenizer_class": "RobertaTokenizerFast", "add_prefix_space": true})", nullptr, bytes, "a", {10}},
      {R"({"tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": true})", nullptr, bytes, "a", {10}},
      {R"({"tokenizer_class": "CLIPTokenizer", "add_prefix_space": true})", nullptr, bytes, "a", {3}},
      // The template is the file's.
      {R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": true, "add_eos_token": true,
          "bos_token": "<s>", "eos_token": {"content": "</s>"}})",
       nullptr,
       white,
       "a",
       {3}},
  };
  for (const Case& row : cases) {
    SCOPED_TRACE(std::string(row.config) + row.text);
    const Json file{{"normalizer", row.normalizer},
                    {"pre_tokenizer", row.pre_tokenizer},
                    {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", "u"}}}};
    write("tokenizer.json", file.dump());
    write("tokenizer_config.json", row.config);
    EXPECT_EQ(read().encode(row.text).ids(), row.ids);
  }
  write("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": {"<s>": 0, "a": 1}, "unk_token": "a"},
    "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
      {"Sequence": {"id": "A", "type_id": 0}}], "pair": [{"Sequence": {"id": "A", "type_id": 0}},
      {"Sequence": {"id": "B", "type_id": 0}}],
      "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}}})");
  write("config.json", R"({"model_type": "llama"})");
  write("tokenizer_config.json", R"({"add_eos_token": false})");
  EXPECT_THAT(read().encode("a").ids(), ElementsAre(0, 1));
  write("tokenizer_config.json", R"({"add_bos_token": false})");
  EXPECT_THAT(read().encode("a").ids(), ElementsAre(0, 1));
}

namespace {

// The wire format of protobuf: a key of number and kind, then a number, four bytes, or a size and bytes.

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value % 128 + 128);
  return bytes + static_cast<char>(value);
}
std::string number_field(std::uint64_t number, std::uint64_t value) {
  return varint(number << 3) + varint(value);
}
std::string bytes_field(std::uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string score_field(std::uint64_t number, float value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return varint(number << 3 | 5) + bytes;
}

struct Piece {
  const char* text;
  float score;
  std::uint64_t kind;
};
std::string sentence_pieces(const std::vector<Piece>& pieces, std::uint64_t unknown,
                            std::uint64_t algorithm = 1) {
  std::string model;
  for (const Piece& piece : pieces)
    model += bytes_field(
        1, bytes_field(1, piece.text) + score_field(2, piece.score) + number_field(3, piece.kind));
  model += bytes_field(2, number_field(3, algorithm) + number_field(40, unknown) + bytes_field(7, "en"));
  return model + bytes_field(3, bytes_field(1, "nmt_nfkc") + number_field(3, 1));
}

constexpr std::uint64_t normal = 1, unknown_piece = 2, control = 3;

}  // namespace

TEST_F(TokenizerFolder, deberta_from_its_pieces) {
  write("config.json", R"({"model_type": "deberta-v2"})");
  write("tokenizer_config.json", R"({"do_lower_case": true, "vocab_type": "spm"})");
  write("added_tokens.json", R"({"[MASK]": 9})");
  write("spm.model", sentence_pieces({{"[PAD]", 0, control},
                                      {"[CLS]", 0, control},
                                      {"[SEP]", 0, control},
                                      {"[UNK]", 0, unknown_piece},
                                      {"▁the", -2, normal},
                                      {"▁c", -3, normal},
                                      {"at", -3.5, normal},
                                      {"▁", -4, normal},
                                      {"t", -9, normal}},
                                     3));
  const Tokenizer tokenizer = read();
  EXPECT_THAT(tokenizer.encode("  The  cat ").ids(), ElementsAre(1, 4, 5, 6, 2));
  EXPECT_THAT(tokenizer.encode("the [MASK]").ids(), ElementsAre(1, 4, 9, 2));
  EXPECT_THAT(tokenizer.encode("the zz").ids(), ElementsAre(1, 4, 7, 3, 2));
  const Encoding pair = tokenizer.encode("the", "cat");
  EXPECT_THAT(pair.ids(), ElementsAre(1, 4, 2, 5, 6, 2));
  EXPECT_EQ(pair.tokens[2].type, 0);
  EXPECT_EQ(pair.tokens[3].type, 1);
  EXPECT_TRUE(tokenizer.is_special(1));
  EXPECT_EQ(tokenizer.encode("the cat", {}, false).ids().size(), 3U);
}

TEST_F(TokenizerFolder, xlnet_from_its_pieces) {
  write("config.json", R"({"model_type": "xlnet"})");
  write("spiece.model", sentence_pieces({{"<unk>", 0, unknown_piece},
                                         {"<cls>", 0, control},
                                         {"<sep>", 0, control},
                                         {"<mask>", 0, control},
                                         {"▁the", -2, normal},
                                         {"▁The", -2, normal},
                                         {"▁cat", -3, normal}},
                                        0));
  const Tokenizer tokenizer = read();
  EXPECT_THAT(tokenizer.encode("thé  cat").ids(), ElementsAre(4, 6, 2, 1));
  EXPECT_THAT(tokenizer.encode("The <mask>").ids(), ElementsAre(5, 3, 2, 1));
  const Encoding pair = tokenizer.encode("the", "cat");
  EXPECT_THAT(pair.ids(), ElementsAre(4, 2, 6, 2, 1));
  std::vector<int> types;
  for (const EncodedToken& token : pair.tokens) types.push_back(token.type);
  EXPECT_THAT(types, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_EQ(tokenizer.encode("the").tokens.back().type, 2);
}

TEST_F(TokenizerFolder, t5_and_xlm_roberta_from_their_pieces) {
  for (const char* type : {R"({"model_type": "umt5"})", R"({"model_type": "mt5"})"}) {
    write("config.json", type);
    write("spiece.model",
          sentence_pieces({{"<pad>", 0, control}, {"</s>", 0, control}, {"<unk>", 0, unknown_piece}}, 2));
    EXPECT_THAT(read().encode("").ids(), ElementsAre(1));
  }
  write("tokenizer_config.json", R"({"tokenizer_class": "T5Tokenizer", "extra_ids": 2})");
  write("spiece.model", sentence_pieces({{"<pad>", 0, control},
                                         {"</s>", 0, control},
                                         {"<unk>", 0, unknown_piece},
                                         {"▁the", -2, normal},
                                         {"▁cat", -3, normal}},
                                        2));
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(3, 4, 1));
  EXPECT_THAT(read().encode("the<extra_id_0>").ids(), ElementsAre(3, 6, 1));
  EXPECT_THAT(read().encode("the<extra_id_1>").ids(), ElementsAre(3, 5, 1));
  std::filesystem::remove(at("spiece.model"));
  write("config.json", R"({"model_type": "xlm-roberta"})");
  write("tokenizer_config.json", R"({"tokenizer_class": "XLMRobertaTokenizer"})");
  write("sentencepiece.bpe.model", sentence_pieces({{"<unk>", 0, unknown_piece},
                                                    {"<s>", 0, control},
                                                    {"</s>", 0, control},
                                                    {"▁the", -2, normal},
                                                    {"▁cat", -3, normal}},
                                                   0));
  const Tokenizer tokenizer = read();
  EXPECT_THAT(tokenizer.encode("the cat").ids(), ElementsAre(0, 4, 5, 2));
  EXPECT_THAT(tokenizer.encode("the", "cat").ids(), ElementsAre(0, 4, 2, 2, 5, 2));
  EXPECT_THAT(tokenizer.encode("the <mask>").ids(), ElementsAre(0, 4, 6, 2));
  EXPECT_EQ(tokenizer.find("<unk>"), 3);
}

TEST_F(TokenizerFolder, others_from_their_pieces) {
  const Piece unk{"<unk>", 0, unknown_piece}, begin{"<s>", 0, control}, end{"</s>", 0, control},
      the{"▁the", -2, normal}, cat{"▁cat", -3, normal};
  const auto clear = [&] {
    for (const auto& file : std::filesystem::directory_iterator(folder.path))
      std::filesystem::remove(file.path());
  };
  write("config.json", R"({"model_type": "albert"})");
  write("spiece.model", sentence_pieces({{"<pad>", 0, control},
                                         unk,
                                         {"[CLS]", 0, control},
                                         {"[SEP]", 0, control},
                                         {"[MASK]", 0, control},
                                         the,
                                         {"▁1", -3, normal},
                                         {",", -3, normal},
                                         {"▁1,", -1, normal},
                                         {"\"", -2, normal},
                                         {"▁e", -2, normal}},
                                        1));
  EXPECT_THAT(read().encode("The [MASK] É").ids(), ElementsAre(2, 5, 4, 10, 3));
  EXPECT_THAT(read().encode("1, the``").ids(), ElementsAre(2, 6, 7, 5, 9, 3)) << "a number before a comma";
  EXPECT_EQ(read().encode("the", "the").tokens[3].type, 1);
  write("special_tokens_map.json", R"({"mask_token": "[MASK]"})");
  EXPECT_THAT(read().encode("The [MASK] É").ids(), ElementsAre(2, 5, 4, 10, 3));
  clear();

  write("config.json", R"({"model_type": "pegasus"})");
  write("spiece.model", sentence_pieces({{"<pad>", 0, control}, end, unk, the, cat}, 2));
  EXPECT_THAT(read().encode("the cat x").ids(), ElementsAre(106, 107, 105, 1));
  EXPECT_EQ(read().find("<mask_1>"), 2);
  EXPECT_EQ(read().find("<unk_102>"), 104);
  EXPECT_THAT(read().encode("the", "cat").ids(), ElementsAre(106, 107, 1));
  clear();

  write("config.json", R"({"model_type": "camembert"})");
  write("sentencepiece.bpe.model", sentence_pieces({unk, begin, end, the, cat}, 0));
  EXPECT_THAT(read().encode("the<mask>").ids(), ElementsAre(5, 7, 9, 6));
  EXPECT_THAT(read().encode("the", "cat").ids(), ElementsAre(5, 7, 6, 6, 8, 6));
  clear();

  write("config.json", R"({"model_type": "mbart"})");
  write("sentencepiece.bpe.model", sentence_pieces({unk, begin, end, the, cat}, 0));
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(4, 5, 2, 9)) << "en_XX is the fourth of 25";
  EXPECT_EQ(read().find("zh_CN"), 6 + 24);
  EXPECT_EQ(read().find("<mask>"), 6 + 25);
  write("tokenizer_config.json", R"({"tokenizer_class": "MBart50Tokenizer", "src_lang": "fr_XX"})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(6 + 7, 4, 5, 2)) << "the eighth of 52";
  EXPECT_EQ(read().find("<mask>"), 6 + 52);
  write("special_tokens_map.json", R"({"additional_special_tokens": ["ar_AR", {"content": "fr_XX"}]})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(7, 4, 5, 2));
}

TEST_F(TokenizerFolder, classes_in_python_alone_as_transformers_reads_them) {
  const Json cases = Json::parse(read_file(TEST_DATA_DIR "/python_tokenizers.json"));
  ASSERT_EQ(cases.size(), 5U);
  for (const Json& one : cases) {
    SCOPED_TRACE(one["files"]["tokenizer_config.json"]);
    for (const auto& [name, text] : one["files"].items()) write(name, text);
    const Tokenizer tokenizer = read();
    const auto& texts = one["texts"];
    EXPECT_EQ(Json(tokenizer.encode(texts[0][0].get<std::string>(), texts[1][0].get<std::string>()).ids()),
              one["pair"]);
    for (const Json& row : texts) {
      const std::vector<TokenId> ids = tokenizer.encode(row[0].get<std::string>()).ids();
      EXPECT_EQ(Json(ids), row[1]) << row[0];
      EXPECT_EQ(tokenizer.decode(ids), row[2].get<std::string>());
      EXPECT_EQ(tokenizer.decode(ids, true), row[3].get<std::string>());
    }
  }
}

TEST_F(TokenizerFolder, a_class_is_known_by_its_own_name) {
  write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
  for (const char* name : {"BertweetTokenizer", "RoCBertTokenizer", "HerbertTokenizer"}) {
    write("tokenizer_config.json", Json{{"tokenizer_class", name}}.dump());
    EXPECT_THAT(complaint_of_folder(), HasSubstr("uses vocab.txt is not known")) << name;
  }
  for (const char* words : {"mecab", "sudachi", "jumanpp"}) {
    write("tokenizer_config.json",
          Json{{"tokenizer_class", "BertJapaneseTokenizer"}, {"word_tokenizer_type", words}}.dump());
    EXPECT_THAT(complaint_of_folder(),
                HasSubstr("word_tokenizer_type is \"" + std::string(words) + "\"; expected basic: "));
  }
}

TEST_F(TokenizerFolder, special_tokens_may_be_text_like_any_other) {
  write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[\n]\nmask\n");
  EXPECT_THAT(read().encode("[MASK]").ids(), ElementsAre(2, 4, 3));
  write("tokenizer_config.json", R"({"split_special_tokens": true})");
  EXPECT_THAT(read().encode("[MASK]").ids(), ElementsAre(2, 5, 7, 6, 3));
}

TEST_F(TokenizerFolder, decoded_texts_are_cleaned_where_the_class_does) {
  write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ndo\nn\n'\nt\n.\n");
  const std::vector<TokenId> ids{5, 6, 7, 8, 9};
  EXPECT_EQ(read().decode(ids), "do n ' t.");
  write("tokenizer_config.json", R"({"clean_up_tokenization_spaces": true})");
  EXPECT_EQ(read().decode(ids), "don't.");
}

TEST_F(TokenizerFolder, siglip_from_its_pieces) {
  write("config.json", R"({"model_type": "siglip"})");
  write("spiece.model", sentence_pieces({{"<unk>", 0, unknown_piece},
                                         {"</s>", 0, control},
                                         {"▁the", -2, normal},
                                         {"▁cat", -3, normal},
                                         {"cat", -4, normal},
                                         {"▁", -5, normal}},
                                        0));
  EXPECT_THAT(read().encode(" The, cat!! ").ids(), ElementsAre(2, 3, 1));
  EXPECT_THAT(read().encode("the-cat").ids(), ElementsAre(2, 4, 1)) << "joined, not parted";
  EXPECT_THAT(read().encode("the </s> cat").ids(), ElementsAre(2, 1, 4, 1))
      << "no space behind a special token";
  EXPECT_THAT(read().encode("?!").ids(), ElementsAre(1));
  write("tokenizer_config.json", R"({"do_lower_case": false})");
  EXPECT_THAT(read().encode("The cat").ids(), ElementsAre(5, 0, 3, 1));
}

TEST_F(TokenizerFolder, gives_types_where_the_model_is_said_to_read_them) {
  write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n");
  EXPECT_EQ(read().encode("the", "the").tokens.back().type, 1);
  write("tokenizer_config.json", R"({"model_input_names": ["input_ids", "token_type_ids"]})");
  EXPECT_EQ(read().encode("the", "the").tokens.back().type, 1);
  write("tokenizer_config.json", R"({"model_input_names": ["input_ids", "attention_mask"]})");
  EXPECT_EQ(read().encode("the", "the").tokens.back().type, 0);
  write("tokenizer_config.json", R"({"model_input_names": "input_ids"})");
  EXPECT_THAT(complaint_of_folder(),
              HasSubstr("model_input_names is \"input_ids\"; expected a list of strings"));
}

TEST_F(TokenizerFolder, llama_from_its_pieces) {
  write("config.json", R"({"model_type": "llama"})");
  std::vector<Piece> pieces{{"<unk>", 0, unknown_piece}, {"<s>", 0, control}, {"</s>", 0, control}};
  constexpr std::uint64_t byte = 6;
  std::vector<std::string> bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(fmt::format("<0x{:02X}>", i));
  for (const std::string& text : bytes) pieces.push_back({text.c_str(), 0, byte});
  for (const auto& [text, score] : {std::pair{"▁t", -1.F},
                                    {"he", -2.F},
                                    {"▁the", -3.F},
                                    {"▁", -9.F},
                                    {"t", -9.F},
                                    {"h", -9.F},
                                    {"e", -9.F}})
    pieces.push_back({text, score, normal});
  write("tokenizer.model", sentence_pieces(pieces, 0, 2));
  EXPECT_THAT(read().encode("the the").ids(), ElementsAre(1, 261, 261));
  EXPECT_THAT(read().encode("é").ids(), ElementsAre(1, 262, 3 + 0xC3, 3 + 0xA9));
  EXPECT_EQ(read().decode(read().encode("the é").ids(), true), "the é");
  EXPECT_THAT(read().encode("the", "he").ids(), ElementsAre(1, 261, 1, 262, 260));
  // A space before the text alone, or behind special tokens, too.
  const std::vector<TokenId> first{1, 261, 2, 260}, each{1, 261, 2, 262, 260};
  EXPECT_EQ(read().encode("the</s>he").ids(), first);
  write("tokenizer_config.json", R"({"legacy": true})");
  EXPECT_EQ(read().encode("the</s>he").ids(), each);
  write("tokenizer_config.json", R"({"legacy": false, "add_prefix_space": false})");
  EXPECT_THAT(read().encode("he").ids(), ElementsAre(1, 260));
  write("tokenizer_config.json", R"({"add_bos_token": false, "add_eos_token": true})");
  EXPECT_THAT(read().encode("the").ids(), ElementsAre(261, 2));
  write("tokenizer.model", sentence_pieces(pieces, 0, 1));
  EXPECT_THAT(complaint_of_folder(), HasSubstr("its pieces are not those of a BPE model"));
}

TEST_F(TokenizerFolder, marian_and_m2m_number_pieces_by_their_vocabulary) {
  const std::string pieces = sentence_pieces({{"<unk>", 0, unknown_piece},
                                              {"<s>", 0, control},
                                              {"</s>", 0, control},
                                              {"▁the", -2, normal},
                                              {"▁cat", -3, normal},
                                              {"▁no", -3, normal},
                                              {"▁", -4, normal}},
                                             0);
  write("config.json", R"({"model_type": "marian"})");
  write("source.spm", pieces);
  EXPECT_THAT(complaint_of_folder(), HasSubstr("vocab.json"));
  // The target's pieces are numbered, too, but not looked for.
  write("vocab.json",
        R"({"</s>": 0, "<unk>": 1, "▁cat": 2, "▁": 3, "▁the": 4, "▁chat": 5, ">>fra<<": 6, "<pad>": 7})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(4, 2, 0));
  EXPECT_THAT(read().encode(">>fra<< the").ids(), ElementsAre(6, 4, 0));
  EXPECT_THAT(read().encode("no chat").ids(), ElementsAre(1, 3, 1, 0));
  EXPECT_EQ(read().decode(std::vector<TokenId>{4, 5, 0}, true), "the chat");
  std::filesystem::remove(at("source.spm"));
  write("config.json", R"({"model_type": "m2m_100"})");
  write("sentencepiece.bpe.model", pieces);
  write("vocab.json", R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "▁cat": 4, "▁the": 5})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(6 + 18, 5, 4, 2)) << "en is the 19th of 100";
  write("tokenizer_config.json", R"({"language_codes": "wmt21"})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(6, 5, 4, 2));
  write("tokenizer_config.json", R"({"language_codes": "all"})");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("language_codes is \"all\"; expected one of: m2m100, wmt21"));
  std::filesystem::remove(at("tokenizer_config.json"));
  write("special_tokens_map.json", R"({"additional_special_tokens": ["__af__", "__en__", "__fr__"]})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(7, 5, 4, 2));
  write("tokenizer_config.json", R"({"src_lang": "fr"})");
  EXPECT_THAT(read().encode("the cat").ids(), ElementsAre(8, 5, 4, 2));
}

TEST_F(TokenizerFolder, nllb_and_m2m_from_merged_pieces) {
  // As their files have them: BPE.
  const std::string pieces = sentence_pieces({{"<unk>", 0, unknown_piece},
                                              {"<s>", 0, control},
                                              {"</s>", 0, control},
                                              {"▁t", -1, normal},
                                              {"he", -2, normal},
                                              {"▁the", -3, normal},
                                              {"▁", -9, normal},
                                              {"t", -9, normal},
                                              {"h", -9, normal},
                                              {"e", -9, normal}},
                                             0, 2);
  write("config.json", R"({"model_type": "m2m_100"})");
  write("tokenizer_config.json", R"({"tokenizer_class": "NllbTokenizer"})");
  write("sentencepiece.bpe.model", pieces);
  EXPECT_THAT(read().encode("the").ids(), ElementsAre(11 + 46, 6, 2)) << "of 202 languages";
  write("special_tokens_map.json", R"({"additional_special_tokens": ["eng_Latn", "fra_Latn"]})");
  EXPECT_THAT(read().encode("the het").ids(), ElementsAre(11, 6, 7, 5, 8, 2));
  EXPECT_THAT(read().encode("the zz").ids(), ElementsAre(11, 6, 7, 3, 2));
  EXPECT_EQ(read().find("fra_Latn"), 12);
  EXPECT_EQ(read().find("<mask>"), 13);
  EXPECT_EQ(read().decode(std::vector<TokenId>{12, 6, 2}, true), "the");
  write("tokenizer_config.json",
        R"({"tokenizer_class": "NllbTokenizer", "src_lang": "fra_Latn", "legacy_behaviour": true})");
  EXPECT_THAT(read().encode("the").ids(), ElementsAre(6, 2, 12));
  std::filesystem::remove(at("special_tokens_map.json"));
  write("added_tokens.json", R"({"fra_Latn": 11, "eng_Latn": 12, "<mask>": 13})");
  EXPECT_THAT(read().encode("the").ids(), ElementsAre(6, 2, 11)) << "in the order of their numbers";

  std::filesystem::remove(at("added_tokens.json"));
  write("tokenizer_config.json", R"({"tokenizer_class": "M2M100Tokenizer"})");
  write("special_tokens_map.json", R"({"additional_special_tokens": ["__en__", "__fr__"]})");
  write("vocab.json", R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "▁the": 4, "he": 5, "▁t": 6, "▁": 7,
                          "t": 8, "e": 9})");
  EXPECT_THAT(read().encode("the het").ids(), ElementsAre(10, 6, 3, 9, 7, 3, 9, 8, 2))
      << "h has no number, so he is not merged";
  write("vocab.json", R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "▁the": 4, "he": 5, "▁t": 6, "▁": 7,
                          "t": 8, "e": 9, "h": 10})");
  EXPECT_THAT(read().encode("the het").ids(), ElementsAre(11, 4, 7, 5, 8, 2));

  // A damaged file's piece with a space, which no text has by then.
  write("sentencepiece.bpe.model", sentence_pieces({{"<unk>", 0, unknown_piece},
                                                    {"h", -9, normal},
                                                    {"e", -9, normal},
                                                    {"he", -1, normal},
                                                    {"h e", -1, normal}},
                                                   0, 2));
  write("vocab.json", R"({"</s>": 0, "<unk>": 1, "▁": 2, "h": 3, "e": 4, "he": 5, "h e": 6})");
  EXPECT_THAT(read().encode("he").ids(), ElementsAre(7, 2, 5, 0));
}

TEST_F(TokenizerFolder, clip_from_vocab_and_merges) {
  write("config.json", R"({"model_type": "clip"})");
  write("vocab.json", R"({"a": 0, "c": 1, "t": 2, "a</w>": 3, "t</w>": 4, "ca": 5, "cat</w>": 6, "1</w>": 7,
    "<|startoftext|>": 8, "<|endoftext|>": 9})");
  write("merges.txt", "#version: 0.2\nc a\nca t</w>\n");
  EXPECT_THAT(read().encode("A  CAT 11").ids(), ElementsAre(8, 3, 6, 7, 7, 9));
  EXPECT_THAT(read().encode("acat").ids(), ElementsAre(8, 0, 6, 9));
  EXPECT_THAT(read().encode("z").ids(), ElementsAre(8, 9, 9)) << "unknown";
  write("vocab.json", R"({"a": 0})");
  write("merges.txt", "");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("the vocabulary has no <|endoftext|>"));
}

TEST_F(TokenizerFolder, mpnet_from_a_list_of_words) {
  write("config.json", R"({"model_type": "mpnet"})");
  write("vocab.txt", "<s>\n<pad>\n</s>\n[UNK]\ncat\n<mask>\n");
  EXPECT_THAT(read().encode("Cat <mask> x").ids(), ElementsAre(0, 4, 5, 3, 2));
  EXPECT_THAT(read().encode("cat", "cat").ids(), ElementsAre(0, 4, 2, 2, 4, 2));
}

// As transformers' EsmTokenizer has them.
TEST_F(TokenizerFolder, esm_takes_each_amino_acid_wherever_it_stands) {
  write("config.json", R"({"model_type": "esm"})");
  write("vocab.txt", "<cls>\n<pad>\n<eos>\n<unk>\nM\nK\nT\n<mask>\n");
  EXPECT_THAT(read().encode("MKT").ids(), ElementsAre(0, 4, 5, 6, 2));
  EXPECT_THAT(read().encode("M K\nT").ids(), ElementsAre(0, 4, 5, 6, 2));
  EXPECT_THAT(read().encode("MK<mask>Tjj").ids(), ElementsAre(0, 4, 5, 7, 6, 3, 2));
  EXPECT_THAT(read().encode("").ids(), ElementsAre(0, 2));
}

TEST_F(TokenizerFolder, pieces_that_are_damaged_are_refused) {
  write("config.json", R"({"model_type": "t5"})");
  const std::string whole = sentence_pieces({{"</s>", 0, control}, {"a", -1, normal}}, 1);
  const auto said = [&](const std::string& bytes) {
    write("spiece.model", bytes);
    return complaint_of_folder();
  };
  for (std::size_t size = 1; size < whole.size(); ++size) said(whole.substr(0, size));  // nothing worse
  EXPECT_THAT(said(""), HasSubstr("damaged, or no model of SentencePiece"));
  EXPECT_THAT(said(whole.substr(0, 9)), HasSubstr("damaged, or no model of SentencePiece"));
  EXPECT_THAT(said("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("damaged, or no model"));
  EXPECT_THAT(said(sentence_pieces({{"</s>", 0, control}}, 5)),
              HasSubstr("the unknown token is 5; expected less than 1"));
  EXPECT_THAT(said(sentence_pieces({{"</s>", 0, control}}, 0, 3)),
              HasSubstr("its pieces are not those of a Unigram model"));
  EXPECT_THAT(said(sentence_pieces({{"\xff", 0, normal}}, 0)), HasSubstr("piece 0 is not valid UTF-8"));
  EXPECT_THAT(said(sentence_pieces({{"a", std::numeric_limits<float>::infinity(), normal}}, 0)),
              HasSubstr("the score of piece 0 is inf; expected a finite number"));
  EXPECT_THAT(said(sentence_pieces({{"a", 0, normal}}, 0)), HasSubstr("the vocabulary has no </s>"));
}

TEST_F(TokenizerFolder, says_what_is_missing) {
  EXPECT_THAT(
      complaint_of_folder(),
      HasSubstr("tokenizer.json is missing; expected it, or vocab.json with merges.txt, or vocab.txt"));
  write("vocab.json", "{}");
  write("source.spm", "");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("tokenizer.json is missing; source.spm alone is not enough"));
  write("tokenizer_config.json", "[]");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("tokenizer_config.json: []; expected an object"));
}

TEST_F(TokenizerFolder, links_stay_in_the_folder) {
  const TempFolder other;
  const std::string words = (other.path / "words").string();
  std::ofstream(words) << "[UNK]\n[CLS]\n[SEP]\na\n";
  for (const char* name : {"tokenizer_config.json", "vocab.txt"}) {
    std::filesystem::create_symlink(words, at(name));
    EXPECT_THAT(complaint_of_folder(),
                AllOf(HasSubstr(name), HasSubstr("a link that leads out of the folder")));
    std::filesystem::remove(at(name));
  }
}

TEST_F(TokenizerFolder, files_next_to_the_vocabulary_are_checked) {
  write("vocab.json", R"({"a": 0, "b": 1})");
  write("merges.txt", "a b c\n");
  EXPECT_THAT(complaint_of_folder(),
              HasSubstr("merges.txt: line 1 is a b c; expected two tokens with a space between"));
  write("merges.txt", "a b\n");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("merges.txt: merge 0 needs \"ab\""));
  write("merges.txt", "\xff");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("merges.txt: byte 0 is not valid UTF-8"));
  write("merges.txt", "");
  write("added_tokens.json", R"({"x": "y"})");
  EXPECT_THAT(complaint_of_folder(), HasSubstr("added_tokens.json: x is \"y\"; expected a whole number"));
  write("added_tokens.json", "{}");
  write("tokenizer_config.json", R"({"added_tokens_decoder": {"x": {"content": "y"}}})");
  EXPECT_THAT(complaint_of_folder(),
              HasSubstr("added_tokens_decoder: x is no id of a token; expected a whole number"));
  write("tokenizer_config.json", R"({"bos_token": 7})");
  EXPECT_NE(complaint_of_folder(), "no complaint");
}

}  // namespace headscope::tests

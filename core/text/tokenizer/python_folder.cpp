#include "core/text/tokenizer/python_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/utf8.h"
#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/decoder.h"

namespace headscope::tokenizers {
namespace {

using Json = nlohmann::json;

/// A token of each character that is in the vocabulary.
class CharacterModel : public Model {
 public:
  CharacterModel(Vocabulary vocabulary, TokenId unknown) : Model(std::move(vocabulary)), unknown_(unknown) {}

  void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const override {
    budget.spend(piece.size());
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t end = at + utf8_size(piece[at]);
      tokens.push_back({vocabulary().find(piece.substr(at, end - at)).value_or(unknown_), {at, end}});
      at = end;
    }
  }
  std::optional<TokenId> unknown() const override { return unknown_; }

 private:
  TokenId unknown_;
};

/// Xue et al. 2022: the tokens are bytes, behind three others.
class ByteModel : public Model {
 public:
  using Model::Model;

  void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const override {
    budget.spend(piece.size());
    for (std::size_t at = 0; at < piece.size(); ++at)
      tokens.push_back({first_byte + static_cast<unsigned char>(piece[at]), {at, at + 1}});
  }

  static constexpr TokenId first_byte = 3;
};

/// Slices a text after each character where ends(character) is true, and before it.
template <typename IsAlone>
void slice(const AlignedText& text, const IsAlone& is_alone, bool keeps_alone, std::vector<Piece>& slices) {
  std::size_t begin = 0, at = 0;
  const auto end_slice = [&](std::size_t end) {
    if (begin < end) slices.push_back({text.slice({begin, end}), {}});
  };
  for (const char32_t c : characters(text.text())) {
    const std::size_t end = at + utf8_size(text.text()[at]);
    if (is_alone(c)) {
      end_slice(at);
      if (keeps_alone) slices.push_back({text.slice({at, end}), {}});
      begin = end;
    }
    at = end;
  }
  end_slice(at);
}

/// The pieces that `split(text, pieces)` makes of each text that is not an added token.
template <typename Split>
void split_texts(std::vector<Piece>& pieces, const Split& split) {
  std::vector<Piece> result;
  for (Piece& piece : pieces)
    if (piece.added)
      result.push_back(std::move(piece));
    else
      split(std::move(piece.text), result);
  pieces = std::move(result);
}

// As Python's str.split() and unicodedata have them.
bool is_space(char32_t c) {
  return is_white_space(c) || (c >= 0x1C && c <= 0x1F);
}
bool is_sign(char32_t c) {
  return c < 0x80 ? is_punctuation(c) : has_category(c, "P");
}

void lower(AlignedText& text) {
  const std::u32string all = characters(text.text()), lower = lower_case(all);
  if (lower == all) return;
  std::vector<NewCharacter> changed;
  std::size_t at = 0;
  for (const char32_t c : all)
    for (std::size_t i = 0; i < lower_case(c).size(); ++i) changed.push_back({lower[at++], i == 0 ? 0 : 1});
  text.transform(changed);
}

void drop_accents(AlignedText& text) {
  to_normal_form(text, NormalForm::nfd);
  text.filter([](char32_t c) { return !has_category(c, "Mn"); });
}

/// Spaces for all kinds of spaces; what has no meaning is dropped.
void clean(AlignedText& text) {
  const auto is_break = [](char32_t c) { return c == '\t' || c == '\n' || c == '\r'; };
  text.filter([&](char32_t c) { return c != 0xFFFD && (is_break(c) || !has_category(c, "C")); });
  text.map([&](char32_t c) { return is_break(c) || has_category(c, "Zs") ? U' ' : c; });
  to_normal_form(text, NormalForm::nfc);
}

/// Texts that are no words to be split or lowercased: special tokens and never_split.
std::unordered_set<std::string> whole_words(const TokenizerFolder& folder,
                                            const std::vector<AddedToken>& added) {
  std::unordered_set<std::string> words;
  for (const AddedToken& token : added)
    if (token.special) words.insert(token.content);
  if (const auto list = folder.config().find("never_split"))
    for (const std::string& word : list->each([](const JsonField& one) { return one.text(); }))
      words.insert(word);
  return words;
}

/// BERT's basic words: between spaces, then in lower case without accents, then cut at punctuation.
PreTokenizer basic_words(bool lowers, std::unordered_set<std::string> whole) {
  return [lowers, whole = std::move(whole)](std::vector<Piece>& pieces) {
    split_texts(pieces, [](const AlignedText& text, auto& words) { slice(text, is_space, false, words); });
    split_texts(pieces, [&](AlignedText text, auto& words) {
      if (whole.contains(text.text())) return words.push_back({std::move(text), {}});
      if (lowers) lower(text);
      if (lowers) drop_accents(text);
      slice(text, is_sign, true, words);
    });
  };
}

PreTokenizer in_order(PreTokenizer first, PreTokenizer second) {
  if (!first) return second;
  return [first = std::move(first), second = std::move(second)](std::vector<Piece>& pieces) {
    first(pieces);
    second(pieces);
  };
}

/// What is cut into characters, or into pieces of words.
PreTokenizer subwords(bool by_character) {
  return [by_character](std::vector<Piece>& pieces) {
    split_texts(pieces, [&](AlignedText text, auto& words) {
      if (!by_character) return slice(text, is_space, false, words);
      to_normal_form(text, NormalForm::nfkc);
      if (!text.empty()) words.push_back({std::move(text), {}});
    });
  };
}

/// Words without a dictionary: whether there are any.
bool splits_words(const JsonField& config) {
  if (!config.flag("do_word_tokenize", true)) return false;
  const auto kind = config.find("word_tokenizer_type");
  if (!kind || kind->text() == "basic") return true;
  throw kind->wrong(
      "{}: {} is {}; expected basic: words of MeCab, Sudachi and Juman++ need their dictionaries");
}

bool cuts_characters(const JsonField& config) {
  const auto kind = config.find("subword_tokenizer_type");
  if (!kind || kind->text() == "wordpiece") return false;
  if (kind->text() == "character") return true;
  throw kind->wrong("{}: {} is {}; expected one of: {}", "wordpiece, character");
}

/// A vocabulary of one token a line, as Python reads it; of equal ones the last.
Json numbered_lines(std::string_view text) {
  Json tokens = Json::object();
  for (std::size_t id = 0; !text.empty(); ++id) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    tokens[std::string(line)] = id;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return tokens;
}

/// "[CLS] A [SEP]"
std::string join_words(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens)
    text += token.starts_with("##") && !text.empty() ? token.substr(2) : (text.empty() ? "" : " ") + token;
  return text;
}

/// What is not valid UTF-8 is left out.
std::vector<std::string> decode_bytes(const std::vector<std::string>& tokens, WorkBudget& /*budget*/) {
  std::string bytes;
  for (const std::string& token : tokens) {
    const int byte = byte_of_token(token);
    bytes += byte < 0 ? token : std::string(1, static_cast<char>(byte));
  }
  return {with_broken_parts(bytes, [](std::string_view) { return std::string(); })};
}

/// An end after each text that has none.
PostProcessor end_texts(TokenId end) {
  return [end](Parts& parts, bool with_template, const TokenText&, WorkBudget&) {
    for (std::vector<EncodedToken>& part : parts) {
      for (EncodedToken& token : part) token.type = 0;
      if (!with_template || (!part.empty() && part.back().id == end)) continue;
      EncodedToken token;
      token.id = end;
      token.special = true;
      part.push_back(token);
    }
  };
}

std::vector<AddedToken> special_tokens(std::initializer_list<const char*> contents) {
  std::vector<AddedToken> tokens;
  for (const char* content : contents) tokens.push_back(special_token(content));
  return tokens;
}

}  // namespace

TokenizerParts read_japanese_folder(const TokenizerFolder& folder) {
  const bool splits = splits_words(folder.config()), by_character = cuts_characters(folder.config());
  const std::string path = folder.at("vocab.txt"), text = folder.read_text("vocab.txt"),
                    unknown = folder.role_or("unk_token", "[UNK]");
  JsonFile top(path, text.size());
  (*top.json)["model"] = {{"type", "WordPiece"},
                          {"vocab", numbered_lines(text)},
                          {"unk_token", unknown},
                          {"continuing_subword_prefix", "##"},
                          {"max_input_chars_per_word", 100}};
  Vocabulary vocabulary = Vocabulary::from_object(top.top().at("model").at("vocab"));
  const Json unknown_pair = token_pair(vocabulary, unknown, path);
  (*top.json)["post_processor"] = {
      {"type", "BertProcessing"},
      {"sep", token_pair(vocabulary, folder.role_or("sep_token", "[SEP]"), path)},
      {"cls", token_pair(vocabulary, folder.role_or("cls_token", "[CLS]"), path)}};
  std::unique_ptr<const Model> model;
  if (by_character)
    model = std::make_unique<CharacterModel>(std::move(vocabulary), unknown_pair[1].get<TokenId>());
  const std::vector<AddedToken> added =
      folder.added(special_tokens({"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}));
  TokenizerParts parts = read_parts(top.top(), std::move(model), added);
  parts.facts.model = by_character ? "characters" : "WordPiece";
  parts.normalizer = splits ? Normalizer(clean) : nullptr;
  PreTokenizer words;
  if (splits) words = basic_words(folder.config().flag("do_lower_case", false), whole_words(folder, added));
  parts.pre_tokenizer = in_order(std::move(words), subwords(by_character));
  parts.decoder = [](const std::vector<std::string>& tokens, WorkBudget&) {
    return std::vector<std::string>{join_words(tokens)};
  };
  return parts;
}

TokenizerParts read_byte_folder(const TokenizerFolder& folder) {
  const std::string path = folder.path();
  std::vector<Vocabulary::Entry> entries;
  std::vector<AddedToken> usual;
  for (const auto& [role, token] :
       {std::pair{"pad_token", "<pad>"}, std::pair{"eos_token", "</s>"}, std::pair{"unk_token", "<unk>"}}) {
    usual.push_back(special_token(folder.role_or(role, token), true));
    usual.back().rstrip = true;
    entries.push_back({usual.back().content, static_cast<TokenId>(entries.size())});
  }
  for (int byte = 0; byte < 256; ++byte)
    entries.push_back({fmt::format("<0x{:02X}>", byte), ByteModel::first_byte + byte});
  constexpr std::int64_t most = 10'000;
  const auto extra = folder.config().find("extra_ids");
  const bool listed = !folder.additional().empty() || folder.config().has("added_tokens_decoder");
  for (std::int64_t i = 0; !listed && i < (extra ? extra->integer(0, most) : 125); ++i)
    usual.push_back(special_token(fmt::format("<extra_id_{}>", i)));
  for (const std::string& token : folder.additional()) usual.push_back(special_token(token));
  std::vector<AddedToken> added = folder.added(usual);
  for (AddedToken& token : added)
    token.special = token.special || std::ranges::count(usual, token.content, &AddedToken::content) > 0;
  JsonFile top(path);
  TokenizerParts parts = read_parts(
      top.top(), std::make_unique<ByteModel>(Vocabulary(std::move(entries), path)), std::move(added));
  parts.facts.model = "bytes";
  parts.post_processor = end_texts(1);
  parts.decoder = decode_bytes;
  return parts;
}

}  // namespace headscope::tokenizers

#include "core/text/tokenizer/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/byte_trie.h"
#include "core/text/tokenizer/unigram.h"

namespace headscope::tokenizers {
namespace {

/// The text contains something unknown, and the vocabulary at `place` has no unknown token.
Error no_unknown(const std::string& place, std::string_view unknown, std::string_view piece) {
  return input_error("{}: \"{}\" is not in the vocabulary, nor is its unknown token {}", place,
                     cut_off(printable(piece), 60), cut_off(printable(unknown), 60));
}

/// The longest token that begins the word, then the longest continuation ("##…"); if there is none, the whole
/// word is unknown.
class WordPiece : public Model {
 public:
  explicit WordPiece(const JsonField& field)
      : Model(Vocabulary::from_object(field.at("vocab"))),
        unknown_(field.at("unk_token").text()),
        max_characters_(static_cast<std::size_t>(
            field.at("max_input_chars_per_word").integer(0, std::numeric_limits<std::int64_t>::max()))),
        place_(field.place()) {
    const std::string prefix = field.at("continuing_subword_prefix").text();
    std::vector<std::pair<std::string_view, std::int32_t>> first, rest;
    for (const auto& [token, id] : vocabulary().entries()) {
      first.emplace_back(token, id);
      if (token.starts_with(prefix)) rest.emplace_back(std::string_view(token).substr(prefix.size()), id);
    }
    first_ = ByteTrie(std::move(first));
    rest_ = LongestBeginnings(rest);
  }

  void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const override {
    budget.spend(1 + piece.size());
    const std::size_t before = tokens.size();
    const auto begins_character = [](char c) { return !continues_character(c); };
    bool known = static_cast<std::size_t>(std::ranges::count_if(piece, begins_character)) <= max_characters_;
    const ByteTrie::Longest begins = known ? first_.longest(piece) : ByteTrie::Longest();
    // Fast path: most words are a single token.
    std::vector<ByteTrie::Longest> longest;
    if (begins.bytes > 0 && begins.bytes < piece.size()) longest = rest_.find(piece);
    for (std::size_t at = 0; known && at < piece.size();) {
      const auto [bytes, id] = at == 0 ? begins : longest[at];
      known = bytes > 0;
      if (known) tokens.push_back({id, {at, at + bytes}});
      at += bytes;
    }
    if (known) return;
    tokens.resize(before);
    const auto unknown = vocabulary().find(unknown_);
    if (!unknown) throw no_unknown(place_, unknown_, piece);
    tokens.push_back({*unknown, {0, piece.size()}});
  }

  std::optional<TokenId> unknown() const override { return vocabulary().find(unknown_); }

 private:
  ByteTrie first_;
  LongestBeginnings rest_;
  std::string unknown_;
  std::size_t max_characters_;
  std::string place_;
};

class WordLevel : public Model {
 public:
  explicit WordLevel(const JsonField& field)
      : Model(Vocabulary::from_object(field.at("vocab"))),
        unknown_(field.at("unk_token").text()),
        place_(field.place()) {}

  void encode(std::string_view piece, std::vector<ModelToken>& tokens, WorkBudget& budget) const override {
    budget.spend(1);
    auto id = vocabulary().find(piece);
    if (!id) id = vocabulary().find(unknown_);
    if (!id) throw no_unknown(place_, unknown_, piece);
    tokens.push_back({*id, {0, piece.size()}});
  }

  std::optional<TokenId> unknown() const override { return vocabulary().find(unknown_); }

 private:
  std::string unknown_, place_;
};

using MadeModel = std::unique_ptr<const Model>;

constexpr Kind<MadeModel> model_kinds[] = {
    {"BPE", read_bpe},
    {"Unigram", read_unigram},
    {"WordLevel", [](const JsonField& field) -> MadeModel { return std::make_unique<WordLevel>(field); }},
    {"WordPiece", [](const JsonField& field) -> MadeModel { return std::make_unique<WordPiece>(field); }}};

}  // namespace

std::string model_type(const JsonField& field) {
  if (const auto type = field.find("type")) return type->one_of(model_kinds).name;
  if (field.find("merges")) return "BPE";
  if (field.find("max_input_chars_per_word")) return "WordPiece";
  return field.at("vocab").is_list() ? "Unigram" : "WordLevel";
}

std::unique_ptr<const Model> read_model(const JsonField& field) {
  const std::string type = model_type(field);
  return std::ranges::find(model_kinds, type, [](const auto& kind) { return std::string(kind.name); })
      ->value(field);
}

std::vector<std::optional<TokenId>> byte_tokens(const Vocabulary& vocabulary) {
  std::vector<std::optional<TokenId>> ids(256);
  for (unsigned byte = 0; byte < 256; ++byte) ids[byte] = vocabulary.find(fmt::format("<0x{:02X}>", byte));
  return ids;
}

int byte_of_token(std::string_view token) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return -1;
  const int high = digit(token[3]), low = digit(token[4]);
  return high < 0 || low < 0 ? -1 : 16 * high + low;
}

}  // namespace headscope::tokenizers

#include "core/text/tokenizer/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"
#include "core/text/text_file.h"
#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/gguf_tokenizer.h"
#include "core/text/tokenizer/parts.h"
#include "core/text/words.h"

namespace headscope {

using namespace tokenizers;

struct Tokenizer::Parts : TokenizerParts {};

Tokenizer::Tokenizer(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

std::vector<TokenId> Encoding::ids() const {
  std::vector<TokenId> all;
  all.reserve(tokens.size());
  for (const EncodedToken& token : tokens) all.push_back(token.id);
  return all;
}

Tokenizer Tokenizer::from_folder(const std::string& folder) {
  return Tokenizer(std::unique_ptr<const Parts>(new Parts{read_folder(folder)}));
}

Tokenizer Tokenizer::from_gguf(const GgufFile& gguf) {
  return Tokenizer(std::unique_ptr<const Parts>(new Parts{read_gguf_tokenizer(gguf)}));
}

Tokenizer Tokenizer::from_json(std::string_view json, const std::string& source) {
  WorkBudget budget(source, json.size());
  const nlohmann::json document = parse_json(json, source, budget);
  return Tokenizer(
      std::unique_ptr<const Parts>(new Parts{read_parts(JsonField(document, source, "", &budget))}));
}

namespace {

std::vector<EncodedToken> encode_sentence(const TokenizerParts& parts, std::string_view text, int sequence,
                                          WorkBudget& budget) {
  check_sentence(text);
  std::vector<Piece> pieces = parts.added->cut(text, parts.normalizer, budget, parts.splits_special);
  if (parts.pre_tokenizer) parts.pre_tokenizer(pieces);
  std::vector<EncodedToken> tokens;
  std::vector<ModelToken> of_piece;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    of_piece.clear();
    const std::size_t size = piece.text.text().size();
    if (piece.added)
      of_piece.push_back({*piece.added, {0, size}});
    else
      parts.model->encode(piece.text.text(), of_piece, budget);
    for (const ModelToken& one : of_piece) {
      const Bytes origin =
          piece.text.origin({std::min(one.bytes.begin, size), std::min(one.bytes.end, size)});
      EncodedToken token;
      token.id = one.id;
      token.begin = std::min(origin.begin, text.size());
      token.end = std::min(std::max(origin.end, token.begin), text.size());
      token.sequence = token.type = sequence;
      token.piece = static_cast<int>(i);
      const AddedToken* added = piece.added ? parts.added->token(one.id) : nullptr;
      token.special = added != nullptr && added->special;
      tokens.push_back(token);
    }
  }
  return tokens;
}

}  // namespace

Encoding Tokenizer::encode(std::string_view text, std::optional<std::string_view> pair, bool with_template,
                           const std::stop_token& stop) const {
  WorkBudget budget(parts_->facts.file, text.size() + pair.value_or("").size(), stop);
  tokenizers::Parts parts{encode_sentence(*parts_, text, 0, budget)};
  if (pair) parts.push_back(encode_sentence(*parts_, *pair, 1, budget));
  if (parts_->post_processor) {
    const auto text_of = [&](const EncodedToken& token) {
      const bool from_sentence = token.sequence >= 0 && parts_->added->token(token.id) != nullptr;
      if (!from_sentence) return this->token(token.id).value_or(std::string_view());
      return (token.sequence == 0 ? text : *pair).substr(token.begin, token.end - token.begin);
    };
    parts_->post_processor(parts, with_template, text_of, budget);
  }
  Encoding encoding;
  for (const auto& part : parts) encoding.tokens.insert(encoding.tokens.end(), part.begin(), part.end());
  return encoding;
}

std::string Tokenizer::decode(std::span<const TokenId> ids, bool without_special) const {
  std::vector<std::string> tokens;
  for (const TokenId id : ids) {
    const auto text = token(id);
    if (text && !(without_special && parts_->added->is_special(*text))) tokens.emplace_back(*text);
  }
  std::size_t bytes = 0;
  for (const std::string& text : tokens) bytes += text.size();
  const bool joins = static_cast<bool>(parts_->decoder);
  WorkBudget budget(parts_->facts.file, bytes);
  if (joins) tokens = parts_->decoder(std::move(tokens), budget);
  std::string all;
  for (std::size_t i = 0; i < tokens.size(); ++i) all += (i > 0 && !joins ? " " : "") + tokens[i];
  return all;
}

std::optional<std::string_view> Tokenizer::token(TokenId id) const {
  if (const AddedToken* added = parts_->added->token(id)) return added->content;
  return parts_->model->vocabulary().token(id);
}

std::optional<TokenId> Tokenizer::find(std::string_view token) const {
  if (const auto id = parts_->added->find(token)) return id;
  return parts_->model->vocabulary().find(token);
}

bool Tokenizer::is_special(TokenId id) const {
  const AddedToken* added = parts_->added->token(id);
  return added != nullptr && parts_->added->is_special(added->content);
}

std::size_t Tokenizer::size() const {
  return parts_->model->vocabulary().size() + parts_->added->beyond_model();
}

std::optional<TokenId> Tokenizer::unknown() const {
  return parts_->model->unknown();
}

std::optional<TokenId> Tokenizer::role(std::string_view name) const {
  const auto found = parts_->roles.find(name);
  if (found == parts_->roles.end()) return {};
  return found->second;
}

const TokenizerFacts& Tokenizer::facts() const {
  return parts_->facts;
}

namespace {

/// Text with ⟨E4⟩ for each byte that is not part of a whole character.
std::string with_bytes_shown(std::string_view bytes) {
  return printable(with_broken_parts(bytes, [](std::string_view part) {
    std::string shown;
    for (const char byte : part) shown += fmt::format("⟨{:02X}⟩", unsigned{static_cast<std::uint8_t>(byte)});
    return shown;
  }));
}

}  // namespace

std::string Tokenizer::shown(TokenId id) const {
  const auto text = token(id);
  if (!text) return fmt::format("⟨id {}⟩", id);
  if (parts_->added->token(id) != nullptr) return printable(*text);
  if (parts_->has_byte_characters)
    if (const auto bytes = bytes_of_characters(*text)) return with_bytes_shown(*bytes);
  if (const int byte = byte_of_token(*text); byte >= 0)
    return with_bytes_shown(std::string(1, static_cast<char>(byte)));
  std::string result(*text);
  constexpr std::string_view sign = "▁";
  for (std::size_t at = result.find(sign); at != std::string::npos; at = result.find(sign, at))
    result.replace(at, sign.size(), " ");
  return printable(result);
}

namespace {

/// Where words of languages without spaces begin, by ICU's dictionaries.
std::set<std::size_t> dictionary_words(std::string_view text) {
  std::set<std::size_t> begins;
  const std::u32string all = characters(text);
  if (std::ranges::none_of(all, is_written_without_spaces)) return begins;
  for (const Token& word : headscope::words(text)) {
    std::size_t at = word.begin;
    if (is_written_without_spaces(next_code_point(text, at))) begins.insert(word.begin);
  }
  return begins;
}

}  // namespace

std::vector<int> Tokenizer::words(const Encoding& encoding, std::string_view text,
                                  std::optional<std::string_view> pair) const {
  const std::set<std::size_t> begins[] = {dictionary_words(text), dictionary_words(pair.value_or(""))};
  std::vector<int> numbers;
  const EncodedToken* before = nullptr;
  for (const EncodedToken& token : encoding.tokens) {
    const auto goes_on = [&] {
      if (before == nullptr || token.sequence < 0 || before->sequence != token.sequence ||
          before->piece != token.piece)
        return false;
      if (this->token(token.id).value_or("").starts_with("▁")) return false;
      return token.begin < before->end || !begins[token.sequence].contains(token.begin);
    };
    const int number = numbers.empty() ? 0 : numbers.back() + 1;
    numbers.push_back(goes_on() ? number - 1 : number);
    before = &token;
  }
  return numbers;
}

}  // namespace headscope

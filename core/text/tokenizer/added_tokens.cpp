#include "core/text/tokenizer/added_tokens.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "core/text/tokenizer/characters.h"

namespace headscope::tokenizers {
namespace {

char32_t character_before(std::string_view text, std::size_t at) {
  at = last_character(text.substr(0, at));
  return next_code_point(text, at);
}

char32_t character_at(std::string_view text, std::size_t at) {
  return next_code_point(text, at);
}

bool is_alone(std::string_view text, Bytes match) {
  return (match.begin == 0 || !is_word(character_before(text, match.begin))) &&
         (match.end == text.size() || !is_word(character_at(text, match.end)));
}

std::size_t without_space_before(std::string_view text, std::size_t at, std::size_t minimum) {
  while (at > minimum) {
    const char32_t c = character_before(text, at);
    if (!is_white_space(c)) break;
    std::string written;
    append_utf8(written, c);
    at -= written.size();
  }
  return at;
}

std::size_t behind_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_white_space(character_at(text, at))) at += utf8_size(text[at]);
  return at;
}

}  // namespace

AddedToken read_added_token(const JsonField& field) {
  AddedToken token;
  token.content = field.at("content").text();
  token.special = field.flag("special", false);
  token.single_word = field.flag("single_word", false);
  token.lstrip = field.flag("lstrip", false);
  token.rstrip = field.flag("rstrip", false);
  token.normalized = field.flag("normalized", !token.special);
  return token;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Model& model, const Normalizer& normalizer,
                         WorkBudget& budget) {
  const std::size_t model_size = model.vocabulary().size();
  std::optional<TokenId> largest;
  std::vector<const AddedToken*> specials, others;
  for (const AddedToken& token : tokens)
    if (token.special && !token.content.empty() && special_.emplace(token.content, true).second)
      specials.push_back(&token);
  for (const AddedToken& token : tokens) {
    if (token.content.empty()) continue;
    auto id = find(token.content);
    if (!id) id = model.vocabulary().find(token.content);
    if (!id) {
      const auto next = static_cast<TokenId>(model_size);
      id = largest && (*largest >= next || next == 0) ? *largest + 1 : next;
      ++beyond_model_;
    }
    const auto known = tokens_.find(*id);
    if (known != tokens_.end() && known->second == token) continue;
    ids_[token.content] = *id;
    tokens_[*id] = token;
    largest = largest ? std::max(*largest, *id) : *id;
    if (!special_.contains(token.content)) others.push_back(&token);
  }
  std::vector<std::pair<std::string_view, std::int32_t>> raw, normalized;
  std::vector<std::string> contents;
  contents.reserve(tokens.size());
  specials.insert(specials.end(), others.begin(), others.end());
  for (const AddedToken* token : specials) {
    const TokenId id = ids_.at(token->content);
    if (!token->normalized) {
      raw.emplace_back(token->content, id);
      continue;
    }
    AlignedText text(token->content, budget);
    if (normalizer) normalizer(text);
    contents.push_back(text.text());
    normalized.emplace_back(contents.back(), id);
  }
  raw_ = LongestBeginnings(raw);
  normalized_ = LongestBeginnings(normalized);
}

std::optional<TokenId> AddedTokens::find(std::string_view token) const {
  const auto found = ids_.find(std::string(token));
  if (found == ids_.end()) return {};
  return found->second;
}

const AddedToken* AddedTokens::token(TokenId id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? nullptr : &found->second;
}

bool AddedTokens::is_special(std::string_view token) const {
  return special_.contains(std::string(token));
}

std::vector<TokenId> AddedTokens::ids() const {
  std::vector<TokenId> all;
  for (const auto& [id, token] : tokens_) all.push_back(id);
  std::ranges::sort(all);
  return all;
}

void AddedTokens::cut_out(const LongestBeginnings& tokens, const AlignedText& text, bool as_text,
                          std::vector<Piece>& pieces) const {
  const std::string& all = text.text();
  std::vector<std::pair<Bytes, TokenId>> found;
  std::size_t done = 0;
  const std::vector<ByteTrie::Longest> longest =
      tokens.empty() ? std::vector<ByteTrie::Longest>() : tokens.find(all);
  for (std::size_t at = 0; at < longest.size();) {
    const auto [bytes, id] = longest[at];
    if (bytes == 0) {
      ++at;
      continue;
    }
    Bytes match{at, at + bytes};
    at = match.end;
    const AddedToken& token = tokens_.at(id);
    if ((as_text && is_special(token.content)) || (token.single_word && !is_alone(all, match))) continue;
    if (token.lstrip)
      match.begin = std::max(without_space_before(all, match.begin, std::min(done, match.begin)),
                             std::min(done, match.end));
    if (token.rstrip) match.end = behind_space(all, match.end);
    found.emplace_back(match, id);
    done = match.end;
  }
  done = 0;
  for (const auto& [match, id] : found) {
    if (done < match.begin) pieces.push_back({text.slice({done, match.begin}), {}});
    pieces.push_back({text.slice(match), id});
    done = match.end;
  }
  // Slice even the whole text: a piece begins at the origin of its first character.
  if (done < all.size()) pieces.push_back({text.slice({done, all.size()}), {}});
}

std::vector<Piece> AddedTokens::cut(std::string_view sentence, const Normalizer& normalizer,
                                    WorkBudget& budget, bool as_text) const {
  std::vector<Piece> raw, pieces;
  cut_out(raw_, AlignedText(sentence, budget), as_text, raw);
  for (Piece& piece : raw) {
    if (piece.added) {
      pieces.push_back(std::move(piece));
      continue;
    }
    if (piece.text.empty()) continue;
    if (normalizer) normalizer(piece.text);
    cut_out(normalized_, piece.text, as_text, pieces);
  }
  std::erase_if(pieces, [](const Piece& piece) { return !piece.added && piece.text.empty(); });
  return pieces;
}

}  // namespace headscope::tokenizers

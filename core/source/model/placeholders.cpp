#include "core/source/model/placeholders.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

bool is_latin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// At the beginning of a sentence a word is capitalized.
bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Whether it begins with a Chinese character other than punctuation (U+3000 to U+303F, U+FF00 to U+FFEF).
bool begins_chinese(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text.front()) >= 0xE3 &&
         static_cast<unsigned char>(text.front()) <= 0xE9 && !text.starts_with("\xE3\x80");
}
bool ends_chinese(std::string_view text) {
  return text.size() >= 3 && begins_chinese(text.substr(text.size() - 3));
}

/// Appends with a space between Chinese and Latin letters.
void append(std::string& text, std::string_view part) {
  if (text.empty() || part.empty()) {
    text += part;
    return;
  }
  const bool apart =
      (ends_chinese(text) && is_latin(part.front())) || (is_latin(text.back()) && begins_chinese(part));
  text += (apart ? " " : "") + std::string(part);
}

}  // namespace

Placeholders::Placeholders(const ModelConfig& config, const Tokenizer& tokenizer) {
  if (!config.notes) return;
  for (const std::string& slot : config.notes->slots) {
    const std::optional<TokenId> id = tokenizer.find(slot);
    if (!id)
      throw input_error("headscope.slots: \"{}\" is not in the vocabulary of {}",
                        cut_off(printable(slot), 60), tokenizer.facts().file);
    slots_.push_back(*id);
  }
  unknown_ = tokenizer.unknown();
}

void Placeholders::replace_unknown(std::string_view text, std::vector<Token>& tokens, bool known_alone) {
  if (slots_.empty() || !unknown_) return;
  for (Token& token : tokens) {
    if (token.id != *unknown_ || token.end <= token.begin || token.end > text.size()) continue;
    const std::string word(text.substr(token.begin, token.end - token.begin));
    auto found =
        std::ranges::find_if(words_, [&](const std::string& known) { return same_word(known, word); });
    if (found == words_.end() && !known_alone) found = words_.insert(words_.end(), word);
    const std::size_t slot = found - words_.begin();
    token.unknown = true;
    token.special = false;
    token.placeholder = slot < std::min(words_.size(), slots_.size());
    if (token.placeholder) token.id = slots_[slot];
    token.text = "⟨" + word + (token.placeholder ? "⟩" : "?⟩");
  }
}

bool Placeholders::all_in(std::span<const Index> ids) const {
  for (std::size_t slot = 0; slot < std::min(words_.size(), slots_.size()); ++slot)
    if (std::ranges::find(ids, Index{slots_[slot]}) == ids.end()) return false;
  return true;
}

int Placeholders::word_of(Index id) const {
  const auto slot = std::ranges::find(slots_, static_cast<TokenId>(id)) - slots_.begin();
  return slot < std::ssize(slots_) && slot < std::ssize(words_) ? static_cast<int>(slot) : -1;
}

Token Placeholders::written(Token token) const {
  const int word = word_of(token.id);
  if (word < 0) return token;
  token.text = "⟨" + words_[word] + "⟩";
  token.unknown = token.placeholder = true;
  token.special = false;
  return token;
}

std::string Placeholders::decode(std::span<const TokenId> ids, const Tokenizer& tokenizer) const {
  std::string text;
  for (std::size_t begin = 0; begin < ids.size();) {
    std::size_t end = begin;
    while (end < ids.size() && word_of(ids[end]) < 0) ++end;
    if (end > begin) append(text, tokenizer.decode(ids.subspan(begin, end - begin), true));
    if (end < ids.size()) append(text, words_[word_of(ids[end])]);
    begin = end + 1;
  }
  return text;
}

}  // namespace headscope

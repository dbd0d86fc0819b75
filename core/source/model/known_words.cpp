#include "core/source/model/known_words.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Of ASCII letters, and digits after them, at least two characters; of another script, letters.
bool is_word(std::string_view text) {
  if (!is_ascii(text)) return is_plain_word(text);
  const auto fits = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return text.size() > 1 && is_letter(text.front()) && std::ranges::all_of(text, fits);
}

/// The text of a token that is a whole word; empty if it is not one, or is not read back as it.
std::string word_of(const Tokenizer& tokenizer, TokenId id) {
  if (!tokenizer.token(id) || tokenizer.is_special(id) || tokenizer.unknown() == id) return {};
  std::string text = tokenizer.shown(id);
  if (text.starts_with(' ')) text.erase(0, 1);
  if (!is_word(text)) return {};
  const std::vector<TokenId> ids = tokenizer.encode(" " + text, {}, false).ids();
  return ids.size() == 1 && ids.front() == id ? text : std::string();
}

}  // namespace

Index unknown_count(std::span<const Token> tokens) {
  return std::ranges::count_if(tokens,
                               [](const Token& token) { return token.unknown && !token.placeholder; });
}

bool mostly_unknown(std::span<const Token> tokens) {
  return 2 * unknown_count(tokens) > std::ssize(tokens);
}

std::string text_of_known_words(const Tokenizer& tokenizer) {
  constexpr std::size_t count = 6, frequent = 4096;
  const std::size_t ids = std::min(tokenizer.size(), frequent);
  std::string text;
  for (std::size_t part = 0; part < count; ++part)
    for (std::size_t id = part * ids / count; id < (part + 1) * ids / count; ++id) {
      const std::string word = word_of(tokenizer, static_cast<TokenId>(id));
      if (word.empty() || (!text.empty() && is_ascii(word) != is_ascii(text))) continue;
      text += (text.empty() ? "" : " ") + word;
      break;
    }
  return text;
}

}  // namespace headscope

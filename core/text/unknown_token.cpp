#include "core/text/unknown_token.h"

#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr std::string_view before_word = " (", after_word = ")";

}  // namespace

void name_unknown(Token& token, std::string_view word) {
  constexpr std::size_t longest = 60;  // bytes
  while (word.starts_with(' ')) word.remove_prefix(1);
  if (word.empty() || word == token.text) return;
  token.unknown = true;
  token.text.append(before_word).append(cut_off(word, longest)).append(after_word);
}

std::string_view text_in_vocabulary(const Token& token) {
  const std::string_view text = token.text;
  const bool named = token.unknown && !token.placeholder && text.ends_with(after_word);
  return named ? text.substr(0, text.find(before_word)) : text;
}

std::string_view word_of_unknown(std::string_view label) {
  const bool special = label.starts_with('<') || label.starts_with('[');
  const std::size_t end = label.find(before_word);
  if (!special || end == label.npos || !label.ends_with(after_word)) return {};
  return label.substr(end + 1);
}

}  // namespace headscope

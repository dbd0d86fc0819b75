#include "core/text/token_label.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <iterator>

#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr std::string_view before_word = " (", after_word = ")";

/// Whether the blank separates "<unk>" or "[UNK]" from the word that name_unknown() appends.
bool divides_from_word(std::string_view text, std::size_t blank) {
  return blank > 0 && (text[blank - 1] == '>' || text[blank - 1] == ']') &&
         text.substr(blank).starts_with(" (") && text.ends_with(')');
}

}  // namespace

std::string token_label(std::string_view text) {
  if (text == no_token_label) return std::string(text);
  std::string label;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::int32_t c = next_code_point(text, at);
    if (c == ' ')
      label += divides_from_word(text, begin) ? " " : "·";
    else if (c == '\n')
      label += "↵";
    else if (c < 0x20 || (c >= 0x200B && c <= 0x200F && c != 0x200D))
      label += fmt::format("<{:X}>", c);
    else
      label += text.substr(begin, at - begin);
  }
  return label;
}

bool is_plain_word(std::string_view text) {
  for (std::size_t at = 0; at < text.size();)
    if (!u_isalpha(next_code_point(text, at))) return false;
  return !text.empty();
}

std::string number_of_repeated(const std::vector<Token>& tokens, int i) {
  const std::string& text = tokens[i].text;
  const auto same = [&](const Token& token) { return token.text == text; };
  const auto first = std::ranges::find_if(tokens, same);
  const bool repeated = std::find_if(std::next(first), tokens.end(), same) != tokens.end();
  return repeated ? " (" + std::to_string(i + 1) + ")" : std::string();
}

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

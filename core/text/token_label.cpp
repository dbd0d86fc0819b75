#include "core/text/token_label.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include "core/base/code_points.h"

namespace headscope {
namespace {

/// Whether the blank separates "<unk>" or "[UNK]" from the word that name_unknown() appends.
bool divides_from_word(std::string_view text, std::size_t blank) {
  return blank > 0 && (text[blank - 1] == '>' || text[blank - 1] == ']') &&
         text.substr(blank).starts_with(" (") && text.ends_with(')');
}

}  // namespace

std::string token_label(std::string_view text) {
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

}  // namespace headscope

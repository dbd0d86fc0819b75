#include "core/text/find_tokens.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace headscope {
namespace {

/// Case-folded, without blanks.
icu::UnicodeString folded(std::string_view text) {
  const icu::UnicodeString all =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())))
          .foldCase();
  icu::UnicodeString kept;
  for (std::int32_t at = 0; at < all.length(); at = all.moveIndex32(at, 1))
    if (const UChar32 character = all.char32At(at); !u_isUWhiteSpace(character)) kept.append(character);
  return kept;
}

/// A token by its number, optionally preceded by "#".
std::optional<Index> number_of(std::string_view wanted, Index count) {
  while (wanted.starts_with(' ')) wanted.remove_prefix(1);
  while (wanted.ends_with(' ')) wanted.remove_suffix(1);
  if (wanted.starts_with('#')) wanted.remove_prefix(1);
  Index number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error != std::errc() || end != wanted.data() + wanted.size() || number < 1 || number > count) return {};
  return number - 1;
}

}  // namespace

std::vector<FoundTokens> find_tokens(const std::vector<Token>& tokens, std::string_view wanted) {
  std::vector<FoundTokens> found;
  const Index count = tokens.size();
  const icu::UnicodeString sought = folded(wanted);
  if (sought.isEmpty()) return found;
  icu::UnicodeString all;
  std::vector<std::int32_t> begins;
  for (const Token& token : tokens) {
    begins.push_back(all.length());
    all.append(folded(token.text));
  }
  for (std::int32_t at = all.indexOf(sought); at >= 0; at = all.indexOf(sought, at + 1)) {
    // Blank tokens are empty here: of several that begin at one position the last contains the text.
    const auto first = std::ranges::upper_bound(begins, at) - begins.begin() - 1;
    const auto last = std::ranges::upper_bound(begins, at + sought.length() - 1) - begins.begin() - 1;
    const bool inside = begins[first] != at;
    if (inside && last > first) continue;
    if (found.empty() || found.back() != FoundTokens{first, last}) found.push_back({first, last});
  }
  if (!found.empty()) return found;
  if (const auto number = number_of(wanted, count)) found.push_back({*number, *number});
  return found;
}

}  // namespace headscope

#include "core/text/repeated_token.h"

#include <algorithm>
#include <iterator>

namespace headscope {

std::string number_of_repeated(const std::vector<Token>& tokens, int i) {
  const std::string& text = tokens[static_cast<std::size_t>(i)].text;
  const auto same = [&](const Token& token) { return token.text == text; };
  const auto first = std::ranges::find_if(tokens, same);
  const bool repeated = std::find_if(std::next(first), tokens.end(), same) != tokens.end();
  return repeated ? " (" + std::to_string(i + 1) + ")" : std::string();
}

}  // namespace headscope

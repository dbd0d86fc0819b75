#pragma once
#include <string_view>
#include <vector>

#include "core/base/tensor.h"
#include "core/text/words.h"

namespace headscope {

/// Tokens [first, last] where a text was found.
struct FoundTokens {
  Index first = 0, last = 0;
  bool operator==(const FoundTokens&) const = default;
};

/// Where `wanted` stands, whatever the case of its letters (Unicode's full case folding): inside of a token,
/// or from the beginning of one over those that follow, blanks aside. "#12", or "12" where no token has that
/// text, is token 12, counted from 1. Occurrences in the order of the tokens; nothing for a text of blanks.
std::vector<FoundTokens> find_tokens(const std::vector<Token>& tokens, std::string_view wanted);

}  // namespace headscope

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

/// Finds `wanted`, ignoring case (Unicode's full case folding) and blanks: inside a token, or spanning tokens
/// from the beginning of one. "#12", or "12" if no token has that text, is token 12, counted from 1.
/// Occurrences in token order; nothing if `wanted` is blank.
std::vector<FoundTokens> find_tokens(const std::vector<Token>& tokens, std::string_view wanted);

}  // namespace headscope

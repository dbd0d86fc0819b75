#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "core/text/words.h"

namespace headscope {

/// Manually set token boundaries. A boundary is the index of the character (code point) after it, from 0.
struct Boundaries {
  const std::set<int>& splits;  ///< a token ends here, within a word
  const std::set<int>& joins;   ///< a token that begins here is joined to the one before
};

/// The words of `text` with those boundaries; a boundary with nothing to split or join has no effect. White
/// space belongs to a token only in its interior.
std::vector<Token> apply(const Boundaries& boundaries, std::vector<Token> words, std::string_view text);

/// Maps boundaries of `before` to the edited text: keeps those whose characters on both sides are unchanged.
std::set<int> moved_boundaries(const std::set<int>& boundaries, std::string_view before,
                               std::string_view after);

/// Characters (code points) of a text in UTF-8.
int count_characters(std::string_view text);

}  // namespace headscope

#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "core/text/words.h"

namespace headscope {

/// Boundaries between tokens that somebody set by hand. A boundary is the number of the character (code
/// point) that stands after it, from 0.
struct Boundaries {
  const std::set<int>& splits;  ///< a token ends here although it is no end of a word
  const std::set<int>& joins;   ///< where a token begins: it goes on from the one before
};

/// The words of `text` with those boundaries; a place where there is nothing to split or to join changes
/// nothing. White space belongs to a token only inside of it.
std::vector<Token> apply(const Boundaries& boundaries, std::vector<Token> words, std::string_view text);

/// Boundaries of `before` in the text that it was changed to: those stay whose characters on both sides stay.
std::set<int> carried(const std::set<int>& boundaries, std::string_view before, std::string_view after);

/// Characters (code points) of a text in UTF-8.
int count_characters(std::string_view text);

}  // namespace headscope

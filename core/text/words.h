#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct Token {
  std::string text;       ///< UTF-8
  std::size_t begin = 0;  ///< bytes of the sentence [begin, end)
  std::size_t end = 0;
  /// The sentence of the text it is in, from 0 (for the mask `segments`): by ICU's sentences (UAX #29), which
  /// end at . ! ? 。 ！ ？ and line ends, and also where a lower-case word follows ". ", "! " or "? ".
  int sentence = 0;
  std::ptrdiff_t id = -1;  ///< in the vocabulary of the model that split the text; -1 where none did
  int word = -1;           ///< adjacent tokens with the same number are pieces of one word; -1: none
  bool special = false;    ///< represents nothing in the text, like [CLS]
  /// A word unknown to the model, which reads a placeholder token instead (`placeholder`), or the unknown
  /// token.
  bool unknown = false, placeholder = false;

  bool operator==(const Token&) const = default;
};

/// The words of a text in any language by ICU's word segmentation (UAX #29, with dictionaries for Chinese,
/// Japanese, Thai …): contractions stay whole, punctuation is a token, white space and control characters are
/// not. Throws Error (input) naming the position of the first byte that is not valid UTF-8.
std::vector<Token> words(std::string_view utf8);

/// The part of a piece of such a text that is a token if the piece is on its own; empty if nothing of it is
/// visible.
std::string_view token_part(std::string_view piece);

}  // namespace headscope

#pragma once
#include <string_view>

#include "core/text/words.h"

namespace headscope {

/// Appends the actual word to the name of an unknown token: "<unk> (bridge)".
void name_unknown(Token& token, std::string_view word);

/// The token's text in the vocabulary, without that word.
std::string_view text_in_vocabulary(const Token& token);

/// The part "(bridge)" of a label such as "<unk> (bridge)" or "[UNK] (bridge)"; empty for any other label.
std::string_view word_of_unknown(std::string_view label);

}  // namespace headscope

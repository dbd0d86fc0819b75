#pragma once
#include <string_view>

#include "core/text/words.h"

namespace headscope {

/// Names a token that stands for any unknown word by the word in its place as well: "<unk> (bridge)".
void name_unknown(Token& token, std::string_view word);

/// What the vocabulary calls the token, without that word.
std::string_view text_in_vocabulary(const Token& token);

/// Of a label such as "<unk> (bridge)" or "[UNK] (bridge)" the part "(bridge)"; of any other label nothing.
std::string_view word_of_unknown(std::string_view label);

}  // namespace headscope

#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/text/words.h"

namespace headscope {

/// The text of what stands for no token among the keys of a head with a sink; shown as it is.
inline constexpr std::string_view no_token_label = "no token";

/// A token as every view and figure shows it on its own: blanks as ·, line ends as ↵, invisible characters as
/// <200B>. Idempotent.
std::string token_label(std::string_view text);

/// Whether all characters are letters of any script, so that none is invisible or ambiguous.
bool is_plain_word(std::string_view text);

/// " (4)", the position of a token counted from 1, if its text occurs more than once; otherwise empty.
std::string number_of_repeated(const std::vector<Token>& tokens, int i);

/// Appends the actual word to the name of an unknown token: "<unk> (bridge)".
void name_unknown(Token& token, std::string_view word);

/// The token's text in the vocabulary, without that word.
std::string_view text_in_vocabulary(const Token& token);

/// The part "(bridge)" of a label such as "<unk> (bridge)" or "[UNK] (bridge)"; empty for any other label.
std::string_view word_of_unknown(std::string_view label);

}  // namespace headscope

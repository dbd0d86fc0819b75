#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// A token as every view and figure shows it on its own: blanks as ·, line ends as ↵, invisible characters as
/// <200B>. Idempotent.
std::string token_label(std::string_view text);

/// Whether all characters are letters of any script, so that none is invisible or ambiguous.
bool is_plain_word(std::string_view text);

}  // namespace headscope

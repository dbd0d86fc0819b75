#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// How a token is written where it stands alone, in every view and figure: blanks as ·, line ends as ↵, what
/// cannot be seen as <200B>. What has been written so stays as it is.
std::string token_label(std::string_view text);

/// Whether all of it are letters, of any script: nothing in it is hard to see or to tell from another.
bool is_plain_word(std::string_view text);

}  // namespace headscope

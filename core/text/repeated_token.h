#pragma once
#include <string>
#include <vector>

#include "core/text/words.h"

namespace headscope {

/// " (4)", the position of a token counted from 1, if its text occurs more than once; otherwise empty.
std::string number_of_repeated(const std::vector<Token>& tokens, int i);

}  // namespace headscope

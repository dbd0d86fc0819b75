#pragma once
#include <string>
#include <vector>

#include "core/text/words.h"

namespace headscope {

/// " (4)", the place of a token counted from 1, where its text stands in other places, too; else nothing.
std::string number_of_repeated(const std::vector<Token>& tokens, int i);

}  // namespace headscope

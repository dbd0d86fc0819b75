#pragma once
#include <string>
#include <vector>

#include "core/io/array_file.h"
#include "core/text/words.h"

namespace headscope {

/// What an array of a capture holds as UTF-8. Throws Error (input) for another type, and more than 64 MB.
std::string capture_text(const FiledArray& array);

/// The tokens of each sequence, from a JSON list or numpy's own strings. Throws Error (input) for what is no
/// such list, a sequence without tokens, and one with too many.
std::vector<std::vector<Token>> capture_tokens(const FiledArray& array);

}  // namespace headscope

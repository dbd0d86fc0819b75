#pragma once
#include <string>
#include <vector>

#include "core/io/array_file.h"
#include "core/text/words.h"

namespace headscope {

/// What an array of a capture holds as UTF-8. Throws Error (input) for another type, and more than 64 MB.
std::string capture_text(const FiledArray& array);

/// "1" to n, where a file does not say what the tokens are.
std::vector<Token> numbered_tokens(Index n);
/// More are not read, of all sequences together.
inline constexpr Index most_capture_tokens = Index{1} << 22;

struct CaptureTokens {
  std::vector<std::vector<Token>> sequences;
  bool ids = false;  ///< the file has integers, without a vocabulary: the tokens are numbered
};
/// The tokens of each sequence, from a JSON list, numpy's own strings or integers. Throws Error (input) for
/// what is no such list, a sequence without tokens, and one with too many.
CaptureTokens capture_tokens(const FiledArray& array);

}  // namespace headscope

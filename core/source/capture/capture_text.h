#pragma once
#include <string>
#include <vector>

#include "core/io/array_file.h"
#include "core/text/words.h"

namespace headscope {

/// The UTF-8 text in an array of a capture. Throws Error (input) for another type, and for more than 64 MB.
std::string capture_text(const FiledArray& array);

/// "1" to n, for a file without tokens.
std::vector<Token> numbered_tokens(Index n);
/// The maximum, over all sequences together.
inline constexpr Index max_capture_tokens = Index{1} << 22;

struct CaptureTokens {
  std::vector<std::vector<Token>> sequences;
  bool ids = false;  ///< the file has integers, without a vocabulary: the tokens are numbered
};
/// The tokens of each sequence, from a JSON list, numpy's own strings or integers. Throws Error (input) for
/// an invalid list, a sequence without tokens, and too many tokens.
CaptureTokens capture_tokens(const FiledArray& array);

}  // namespace headscope

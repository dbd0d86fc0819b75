#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "core/io/json_field.h"
#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// A part of a sentence: an added token, or text for the model.
struct Piece {
  AlignedText text;
  std::optional<TokenId> added;
};

/// Splits pieces that are not added tokens; drops empty pieces.
using PreTokenizer = std::function<void(std::vector<Piece>& pieces)>;

/// Reads `pre_tokenizer` of a tokenizer.json. Throws Error (input).
PreTokenizer read_pre_tokenizer(const JsonField& field);

/// Whether a Metaspace prepends its character to a text.
enum class PrependScheme { always, first, never };
PrependScheme read_prepend_scheme(const JsonField& metaspace);

}  // namespace headscope::tokenizers

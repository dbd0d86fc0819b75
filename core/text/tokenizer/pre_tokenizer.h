#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/field.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// A part of a sentence: an added token, or text for the model.
struct Piece {
  AlignedText text;
  std::optional<TokenId> added;
};

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Splits pieces that are not added tokens; drops empty pieces.
  virtual void split(std::vector<Piece>& pieces) const = 0;
};

/// Reads `pre_tokenizer` of a tokenizer.json. Throws Error (input).
std::unique_ptr<const PreTokenizer> read_pre_tokenizer(const Field& field);

/// Whether a Metaspace prepends its character to a text.
enum class PrependScheme { always, first, never };
PrependScheme read_prepend_scheme(const Field& metaspace);

}  // namespace headscope::tokenizers

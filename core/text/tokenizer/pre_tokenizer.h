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
  /// Splits what is no added token; empty pieces are left out.
  virtual void split(std::vector<Piece>& pieces) const = 0;
};

/// Of `pre_tokenizer` in a tokenizer.json. Throws Error (input).
std::unique_ptr<const PreTokenizer> read_pre_tokenizer(const Field& field);

/// How a Metaspace puts its sign before a text.
enum class PrependScheme { always, first, never };
PrependScheme read_prepend_scheme(const Field& metaspace);

}  // namespace headscope::tokenizers

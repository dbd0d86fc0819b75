#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/field.h"

namespace headscope::tokenizers {

/// SentencePiece's character map: a double array (Darts) from what is replaced to places in a list of
/// NUL-ended replacements.
class Precompiled {
 public:
  /// Of base64 text. Throws Error (input) where an index or a place lies outside.
  explicit Precompiled(const Field& field);

  /// By grapheme clusters, as the reference does it: the shortest entry that begins a cluster of less than
  /// six bytes replaces all of it; else it goes by characters. What is replaced keeps its bytes of the
  /// sentence.
  void apply(AlignedText& text) const;

 private:
  /// The replacement of the shortest entry that begins `part`, if any.
  std::optional<std::string_view> find(std::string_view part) const;
  void check(const Field& field) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace headscope::tokenizers

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json_field.h"
#include "core/text/tokenizer/aligned_text.h"

namespace headscope::tokenizers {

/// SentencePiece's character map: a double array (Darts) from source strings to offsets in a list of
/// NUL-terminated replacements.
class Precompiled {
 public:
  /// From base64 text. Throws Error (input) if an index or an offset is out of range.
  explicit Precompiled(const JsonField& field);

  /// By grapheme clusters, as in the reference: the shortest entry that begins a cluster of less than six
  /// bytes replaces all of it; otherwise it works by characters. Replacements stay aligned to the bytes of
  /// the sentence.
  void apply(AlignedText& text) const;
  /// As SentencePiece itself applies it: the longest match at each place.
  void apply_longest(AlignedText& text) const;

 private:
  /// Calls found(bytes, replacement) for each beginning of the text that is replaced, the shortest first, as
  /// long as it returns true.
  template <typename Found>
  void for_each_match(std::string_view text, const Found& found) const;
  /// The replacement of the shortest entry that begins `part`, if any.
  std::optional<std::string_view> find(std::string_view part) const;
  void check(const JsonField& field) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace headscope::tokenizers

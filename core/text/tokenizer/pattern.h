#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json_field.h"
#include "core/text/tokenizer/aligned_text.h"

struct re_pattern_buffer;  // Oniguruma's

namespace headscope::tokenizers {

/// A match, or the text between two matches.
struct Match {
  Bytes bytes;
  bool matches = false;
};

/// A literal text or a regular expression in Oniguruma's syntax (as in the reference).
class Pattern {
 public:
  /// Exactly this text.
  static Pattern literal(std::string text);
  /// Throws Error (input), naming `place` (file and field), if it cannot be compiled within the budget.
  static Pattern regex(const std::string& expression, const std::string& place, WorkBudget& budget);

  /// The whole of `text`, cut at both ends of each match, from left to right without overlaps. Throws Error
  /// (input) if the search exceeds the budget's steps or the stack limit.
  std::vector<Match> find_all(std::string_view text, WorkBudget& budget) const;
  /// The matches alone.
  std::vector<Bytes> matches(std::string_view text, WorkBudget& budget) const;

 private:
  Pattern() = default;

  std::string literal_;
  std::string place_;
  std::shared_ptr<re_pattern_buffer> compiled_;  // none for a literal
};

/// {"String": "…"} or {"Regex": "…"}. Throws Error (input).
Pattern read_pattern(const JsonField& field);

}  // namespace headscope::tokenizers

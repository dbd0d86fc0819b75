#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/field.h"

namespace headscope::tokenizers {

/// A stretch between two ends of matches.
struct Match {
  Bytes bytes;
  bool matches = false;
};

/// A text to look for, or a regular expression as Oniguruma reads it (which the reference uses, too).
class Pattern {
 public:
  /// Exactly this text.
  static Pattern literal(std::string text);
  /// Throws Error (input), which names `place` (file and field), where it cannot be compiled, or not within
  /// the budget.
  static Pattern regex(const std::string& expression, const std::string& place, WorkBudget& budget);

  /// The whole of `text`, cut at both ends of each match, from left to right without overlaps. Throws Error
  /// (input) where the search takes more than the budget has steps or goes too deep.
  std::vector<Match> find_all(std::string_view text, WorkBudget& budget) const;
  /// The matches alone.
  std::vector<Bytes> matches(std::string_view text, WorkBudget& budget) const;

 private:
  struct Compiled;
  Pattern() = default;

  std::string literal_;
  std::string place_;
  std::shared_ptr<const Compiled> compiled_;  // none for a literal
};

/// {"String": "…"} or {"Regex": "…"}. Throws Error (input).
Pattern read_pattern(const Field& field);

/// What Unicode 16 has more than Oniguruma may know is added to \p{L}, \w and the like.
std::string with_later_characters(std::string_view expression);

}  // namespace headscope::tokenizers

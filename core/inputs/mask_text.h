#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/mask_part.h"

namespace headscope {

/// Without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

/// The text form of one mask part while it is parsed: knows its kind and words all errors about it.
class MaskText {
 public:
  /// `whole` is quoted in messages, `name` is the text before the colon. Throws if no kind has that name.
  MaskText(std::string_view whole, std::string_view name);

  MaskKind kind() const { return kind_; }
  /// `text` as a whole number within the limits.
  std::uint64_t number(std::string_view text, std::uint64_t minimum, std::uint64_t maximum) const;

  [[noreturn]] void fail_missing() const;
  [[noreturn]] void fail_extra(std::string_view what) const;
  [[noreturn]] void fail_option(std::string_view name) const;

 private:
  std::string quoted() const;

  std::string_view whole_;
  MaskKind kind_ = MaskKind::causal;
};

/// Parses the text after "painted:", see MASKS.md; and the reverse.
std::vector<PaintedRun> parse_painted(std::string_view text, const MaskText& whole, Budget& budget);
std::string painted_to_string(const std::vector<PaintedRun>& painted);

}  // namespace headscope

#pragma once
#include <string>
#include <string_view>

namespace headscope::tokenizers {

/// Oniguruma callouts before a repetition, before a back reference, and before an item that scans the rest of
/// the text.
inline constexpr std::string_view loop_callout = "(?{loop})", back_callout = "(?{back})",
                                  rest_callout = "(?{rest})";

/// An equivalent regular expression. With `adds_later_characters`, \p{L}, \w and the like include characters
/// of Unicode 16 that Oniguruma may not know. With `counts_loops` there is a callout in every loop without a
/// small bound: the library's own limits only count backtracking, while loops without it can take quadratic
/// time unnoticed. Loops in a lookbehind, where callouts are not allowed, are left unchanged.
std::string rewritten_pattern(std::string_view expression, bool adds_later_characters, bool counts_loops);

}  // namespace headscope::tokenizers

#pragma once
#include <string>
#include <string_view>

namespace headscope::tokenizers {

/// Oniguruma callouts inserted by count_loops(): before a repetition, before a back reference, and before an
/// item that scans the rest of the text.
inline constexpr std::string_view loop_callout = "(?{loop})", back_callout = "(?{back})",
                                  rest_callout = "(?{rest})";

/// An equivalent regular expression with a callout in every loop without a small bound: the library's own
/// limits only count backtracking, while loops without it can take quadratic time unnoticed. Loops in a
/// lookbehind, where callouts are not allowed, are left unchanged.
std::string count_loops(std::string_view expression);

}  // namespace headscope::tokenizers

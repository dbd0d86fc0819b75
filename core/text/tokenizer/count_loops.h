#pragma once
#include <string>
#include <string_view>

namespace headscope::tokenizers {

/// What Oniguruma calls back for, where count_loops() has put it: before what repeats, before what compares
/// with a group, and before what looks through the rest of the text.
inline constexpr std::string_view loop_callout = "(?{loop})", back_callout = "(?{back})",
                                  rest_callout = "(?{rest})";

/// A regular expression that finds the same, with a callout in every loop that has no small bound: the
/// library's own limits count steps back alone, while loops that only go on take quadratic time unseen.
/// Loops in a lookbehind, which may hold none, are left as they are.
std::string count_loops(std::string_view expression);

}  // namespace headscope::tokenizers

#pragma once
#include <cstdint>
#include <string_view>

namespace headscope {

/// Whether a text's Han characters should have their simplified Chinese forms: the characters alone do not
/// show it, but kana and hangul rule it out. The same for its punctuation if it is alone.
bool wants_simplified(std::string_view text);
/// Whether it is Chinese with a few other words at most, not the other way round.
bool mostly_han(std::string_view text);
/// 、。《》 and the forms as wide as Chinese characters: ，：（）
bool is_wide_punctuation(std::int32_t c);

}  // namespace headscope

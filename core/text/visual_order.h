#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// A line of text in visual order, for a drawing function without bidirectional text and shaping:
/// right-to-left runs are reversed (UAX #9) and Arabic letters replaced by their contextual forms. Text
/// without such characters, and text that is not valid UTF-8, is returned unchanged.
std::string visual_order(std::string_view utf8);

}  // namespace headscope

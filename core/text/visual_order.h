#pragma once
#include <string>
#include <string_view>

namespace headscope {

/// A line of text as it stands from left to right, for a drawing function that knows neither direction nor
/// joining: right-to-left runs are reversed (UAX #9) and Arabic letters take the forms of their places. Text
/// without such characters, and text that is not valid UTF-8, comes back as it is.
std::string visual_order(std::string_view utf8);

}  // namespace headscope

#pragma once
#include <charconv>

namespace headscope {

/// std::from_chars for a double, which not every standard library has.
std::from_chars_result read_number(const char* begin, const char* end, double& value);

}  // namespace headscope

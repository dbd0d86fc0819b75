#pragma once
#include <cstddef>
#include <string_view>

#include "core/base/error.h"

namespace headscope {

/// "head is 9; expected 0 to 7": no such number among `count` things numbered from 0.
template <typename Number>
Error out_of_range(std::string_view name, Number number, std::ptrdiff_t count) {
  if (count == 1) return input_error("{} is {}; expected {}", name, number, 0);
  return input_error("{} is {}; expected {} to {}", name, number, 0, count - 1);
}

}  // namespace headscope

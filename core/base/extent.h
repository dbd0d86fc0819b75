#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/tensor.h"

namespace headscope {

/// Smallest and largest; low > high if there was no value.
struct Extent {
  float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
  bool any() const { return low <= high; }
  void extend(const Extent& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// Of `size` values, excluding NaN and those with blocked[i] != 0; blocked may be nullptr.
Extent extent(const float* values, const std::uint8_t* blocked, Index size);

}  // namespace headscope

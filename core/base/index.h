#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headscope {

/// Sizes and positions in tensors.
using Index = std::ptrdiff_t;

/// 2³², or the largest Index where it has 32 bits.
constexpr Index max_positions =
    static_cast<Index>(std::min<std::int64_t>(std::int64_t{1} << 32, PTRDIFF_MAX));

}  // namespace headscope

#include "core/base/extent.h"

#include <array>

namespace headscope {

// Separate lanes, so that the compiler can vectorize without permission to reorder floating-point arithmetic.
Extent extent(const float* values, const std::uint8_t* blocked, Index size) {
  constexpr Index lanes = 16;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::array<float, lanes> low, high;
  low.fill(infinity);
  high.fill(-infinity);
  const auto take = [&](Index i, Index lane) {
    const std::size_t l = lane;
    const bool counts = blocked == nullptr || blocked[i] == 0;
    const float for_low = counts ? values[i] : infinity, for_high = counts ? values[i] : -infinity;
    low[l] = for_low < low[l] ? for_low : low[l];
    high[l] = for_high > high[l] ? for_high : high[l];
  };
  Index i = 0;
  if (blocked == nullptr) {
    for (; i + lanes <= size; i += lanes) {
      for (Index lane = 0; lane < lanes; ++lane) {
        const std::size_t l = lane;
        const float value = values[i + lane];
        low[l] = value < low[l] ? value : low[l];
        high[l] = value > high[l] ? value : high[l];
      }
    }
  } else {
    for (; i + lanes <= size; i += lanes)
      for (Index lane = 0; lane < lanes; ++lane) take(i + lane, lane);
  }
  for (; i < size; ++i) take(i, 0);
  Extent result;
  for (std::size_t l = 0; l < lanes; ++l) result.extend({low[l], high[l]});
  return result;
}

}  // namespace headscope

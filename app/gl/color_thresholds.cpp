#include "app/gl/color_thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headscope::gl {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Maps floats to integers in the same order, so that steps between them can be counted.
std::int64_t to_steps(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits >= 0 ? bits : -static_cast<std::int64_t>(bits & 0x7fffffff);
}

float from_steps(std::int64_t steps) {
  const auto magnitude = static_cast<std::int32_t>(steps >= 0 ? steps : -steps);
  const float value = std::bit_cast<float>(magnitude);
  return steps >= 0 ? value : -value;
}

/// The smallest value whose colour index is at least `index`, searched outwards from `guess`.
float threshold(const ColorRange& range, int index, float guess) {
  const std::int64_t bottom = to_steps(-infinity), top = to_steps(infinity);
  const auto reached = [&](std::int64_t steps) { return range.index(from_steps(steps)) >= index; };
  std::int64_t low = to_steps(guess), high = low;  // invariant sought: low not reached, high reached
  for (std::int64_t stride = 2; reached(low); stride *= 4) {
    if (low == bottom) return -infinity;
    high = low;
    low = std::max(bottom, low - stride);
  }
  for (std::int64_t stride = 2; !reached(high); stride *= 4) {
    if (high == top) return infinity;
    low = high;
    high = std::min(top, high + stride);
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (reached(middle) ? high : low) = middle;
  }
  return from_steps(high);
}

}  // namespace

std::array<float, 256> color_thresholds(const ColorRange& range) {
  std::array<float, 256> thresholds{};
  thresholds[0] = -infinity;
  for (int i = 1; i < 256; ++i) {
    const double share = i / 256.0;
    const double guess = range.logarithm && range.low > 0 && range.high > 0
                             ? range.low * std::pow(static_cast<double>(range.high) / range.low, share)
                             : range.low + (static_cast<double>(range.high) - range.low) * share;
    thresholds[static_cast<std::size_t>(i)] = threshold(range, i, static_cast<float>(guess));
  }
  return thresholds;
}

}  // namespace headscope::gl

#pragma once
#include "core/source/trace.h"
#include "tests/support/read_arrays.h"
#include "tests/support/testing.h"

namespace headscope::tests {

inline Arrays load(const std::string& file) {
  return read_arrays(fmt::format("{}/{}", TEST_DATA_DIR, file));
}

/// The largest difference between `count` floats and those of `expected` from `begin` on; infinite if either
/// is not finite, so that it passes no bound.
template <typename Expected>
double largest_difference(const float* values, Index count, const Expected* expected) {
  double largest = 0;
  for (Index i = 0; i < count; ++i) {
    const double difference = std::abs(static_cast<double>(values[i]) - static_cast<double>(expected[i]));
    if (!std::isfinite(difference)) return INFINITY;
    largest = std::max(largest, difference);
  }
  return largest;
}

/// Layer `layer` of an array [layers, ...] against the tensor that it should equal.
inline double largest_difference(const Tensor& tensor, const NamedArray& expected, std::size_t layer = 0) {
  const auto size = static_cast<std::size_t>(tensor.size());
  if (size == 0 || expected.values.size() < (layer + 1) * size) return INFINITY;
  if (!expected.values_f64.empty())
    return largest_difference(tensor.data(), tensor.size(), expected.values_f64.data() + layer * size);
  return largest_difference(tensor.data(), tensor.size(), expected.values.data() + layer * size);
}

}  // namespace headscope::tests

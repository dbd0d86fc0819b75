#include "core/figure/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <thread>

namespace headscope {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Smallest and largest; low > high where there was no value.
struct Extent {
  float low = infinity, high = -infinity;
  bool any() const { return low <= high; }
  void join(const Extent& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// Over `size` values, those with blocked[i] != 0 and NaN left out. Lanes side by side, so that the compiler
/// can keep them in one register without being allowed to reorder floating-point arithmetic.
Extent extent(const float* values, const std::uint8_t* blocked, Index size) {
  constexpr Index lanes = 16;
  std::array<float, lanes> low, high;
  low.fill(infinity);
  high.fill(-infinity);
  const auto take = [&](Index i, Index lane) {
    const auto l = static_cast<std::size_t>(lane);
    const bool counts = blocked == nullptr || blocked[i] == 0;
    const float for_low = counts ? values[i] : infinity, for_high = counts ? values[i] : -infinity;
    low[l] = for_low < low[l] ? for_low : low[l];
    high[l] = for_high > high[l] ? for_high : high[l];
  };
  Index i = 0;
  if (blocked == nullptr) {
    for (; i + lanes <= size; i += lanes) {
      for (Index lane = 0; lane < lanes; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
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
  for (std::size_t l = 0; l < lanes; ++l) result.join({low[l], high[l]});
  return result;
}

template <typename Blocked>
std::vector<Extent> extents(const Tensor& weights, const Blocked& blocked) {
  const Index heads = weights.dim(0), size = weights.dim(1) * weights.dim(2);
  std::vector<Extent> result(static_cast<std::size_t>(heads));
  const auto work = [&](Index first, Index step) {
    for (Index h = first; h < heads; h += step)
      result[static_cast<std::size_t>(h)] = extent(weights.at(h), blocked(static_cast<int>(h)), size);
  };
  constexpr Index worth_a_thread = Index{1} << 22;
  const Index threads =
      std::clamp<Index>(heads * size / worth_a_thread, 1, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (Index t = 1; t < threads; ++t) others.emplace_back(work, t, threads);
  work(0, threads);
  others.clear();
  return result;
}

/// A range that colours can be read from, whatever the values were.
ColorRange valid_range(Extent e) {
  if (!e.any() || !(e.high < infinity) || !(e.low > -infinity)) return {0, 1, false};
  // Equal weights differ in their last bits: stretched over all colours, that rounding would look like a
  // pattern.
  constexpr float rounding = 1e-6F;
  if (e.high - e.low <= rounding * e.high) return {0, e.high > 0 ? e.high : 1, false};
  return {e.low, e.high, false};
}

ColorRange logarithmic_range(Extent e) {
  if (!e.any() || !(e.high < infinity) || !(e.high >= std::numeric_limits<float>::min() * 1e5F))
    return {1e-4F, 1, true};
  ColorRange range{std::max(e.low, 1e-4F * e.high), e.high, true};
  if (e.high - range.low <= 1e-6F * e.high) range.low = 1e-4F * e.high;
  return range;
}

std::vector<ColorRange> fixed_ranges(int heads, Range range) {
  const bool logarithm = range == Range::logarithm;
  return std::vector<ColorRange>(static_cast<std::size_t>(std::max(heads, 0)),
                                 {logarithm ? 1e-4F : 0.0F, 1, logarithm});
}

std::vector<ColorRange> fitted_ranges(const std::vector<Extent>& each, Range range) {
  std::vector<ColorRange> result;
  if (range == Range::head) {
    for (const Extent& e : each) result.push_back(valid_range(e));
    return result;
  }
  Extent all;
  for (const Extent& e : each) all.join(e);
  result.assign(each.size(), range == Range::logarithm ? logarithmic_range(all) : valid_range(all));
  return result;
}

/// 5.6e-05 as 5.6e-5: every character counts in a cell.
std::string short_exponent(std::string text) {
  const std::size_t e = text.find("e-0");
  if (e != std::string::npos) text.erase(e + 2, 1);
  return text;
}

}  // namespace

std::vector<ColorRange> color_ranges(const Trace& trace, int layer, Range range) {
  const bool known = layer >= 0 && static_cast<std::size_t>(layer) < trace.layers.size() &&
                     trace.layers[static_cast<std::size_t>(layer)].has_maps();
  if (range == Range::unit || !known) return fixed_ranges(trace.inputs.heads, range);
  return fitted_ranges(extents(trace.layers[static_cast<std::size_t>(layer)].weights,
                               [&](int head) { return trace.mask.head(head); }),
                       range);
}

std::vector<ColorRange> color_ranges(const ShownLayer& shown, Range range) {
  if (range == Range::unit || shown.weights.empty()) return fixed_ranges(shown.trace->inputs.heads, range);
  return fitted_ranges(extents(shown.weights, [&](int head) { return shown.state(head); }), range);
}

std::string bound_text(float value) {
  return short_exponent(fmt::format("{:.3g}", value));
}

std::string cell_text(float value) {
  if (value == 0) return "0";
  if (value >= 10 && value < 100) return fmt::format("{:.0f}", value);
  return short_exponent(fmt::format("{:#.2g}", value));
}

}  // namespace headscope

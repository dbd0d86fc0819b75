#include "core/scene/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

namespace headscope {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

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
  for (const Extent& e : each) all.extend(e);
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
  const auto at = static_cast<std::size_t>(layer);
  const bool known = layer >= 0 && at < trace.layers.size() && trace.layers[at].has_maps();
  if (range == Range::unit || !known) return fixed_ranges(trace.inputs.heads, range);
  if (at < trace.extents.size()) return fitted_ranges(trace.extents[at], range);
  return fitted_ranges(extents(trace.layers[at].weights, [&](int head) { return trace.mask.head(head); }),
                       range);
}

std::vector<ColorRange> color_ranges(const FilteredLayer& shown, Range range) {
  if (range == Range::unit || shown.weights.empty()) return fixed_ranges(shown.trace->inputs.heads, range);
  if (shown.unfiltered) return color_ranges(*shown.trace, shown.layer, range);
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

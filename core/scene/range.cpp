#include "core/scene/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/parallel.h"

namespace headscope {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

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

std::vector<ColorRange> color_ranges(const FilteredLayer& shown, Range range) {
  if (range == Range::unit || shown.cells() == 0) return fixed_ranges(shown.heads(), range);
  std::vector<Extent> extents(shown.maps.size());
  parallel_for(shown.heads(), shown.cells(), [&](Index i) noexcept {
    const int head = static_cast<int>(i);
    const float* weights = shown.weights(head);
    if (weights == nullptr) return;
    extents[static_cast<std::size_t>(i)] =
        shown.unfiltered ? shown.block->extent(shown.layer, head)
                         : extent(weights, shown.state(head), shown.n_q() * shown.n_k());
  });
  return fitted_ranges(extents, range);
}

std::string bound_text(float value, int digits) {
  return short_exponent(fmt::format("{:.{}g}", value, digits));
}

std::string cell_text(float value) {
  if (value == 0) return "0";
  if (value >= 10 && value < 100) return fmt::format("{:.0f}", value);
  return short_exponent(fmt::format("{:#.2g}", value));
}

}  // namespace headscope

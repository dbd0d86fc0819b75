#include "core/scene/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/long_part.h"
#include "core/base/parallel.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A range that can be mapped to colours, whatever the values were.
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

/// For when no weight counts.
ColorRange given_range(Range range, const ColorLimits& limits) {
  if (range == Range::logarithm) return {1e-4F, 1, true};
  if (range != Range::fixed) return {0, 1, false};
  const auto low = static_cast<float>(limits.low), high = static_cast<float>(limits.high);
  return {low, high > low ? high : std::nextafter(low, infinity), false};
}

ColorRange marked_range(ColorRange range, const Extent& e) {
  range.below = e.any() && e.low < range.low;
  range.above = e.any() && e.high > range.high;
  return range;
}

/// In a long map not all weights count for the ends of the colours: the range says whether some are beyond.
ColorRange found_range(const LongExtent& e, Range range) {
  Extent ends = e.of_colors;
  if (range != Range::logarithm && e.from_zero && ends.any()) ends.low = std::min(ends.low, 0.0F);
  ColorRange found = range == Range::logarithm ? logarithmic_range(ends) : valid_range(ends);
  found.above = e.all.any() && e.all.high > e.of_colors.high;
  return found;
}

std::vector<ColorRange> fitted_ranges(const std::vector<LongExtent>& each, Range range,
                                      const ColorLimits& limits) {
  std::vector<ColorRange> result;
  if (range == Range::head) {
    for (const LongExtent& e : each) result.push_back(found_range(e, range));
    return result;
  }
  LongExtent all;
  for (const LongExtent& e : each) {
    all.all.extend(e.all);
    all.of_colors.extend(e.of_colors);
    all.from_zero |= e.from_zero;
  }
  const bool given = range == Range::unit || range == Range::fixed;
  result.assign(each.size(),
                given ? marked_range(given_range(range, limits), all.all) : found_range(all, range));
  return result;
}

/// 5.6e-05 as 5.6e-5: every character counts in a cell.
std::string short_exponent(std::string text) {
  const std::size_t e = text.find("e-0");
  if (e != std::string::npos) text.erase(e + 2, 1);
  return text;
}

}  // namespace

std::vector<ColorRange> color_ranges(const FilteredLayer& shown, Range range, const ColorLimits& limits) {
  // Without dropout no weight is larger than 1.
  const bool inside = range == Range::unit && shown.block->interventions.dropout <= 0;
  if (inside || shown.cells() == 0)
    return std::vector<ColorRange>(static_cast<std::size_t>(std::max(shown.heads(), 0)),
                                   given_range(range, limits));
  if (!shown.extents.empty()) return fitted_ranges(shown.extents, range, limits);
  std::vector<LongExtent> extents(shown.maps.size());
  parallel_for(shown.heads(), shown.cells(), [&](Index i) {
    const int head = static_cast<int>(i);
    const float* weights = shown.weights(head);
    if (weights == nullptr) return;
    LongExtent& found = extents[static_cast<std::size_t>(i)];
    if (shown.block->grouped()) {
      found = long_extent(shown, head);
      return;
    }
    found.all = shown.unfiltered ? shown.block->extent(shown.layer, head)
                                 : extent(weights, shown.state(head), shown.n_q() * shown.n_k());
    found.of_colors = found.all;
  });
  return fitted_ranges(extents, range, limits);
}

ColorRange held_range(const ColorRange& kept, const ColorRange& now) {
  ColorRange held = kept;
  held.below = now.below || (!kept.logarithm && now.low < kept.low);
  held.above = now.above || now.high > kept.high;
  return held;
}

ColorLimits limits_around(std::span<const ColorRange> ranges) {
  Extent all;
  for (const ColorRange& range : ranges) all.extend({range.low, range.high});
  if (!all.any()) return {};
  // In steps of a power of ten given by the larger end, so that no weight is beyond by rounding.
  const double size =
      std::max(std::abs(static_cast<double>(all.low)), std::abs(static_cast<double>(all.high)));
  const double step = std::pow(10.0, std::floor(std::log10(size)) - 2);
  const auto rounded = [step](double steps) { return std::stod(fmt::format("{:.6g}", steps * step)); };
  const ColorLimits limits{rounded(std::floor(static_cast<double>(all.low) / step + 1e-4)),
                           rounded(std::ceil(static_cast<double>(all.high) / step - 1e-4))};
  return limits.valid() ? limits : ColorLimits{};
}

std::string low_text(const ColorRange& range, int digits) {
  return (range.below ? "≤" : "") + bound_text(range.low, digits);
}

std::string high_text(const ColorRange& range, int digits) {
  return (range.above ? "≥" : "") + bound_text(range.high, digits);
}

std::string bound_text(float value, int digits) {
  return with_minus(short_exponent(fmt::format("{:.{}g}", value, digits)));
}

std::string widest_bound(std::span<const ColorRange> ranges) {
  const auto is_small = [](float bound) { return bound != 0 && std::abs(bound) < 1e-3F; };
  const bool beyond = std::ranges::any_of(ranges, [](const ColorRange& r) { return r.below || r.above; });
  const bool small =
      std::ranges::any_of(ranges, [&](const ColorRange& r) { return is_small(r.low) || is_small(r.high); });
  return fmt::format("{}{}", beyond ? "≥" : "", small ? "0.000123" : "0.00123");
}

std::string cell_text(float value) {
  if (value == 0) return "0";
  if (value >= 10 && value < 100) return fmt::format("{:.0f}", value);
  return with_minus(short_exponent(fmt::format("{:#.2g}", value)));
}

}  // namespace headscope

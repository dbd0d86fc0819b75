#include "core/scene/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/long_part.h"
#include "core/base/parallel.h"
#include "core/base/utf8.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

constexpr int most_digits = 6;
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

ColorRange range_between(const ColorLimits& limits) {
  return {static_cast<float>(limits.low), static_cast<float>(limits.high), false};
}

/// For when no weight counts.
ColorRange given_range(const RangeChoice& choice, bool is_signed) {
  if (choice.kind == Range::logarithm && !is_signed) return {1e-4F, 1, true};
  if (choice.kind != Range::fixed) return {is_signed ? -1.0F : 0.0F, 1, false};
  ColorRange given = range_between(choice.limits);
  if (given.high <= given.low) given.high = std::nextafter(given.low, infinity);
  return given;
}

ColorRange marked_range(ColorRange range, const Extent& e) {
  range.below = e.any() && e.low < range.low;
  range.above = e.any() && e.high > range.high;
  return range;
}

/// Not all weights count for the ends of the colours: the range says whether some are beyond.
ColorRange found_range(const PartExtent& e, Range range, bool is_signed) {
  Extent ends = e.of_colors;
  if (is_signed) {
    if (ends.any()) ends = {0, std::max(std::abs(ends.low), std::abs(ends.high))};
    const ColorRange found = valid_range(ends);
    return marked_range({-found.high, found.high, false}, e.all);
  }
  if (range != Range::logarithm && e.from_zero && ends.any()) ends.low = std::min(ends.low, 0.0F);
  ColorRange found = range == Range::logarithm ? logarithmic_range(ends) : valid_range(ends);
  found.below = !found.logarithm && e.all.any() && e.all.low < found.low;
  found.above = e.all.any() && e.all.high > e.of_colors.high;
  return found;
}

/// What is less than half a colour beyond an end has the colour that it would have anyway.
float unseen(const ColorRange& range) {
  return (range.high - range.low) / 512;
}

/// The ends of what is held, and whether something came to be beyond them.
ColorRange marked_held(ColorRange kept, float low, float high) {
  kept.below = !kept.logarithm && low < kept.low - unseen(kept);  // zero is below every logarithm
  kept.above = high > kept.high + unseen(kept);
  return kept;
}

std::int64_t count_beyond(const FilteredLayer& shown, int head, const ColorRange& range) {
  if (!(range.below || range.above) || shown.block->pooled() || shown.part) return 0;
  const float* const weights = shown.weights(head);
  const std::uint8_t* const states = shown.state(head);
  const float low = range.logarithm ? -infinity : range.low - unseen(range),
              high = range.high + unseen(range);
  std::int64_t count = 0;
  for (Index cell = 0; cell < shown.n_q() * shown.n_k(); ++cell)
    count +=
        (states == nullptr || states[cell] == cell_shown) && (weights[cell] > high || weights[cell] < low);
  return count;
}

/// Heads that hold a range keep it, with what has come to be beyond its ends.
void keep_held(std::vector<ColorRange>& ranges, const std::vector<PartExtent>& each,
               const FilteredLayer& shown, const RangeChoice& choice, HeldMap map) {
  if (!choice.holds()) return;
  if (shown.block->cells.rollout != Rollout::off) map = HeldMap::rollout;
  // Heads that share a bar share the ends of all, whatever each had.
  const bool shared = is_over_heads(choice.kind);
  Extent all, ends;
  for (const PartExtent& e : each) all.extend(e.all);
  const auto held_by = [&](int head) {
    return choice.held_limits(map, shown.block->shape.kind, shown.layer, head);
  };
  const auto extent_of = [](const ColorLimits& limits) {
    const ColorRange range = range_between(limits);
    return Extent{range.low, range.high};
  };
  for (int head = 0; head < shown.heads(); ++head)
    if (const ColorLimits* const held = held_by(head)) ends.extend(extent_of(*held));
  for (int head = 0; head < shown.heads(); ++head) {
    const ColorLimits* const held = held_by(head);
    if (held == nullptr) continue;
    const Extent own = shared ? ends : extent_of(*held);
    const ColorRange kept{own.low, own.high, ranges[head].logarithm && own.low > 0};
    const Extent& e = shared ? all : each[head].all;
    ranges[head] = marked_held(kept, e.low, e.high);
    if (shown.weights(head) != nullptr) ranges[head].cells_beyond = count_beyond(shown, head, ranges[head]);
  }
}

std::vector<ColorRange> fitted_ranges(const std::vector<PartExtent>& each, const RangeChoice& choice,
                                      bool is_signed) {
  std::vector<ColorRange> result;
  if (is_per_head(choice.kind)) {
    for (const PartExtent& e : each) result.push_back(found_range(e, choice.kind, is_signed));
    return result;
  }
  PartExtent all;
  for (const PartExtent& e : each) {
    all.all.extend(e.all);
    all.of_colors.extend(e.of_colors);
    all.from_zero |= e.from_zero;
  }
  const bool given = choice.kind == Range::unit || choice.kind == Range::fixed;
  result.assign(each.size(), given ? marked_range(given_range(choice, is_signed), all.all)
                                   : found_range(all, choice.kind, is_signed));
  return result;
}

/// The value below which `percent` of the values are, linear between neighbours, as numpy.percentile.
float percentile(std::vector<float>& values, double percent) {
  const double place = percent / 100 * static_cast<double>(values.size() - 1);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), low, values.end());
  if (low + 1 == values.end()) return *low;
  const double below = *low, above = *std::min_element(low + 1, values.end());
  return static_cast<float>(below + (place - std::floor(place)) * (above - below));
}

/// Of a map whose cells are all there: the cells that count for its colours.
class CountedCells {
 public:
  CountedCells(const FilteredLayer& shown, int head, const RangeChoice& choice)
      : shown_(shown), weights_(shown.weights(head)), states_(shown.state(head)), rows_(own_rows(head)) {
    if (!choice.ignore_first_token) return;
    if (const int row = shown.row(0); row >= 0) rows_[row] = false;
    ignored_column_ = shown.column(0);
  }

  bool all() const { return ignored_column_ < 0 && std::ranges::find(rows_, false) == rows_.end(); }

  PartExtent extent() const {
    PartExtent found;
    found.from_zero = shown_.block->pooled();  // as in part_extent()
    for (Index row = 0; row < shown_.n_q(); ++row) {
      const Extent whole = part_of(row, 0, shown_.n_k());
      found.all.extend(whole);
      if (!rows_[row]) continue;
      if (ignored_column_ < 0) {
        found.of_colors.extend(whole);
        continue;
      }
      found.of_colors.extend(part_of(row, 0, ignored_column_));
      found.of_colors.extend(part_of(row, ignored_column_ + 1, shown_.n_k()));
    }
    if (!found.of_colors.any()) found.of_colors = found.all;
    return found;
  }

  PartExtent percentiles() const {
    PartExtent found = extent();
    std::vector<float> values;
    for (Index row = 0, cell = 0; row < shown_.n_q(); ++row)
      for (Index column = 0; column < shown_.n_k(); ++column, ++cell)
        if (rows_[row] && column != ignored_column_ && (states_ == nullptr || states_[cell] == cell_shown) &&
            !std::isnan(weights_[cell]))
          values.push_back(weights_[cell]);
    found.from_zero = false;
    if (!values.empty()) found.of_colors = {percentile(values, 2), percentile(values, 98)};
    return found;
  }

 private:
  /// Of weights and shares all but those of a query that may attend to one key alone; in a long map to few.
  std::vector<bool> own_rows(int head) const {
    if (shown_.block->pooled()) return rows_of_colors(shown_, head);
    std::vector<bool> rows(shown_.n_q(), true);
    const bool is_share = shown_.block->cells_of(shown_.layer).is_share;
    if (!is_share || !shown_.block->mask_of(shown_.layer).any()) return rows;
    const std::vector<Index> counts = key_counts(shown_, head);
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = counts[row] != 1;
    return rows;
  }

  Extent part_of(Index row, Index begin, Index end) const {
    const Index first = row * shown_.n_k() + begin;
    return headscope::extent(weights_ + first, states_ == nullptr ? nullptr : states_ + first, end - begin);
  }

  const FilteredLayer& shown_;
  const float* weights_;
  const std::uint8_t* states_;
  std::vector<bool> rows_;
  Index ignored_column_ = -1;
};

PartExtent head_extent(const FilteredLayer& shown, int head, const RangeChoice& choice) {
  const CountedCells counted(shown, head, choice);
  if (choice.kind == Range::percentile) return counted.percentiles();
  if (shown.block->pooled() && !choice.ignore_first_token) return part_extent(shown, head);
  if (!counted.all()) return counted.extent();
  const Extent all = shown.unfiltered
                         ? shown.block->extent(shown.layer, head)
                         : extent(shown.weights(head), shown.state(head), shown.n_q() * shown.n_k());
  return {all, all, false};
}

/// 5.6e-05 as 5.6e-5: every character counts in a cell.
std::string short_exponent(std::string text) {
  if (const std::size_t e = text.find("e-0"); e != std::string::npos) text.erase(e + 2, 1);
  if (const std::size_t e = text.find("e+0"); e != std::string::npos) text.erase(e + 1, 2);
  return text;
}

/// The multiples of `step` from `low` to `high`.
std::vector<double> multiples(double low, double high, double step) {
  constexpr double rounding = 1e-6;  // of a step: ends are floats
  std::vector<double> all;
  for (double i = std::ceil(low / step - rounding); i <= high / step + rounding; ++i) all.push_back(i * step);
  return all;
}

struct RoundNumbers {
  std::vector<double> values;
  double step = 1;
};

/// At least two and at most `most`, of the finest step for which there are no more.
RoundNumbers round_numbers(double low, double high, std::size_t most) {
  RoundNumbers found;
  for (double power = std::pow(10.0, std::floor(std::log10(high - low)));; power /= 10)
    for (const double digit : {5, 2, 1}) {
      const std::vector<double> all = multiples(low, high, digit * power);
      if (all.size() <= most) {
        found = {all, digit * power};
        continue;
      }
      if (found.values.size() < 2) found = {{all.front(), all.back()}, digit * power};
      return found;
    }
}

/// The powers of ten, or every n-th of them; too few in a short range.
std::vector<double> powers_of_ten(double low, double high, std::size_t most) {
  constexpr double rounding = 1e-6;
  std::vector<double> exponents = multiples(std::log10(low), std::log10(high), 1);
  for (double step = 2; exponents.size() > most; ++step)
    exponents = multiples(std::log10(low), std::log10(high) + rounding, step);
  for (double& value : exponents) value = std::pow(10.0, value);
  return exponents;
}

/// All multiples of `step` have as many decimals; whole numbers have none.
std::string tick_text(double value, double step) {
  constexpr double smallest = 1e-5;
  if (std::abs(value - std::round(value)) < step / 1000)
    return with_minus(fmt::format("{:.0f}", value + 0.0));
  if (step < smallest * (1 - 1e-9)) return bound_text(static_cast<float>(value));
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return with_minus(fmt::format("{:.{}f}", value, decimals));
}

std::vector<BarTick> round_ticks(const ColorRange& range, int most) {
  std::vector<BarTick> ticks;
  const std::size_t count = most;
  const double low = range.low, high = range.high;
  const auto add = [&](double value, double step) {
    ticks.push_back({range.position(static_cast<float>(value)), tick_text(value, step)});
  };
  if (range.logarithm)
    if (const std::vector<double> powers = powers_of_ten(low, high, count); powers.size() >= 2) {
      for (const double value : powers) add(value, value);
      return ticks;
    }
  const RoundNumbers numbers = round_numbers(low, high, count);
  for (const double value : numbers.values) add(value, numbers.step);
  return ticks;
}

}  // namespace

std::vector<ColorRange> color_ranges(const FilteredLayer& shown, const RangeChoice& choice, HeldMap map) {
  const CellValueRow& value = shown.block->cells_of(shown.layer);
  // Without dropout no weight is larger than 1.
  const bool inside = choice.kind == Range::unit && value.is_share && shown.block->interventions.dropout <= 0;
  std::vector<ColorRange> ranges(shown.maps.size(), given_range(choice, value.is_signed));
  if (inside || shown.cells() == 0) return ranges;
  if (choice.kind == Range::row) {
    parallel_for(shown.heads(), shown.cells(), [&](Index i) {
      const int head = static_cast<int>(i);
      const HeldMap kept = shown.block->cells.rollout == Rollout::off ? map : HeldMap::rollout;
      const HeldRange* const held =
          shown.part ? nullptr : choice.find_held(kept, shown.block->shape.kind, shown.layer, head);
      if (const float* weights = shown.weights(head))
        ranges[i] = row_range(weights, shown.state(head), shown.n_q(), shown.n_k(), value.is_signed,
                              kept_rows(held, shown.queries, shown.n_q()));
    });
    return ranges;
  }
  std::vector<PartExtent> extents = shown.extents;
  if (extents.empty()) {
    extents.resize(shown.maps.size());
    parallel_for(shown.heads(), shown.cells(), [&](Index i) {
      const int head = static_cast<int>(i);
      if (shown.weights(head) != nullptr) extents[i] = head_extent(shown, head, choice);
    });
  }
  ranges = fitted_ranges(extents, choice, value.is_signed);
  keep_held(ranges, extents, shown, choice, map);
  return ranges;
}

ColorRange row_range(const float* weights, const std::uint8_t* state, Index n_q, Index n_k, bool is_signed,
                     std::span<const double> kept) {
  std::vector<float> factors(n_q, 1.0F);
  ColorRange range;
  if (is_signed) range.low = -1;
  for (Index row = 0; row < n_q; ++row) {
    const float* const values = weights + row * n_k;
    const std::uint8_t* const states = state == nullptr ? nullptr : state + row * n_k;
    const Extent one = extent(values, states, n_k);
    float largest = is_signed ? std::max(-one.low, one.high) : one.high;
    const bool is_kept = row < std::ssize(kept) && kept[row] > 0;
    if (is_kept) largest = static_cast<float>(kept[row]);
    if (one.any() && largest > 0 && largest < infinity)
      factors[row] = 1 / std::max(largest, std::numeric_limits<float>::min());
    const float end = largest * (1 + 1.0F / 512);
    if (!is_kept || (one.high <= end && (!is_signed || -one.low <= end))) continue;
    range.above |= one.high > end;
    range.below |= is_signed && -one.low > end;
    for (Index key = 0; key < n_k; ++key)
      range.cells_beyond += (states == nullptr || states[key] == cell_shown) &&
                            (values[key] > end || (is_signed && -values[key] > end));
  }
  range.row_factors = std::make_shared<const std::vector<float>>(std::move(factors));
  return range;
}

std::vector<double> kept_rows(const HeldRange* held, std::span<const int> queries, Index rows) {
  std::vector<double> kept;
  if (held == nullptr || held->rows.empty()) return kept;
  const Index n = std::ssize(queries);
  for (Index row = 0; row < rows; ++row) {
    double largest = 0;
    for (Index i = row * n / rows; i < (row + 1) * n / rows; ++i)
      if (queries[i] < std::ssize(held->rows)) largest = std::max(largest, held->rows[queries[i]]);
    kept.push_back(largest);
  }
  return kept;
}

ColorRange held_range(const ColorRange& kept, const ColorRange& now) {
  if (now.row_factors) return now;
  ColorRange held = marked_held(kept, now.low, now.high);
  held.below |= now.below;
  held.above |= now.above;
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
  const ColorLimits limits{rounded(std::floor(all.low / step + 1e-4)),
                           rounded(std::ceil(all.high / step - 1e-4))};
  return limits.valid() ? limits : ColorLimits{};
}

std::string low_text(const ColorRange& range, int digits) {
  if (range.row_factors && range.low < 0) return "−max";
  return (range.below ? "≤" : "") + bound_text(range.low, digits);
}

std::string high_text(const ColorRange& range, int digits) {
  if (range.row_factors) return "max";
  std::string end = bound_text(range.high, digits);
  // A share is never beyond 1.
  while (range.above && end == "1" && range.high < 1 && digits < most_digits)
    end = bound_text(range.high, ++digits);
  return (range.above ? "≥" : "") + end;
}

std::string range_text(const ColorRange& range) {
  const char* const to = range.low < 0 || range.below || range.above ? " – " : "–";
  const double largest = std::max(std::abs(range.low), range.high);
  const auto whole = [&](const std::string& low, const std::string& high) {
    return (range.below ? "≤" : "") + low + to + (range.above ? "≥" : "") + high;
  };
  if (range.logarithm || range.row_factors || largest < 0.01 || largest >= 100) {
    int digits = 2;
    while (digits < most_digits && bound_text(range.low, digits) == bound_text(range.high, digits)) ++digits;
    return low_text(range, digits) + to + high_text(range, digits);
  }
  const auto end = [](float value, int decimals) {
    return with_minus(fmt::format("{:.{}f}", value, value == std::round(value) ? 0 : decimals));
  };
  int decimals = largest < 0.1 ? 3 : largest < 1 ? 2 : largest < 10 ? 1 : 0;
  for (; decimals < most_digits; ++decimals) {
    const std::string high = end(range.high, decimals);
    const bool rounded_to_1 = range.above && range.high < 1 && high == end(1 - 1e-7F, decimals);
    if (end(range.low, decimals) != high && !rounded_to_1) break;
  }
  return whole(end(range.low, decimals), end(range.high, decimals));
}

std::string bound_text(float value, int digits) {
  return with_minus(short_exponent(fmt::format("{:.{}g}", value, digits)));
}

std::vector<BarTick> bar_ticks(const ColorRange& range, int most) {
  const BarTick low{0, low_text(range, 2)}, high{1, high_text(range, 2)};
  if (range.row_factors || !(range.high > range.low)) return {low, high};
  std::vector<BarTick> ticks = round_ticks(range, std::max(2, most - range.below - range.above));
  const double apart = 1.0 / (most + 1);
  if (range.below) {
    std::erase_if(ticks, [&](const BarTick& tick) { return tick.position < apart; });
    ticks.insert(ticks.begin(), low);
  }
  if (range.above) {
    std::erase_if(ticks, [&](const BarTick& tick) { return tick.position > 1 - apart && tick.position > 0; });
    ticks.push_back(high);
  }
  if (ticks.size() < 2) return {low, high};
  while (std::ssize(ticks) > most) ticks.erase(ticks.begin() + 1);
  return ticks;
}

std::string widest_tick(std::span<const ColorRange> ranges) {
  const auto letters = [](const std::string& text) {
    return std::ranges::count_if(text, [](char c) { return !continues_character(c); });
  };
  std::ptrdiff_t longest = 5;  // 0.005, which most ranges reach at some time
  for (const ColorRange& range : ranges)
    for (const BarTick& tick : bar_ticks(range)) longest = std::max(longest, letters(tick.text));
  return "0." + std::string(longest - 2, '0');
}

std::string cells_name(const Translator& tr, const BlockTrace& block, std::optional<int> layer) {
  const ShownCells& cells = block.cells;
  if (cells.rollout == Rollout::weights) return tr("Attention rollout");
  if (cells.rollout == Rollout::norms) return tr("Attention rollout of norms");
  if (!layer && cells.value == CellValue::weight && block.shape.has_equivalent_maps())
    return block.shape.softmax_layers() == 0 ? tr(equivalent_map().label)
                                             : tr("Attention weight, or equivalent map (not a softmax)");
  if (cells.value != CellValue::logit)
    return tr(block.cells_of(layer.value_or(block.shape.layer_with_maps(0))).label);
  return cells.against.empty() ? tr("Contribution to the logit of “{}”", cells.token)
                               : tr("Contribution to “{}” − “{}”", cells.token, cells.against);
}

std::string brief_cells_name(const Translator& tr, const BlockTrace& block, int layer) {
  return block.cells.rollout == Rollout::off ? std::string(tr(block.cells_of(layer).brief))
                                             : cells_name(tr, block, layer);
}

const char* range_name(const Translator& tr, Range range, bool is_signed) {
  if (is_signed && range == Range::unit) return tr("−1 to 1");
  return tr(to_label(is_signed && range == Range::logarithm ? Range::shared : range));
}

std::string colors_name(const Translator& tr, const RangeChoice& choice, const BlockTrace& block,
                        std::optional<int> layer) {
  const bool of_rollout = block.cells.rollout != Rollout::off && is_per_head(choice.kind);
  const bool known = layer || block.shape.softmax_layers() == 0;
  const bool is_signed = known ? block.is_signed(layer.value_or(0)) : cell_value(block.cells.value).is_signed;
  std::string name = cells_name(tr, block, layer) + " · " +
                     (of_rollout ? tr("each map by itself") : range_name(tr, choice.kind, is_signed));
  if (choice.ignore_first_token) name += std::string(" · ") + tr("first token ignored");
  if (choice.holds()) name += std::string(" · ") + tr("range held");
  return name;
}

std::string cell_text(float value) {
  if (value == 0) return "0";
  const float size = std::abs(value);
  if (size >= 10 && size < 10000) return with_minus(fmt::format("{:.0f}", value));
  return with_minus(short_exponent(fmt::format("{:#.2g}", value)));
}

}  // namespace headscope

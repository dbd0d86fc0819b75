#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/inputs/names.h"

namespace headscope {

/// How the ends of the colour bar are chosen.
enum class Range {
  unit,        ///< 0 to 1
  shared,      ///< smallest to largest over all heads shown
  head,        ///< each head's own smallest to largest (the notebook's)
  logarithm,   ///< logarithmic, from 1e-4 of the largest (or the smallest if larger) to the largest
  fixed,       ///< RangeChoice::limits, whatever the weights are
  percentile,  ///< each head's own 2nd to 98th percentile, as seaborn's robust=True
  row,         ///< each row from 0 to its own largest
};
std::span<const EnumName<Range>> enum_names(Range);
/// Whether each head, or row, has a range of its own.
constexpr bool is_per_head(Range range) {
  return range == Range::head || range == Range::percentile || range == Range::row;
}
/// Whether all heads have one range, found from the weights of all.
constexpr bool is_over_heads(Range range) {
  return range == Range::shared || range == Range::logarithm;
}

/// The ends of the colour bar under Range::fixed: low < high.
struct ColorLimits {
  static constexpr double maximum = 1e6;  ///< of either; the minimum is -maximum
  double low = 0, high = 1;
  bool valid() const { return low < high && low >= -maximum && high <= maximum; }
  bool operator==(const ColorLimits&) const = default;
};

/// Which map of a head a held range is of.
enum class HeldMap {
  a,           ///< that of A, or of the only side
  b,           ///< that of B
  difference,  ///< B − A
  mean,        ///< the mean of A's heads
  mean_b,      ///< the mean of B's
  rollout,     ///< a rollout
};
std::span<const EnumName<HeldMap>> enum_names(HeldMap);

/// The range that a map keeps whatever its numbers become.
struct HeldRange {
  HeldMap map = HeldMap::a;
  BlockKind block = BlockKind::self;
  int layer = 0, head = 0;  ///< from 0; head 0 of what has no heads
  ColorLimits limits = {};  ///< under Range::row those that the map has where it has one range
  /// Under Range::row the largest of each query; 0: it had none.
  std::vector<double> rows = {};
  bool operator==(const HeldRange&) const = default;
};

struct RangeChoice {
  Range kind = Range::head;
  ColorLimits limits = {};  ///< of Range::fixed
  /// The first query and the first key, on which heads often put the weight that they do not need (Xiao et
  /// al. 2024, attention sinks), do not count for the ends of the colours.
  bool ignore_first_token = false;
  /// While an experiment changes the run, the ranges that its maps had before, so that a colour means the
  /// same number before and after; maps without one follow their numbers.
  std::vector<HeldRange> held = {};

  /// Nothing is to be held where the ends are given.
  bool can_hold() const { return kind != Range::unit && kind != Range::fixed; }
  bool holds() const { return can_hold() && !held.empty(); }
  /// What a map holds; nullptr: nothing.
  const HeldRange* find_held(HeldMap map, BlockKind block, int layer, int head) const;
  /// Of a map, its held limits; nullptr: none.
  const ColorLimits* held_limits(HeldMap map, BlockKind block, int layer, int head) const;
  bool operator==(const RangeChoice&) const = default;
};

}  // namespace headscope

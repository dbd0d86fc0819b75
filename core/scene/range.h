#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/base/translate.h"
#include "core/scene/colormap.h"
#include "core/scene/range_choice.h"

namespace headscope {

/// The colour range of each head of a layer, one entry per head; shared and logarithm are over the heads
/// whose maps were requested. Blocked and filtered cells do not count; neither does a query that may attend
/// to one key alone, as the first one under a causal mask: its weight is 1 whatever the head does. Always a
/// valid range, low < high: if all weights are equal it is from 0 to that weight, if there is none it is 0 to
/// 1. Of signed numbers (BlockTrace::cells) it is symmetric around 0, never logarithmic, and goes on to the
/// largest of either sign. Reads every weight: keep the result, do not call it every frame. The range says
/// whether weights are beyond its ends.
/// A head that holds a range keeps it: of a rollout that of HeldMap::rollout, otherwise that of `map`.
std::vector<ColorRange> color_ranges(const FilteredLayer& shown, const RangeChoice& choice,
                                     HeldMap map = HeldMap::a);

/// The range of a map [n_q, n_k] under Range::row; `state` as CellState or nullptr. Rows with a number in
/// `kept` have it for their largest.
ColorRange row_range(const float* weights, const std::uint8_t* state, Index n_q, Index n_k,
                     bool is_signed = false, std::span<const double> kept = {});
/// What the rows of a map hold that shows `queries`, pooled to so many rows; empty: nothing.
std::vector<double> kept_rows(const HeldRange* held, std::span<const int> queries, Index rows);

/// The ends of `kept` applied to other weights, whose own ranges are `now`.
ColorRange held_range(const ColorRange& kept, const ColorRange& now);
/// Limits around all of these, with three significant digits, as on colour bars.
ColorLimits limits_around(std::span<const ColorRange> ranges);

/// An end of a colour bar with up to this many significant digits: "0.0123", "1", "5.64e-5".
std::string bound_text(float value, int digits = 3);
/// The ends of a range: "≤0.1" if values are beyond, "max" for each row's largest.
std::string low_text(const ColorRange& range, int digits = 3);
std::string high_text(const ColorRange& range, int digits = 3);
/// Both, with as many decimals as show two digits of the larger, or more where they would look the same:
/// "0.05–0.22", "−0.31 – 0.31", "0.0998–0.1002".
std::string range_text(const ColorRange& range);
/// A number on a colour bar.
struct BarTick {
  double position = 0;  ///< 0 at the low end of the range, 1 at the high one
  std::string text;
};
inline constexpr int max_bar_ticks = 5;
/// Two to `most` (2 to max_bar_ticks) round numbers within the range: multiples of 1, 2 or 5 times a power of
/// ten, or powers of ten where it is logarithmic. An end beyond which there are weights is always one of
/// them: "≥0.19".
std::vector<BarTick> bar_ticks(const ColorRange& range, int most = max_bar_ticks);
/// As wide as any tick of these ranges, in a few steps, so that maps do not move while numbers change.
std::string widest_tick(std::span<const ColorRange> ranges);
/// What cells of a layer show, or of all: "Attention weight", "Contribution to the logit of “ Mary”".
std::string cells_name(const Translator& tr, const BlockTrace& block, std::optional<int> layer);
/// The same in a word or two, of a layer: "No softmax".
std::string brief_cells_name(const Translator& tr, const BlockTrace& block, int layer);
/// What a choice comes to: signed numbers have no logarithm, and go to either side of 0.
const char* range_name(const Translator& tr, Range range, bool is_signed);
/// What the colours of maps mean: "Attention weight · Per head · first token ignored".
std::string colors_name(const Translator& tr, const RangeChoice& choice, const BlockTrace& block,
                        std::optional<int> layer);
/// The number in a cell: two significant digits, "0.12", "0.034", "5.6e-5", "0.50", "1.0".
std::string cell_text(float value);

}  // namespace headscope

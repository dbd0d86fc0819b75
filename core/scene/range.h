#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/scene/colormap.h"
#include "core/scene/view.h"

namespace headscope {

/// The colour range of each head of a layer under `range`, one entry per head; shared and logarithm are over
/// the heads whose maps were requested. Blocked and filtered cells do not count. Always a valid range, low <
/// high: if all weights are equal it is from 0 to that weight, if there is none it is 0 to 1. Reads every
/// weight: keep the result, do not call it every frame. If ends are given, or found in a long map (see
/// long_extent()), the range says whether weights are beyond them.
std::vector<ColorRange> color_ranges(const FilteredLayer& shown, Range range, const ColorLimits& limits = {});

/// The ends of `kept` applied to other weights, whose own ranges are `now`.
ColorRange held_range(const ColorRange& kept, const ColorRange& now);
/// Limits around all of these, with three significant digits, as on colour bars.
ColorLimits limits_around(std::span<const ColorRange> ranges);

/// An end of a colour bar with up to this many significant digits: "0.0123", "1", "5.64e-5".
std::string bound_text(float value, int digits = 3);
/// The ends of a range: "≤0.1" if values are beyond.
std::string low_text(const ColorRange& range, int digits = 3);
std::string high_text(const ColorRange& range, int digits = 3);
/// As wide as any end of these ranges, in a few steps, so that maps do not move while numbers change.
std::string widest_bound(std::span<const ColorRange> ranges);
/// The number in a cell: two significant digits, "0.12", "0.034", "5.6e-5", "0.50", "1.0".
std::string cell_text(float value);

}  // namespace headscope

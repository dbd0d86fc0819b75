#pragma once
#include <string>
#include <vector>

#include "core/analysis/filtered_layer.h"
#include "core/scene/colormap.h"

namespace headscope {

/// The colour range of each head of a layer under `range`, one entry a head; shared and logarithm are over
/// the heads whose maps were asked for. Blocked and filtered cells do not count. Always a valid range, low <
/// high: where all weights are equal it reaches from 0 to that weight, where there is none it is 0 to 1.
/// Reads every weight: keep the result, don't ask each frame.
std::vector<ColorRange> color_ranges(const FilteredLayer& shown, Range range);

/// An end of a colour bar: up to so many significant digits, "0.0123", "1", "5.64e-5".
std::string bound_text(float value, int digits = 3);
/// The number in a cell: two significant digits, "0.12", "0.034", "5.6e-5", "0.50", "1.0".
std::string cell_text(float value);

}  // namespace headscope

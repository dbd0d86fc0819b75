#pragma once
#include <vector>

#include "core/attention/trace.h"
#include "core/figure/colormap.h"

namespace headscope {

/// The colour range of each head of a layer under `range`; blocked cells do not count. One entry a head.
std::vector<ColorRange> color_ranges(const Trace& trace, int layer, Range range);

}  // namespace headscope

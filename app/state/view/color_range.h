#pragma once
#include <span>
#include <vector>

#include "app/state/derived/view_cache.h"
#include "app/state/view_state.h"
#include "core/scene/colormap.h"

namespace headscope {

/// The ranges that the view draws its maps with.
std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene, const FilteredLayer& shown);

/// Chooses another kind of range. Fixed limits start at the ends of the `drawn` ranges, so that nothing
/// changes on the screen.
void set_range(ViewState& state, Range range, std::span<const ColorRange> drawn);
/// Fixes the present limits, or returns to the previous kind of range.
void hold_range(ViewState& state, std::span<const ColorRange> drawn);
/// Sets typed limits: those with low >= high are only kept for the error message.
void set_limits(ViewState& state, const ColorLimits& limits);

}  // namespace headscope

#pragma once
#include <span>
#include <vector>

#include "app/state/view/view_cache.h"
#include "app/state/view/view_state.h"
#include "core/scene/colormap.h"

namespace headscope {

/// Those that the view draws its maps with.
std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene, const FilteredLayer& shown);

/// Another kind of range. Fixed limits begin where the ranges that are `drawn` end, so that nothing changes
/// on the screen.
void set_range(ViewState& state, Range range, std::span<const ColorRange> drawn);
/// Fixes the limits there are, or goes back to the kind of range before.
void hold_range(ViewState& state, std::span<const ColorRange> drawn);
/// Limits as they are typed: those with low >= high are kept for a complaint alone.
void set_limits(ViewState& state, const ColorLimits& limits);

}  // namespace headscope

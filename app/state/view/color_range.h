#pragma once
#include <span>
#include <vector>

#include "app/state/derived/view_cache.h"
#include "app/state/workspace.h"
#include "core/scene/colormap.h"

namespace headscope {

/// The ranges that the view draws its maps with; `of_layer`: those of the layer in view, see color_ranges().
std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene,
                                     std::span<const ColorRange> of_layer);
std::vector<ColorRange> drawn_ranges(ViewCache& cache, const Scene& scene, const FilteredLayer& shown);

/// Chooses another kind of range. Fixed limits start at the ends of the `drawn` ranges, so that nothing
/// changes on the screen.
void set_range(ViewState& state, Range range, std::span<const ColorRange> drawn);
/// Lets held ranges follow the weights again.
void rescale(ViewState& state);
/// All maps that hold no range hold the one they have: those in view at once, those of other layers and
/// blocks as soon as they are known; a long text only holds what is in view.
void hold_ranges(Workspace& work);
/// At the start of a frame: takes over what those were.
void take_held(Workspace& work);
/// At the end of a frame, before what changed is run. An experiment (whatever changes numbers, but neither
/// the source, its size nor the text) holds the ranges of before its first change; another document, or other
/// cells, release them.
void follow_experiment(Workspace& work);
/// Before other inputs are taken over that are no experiment: those of undo.
void expect_inputs(OpenSession& open, const DocumentState& coming);
/// Sets typed limits: those with low >= high are only kept for the error message.
void set_limits(ViewState& state, const ColorLimits& limits);

}  // namespace headscope

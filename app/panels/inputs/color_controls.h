#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

/// What the cells of maps show; disabled with the reason where the source does not have it.
void draw_cells_choice(Ui& ui);
/// One map for each head, or one for each layer: attention rollout.
void draw_rollout_choice(Ui& ui);
/// The colormap, each with a strip of its colours.
void draw_colormap_choice(Ui& ui);
/// The colour range, its limits where they are fixed, and the switch that holds those there are.
void draw_range_choice(Ui& ui);

}  // namespace headscope

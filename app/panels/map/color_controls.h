#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The colormap, each with a strip of its colours.
void draw_colormap_choice(Ui& ui);
/// The colour range, its limits where they are fixed, and the switch that holds those there are.
void draw_range_choice(Ui& ui);

}  // namespace headscope

#pragma once
#include "app/panels/map/map_panel.h"

namespace headscope {

// Parts of the head view.

/// Back to the grid, previous and next heads and layers, zoom.
void draw_head_toolbar(Ui& ui, int head);

/// The numbers of the marked cell's row (in `above`, each over its column) and column (in `beside`) as bars.
/// Hidden cells have none; where cells are smaller than pixels the largest counts.
void draw_profiles(ImDrawList& list, const Ui& ui, const ScreenMap& map, const Rect& above,
                   const Rect& beside);

}  // namespace headscope

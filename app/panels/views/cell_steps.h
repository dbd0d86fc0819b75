#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The page of one cell's computation: its stages as cards, next to a small map of its head in which another
/// cell can be chosen.
void draw_cell_steps(Ui& ui);

}  // namespace headscope

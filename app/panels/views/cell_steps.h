#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The page of one cell's way: its stages as cards, beside a small map of its head in which another cell can
/// be chosen.
void draw_cell_steps(Ui& ui);

}  // namespace headscope

#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// All heads of the layer in the remaining space of the current window; hover, lock, titles that open a head.
void draw_grid(Ui& ui);

}  // namespace headscope

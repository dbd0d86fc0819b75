#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// All heads of the layer in the room that the current window has left; hover, lock, titles that open a head.
void draw_grid(Ui& ui);

}  // namespace headscope

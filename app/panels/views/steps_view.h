#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The view of the arithmetic: the way of the locked cell, the cost of the layer, the streamed softmax.
void draw_steps_view(Ui& ui);

}  // namespace headscope

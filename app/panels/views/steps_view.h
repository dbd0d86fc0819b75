#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The arithmetic view: the computation of the locked cell, the cost of the layer, the streamed softmax.
void draw_steps_view(Ui& ui);

}  // namespace headscope

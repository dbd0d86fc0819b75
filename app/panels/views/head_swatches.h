#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// A small square in each head's colour with its number: a legend, and the place where heads go on and off.
void draw_head_swatches(Ui& ui);

}  // namespace headscope

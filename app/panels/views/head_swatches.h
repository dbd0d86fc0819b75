#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// A small square in each head's colour with its number: a legend that also ablates and restores heads.
void draw_head_swatches(Ui& ui);

}  // namespace headscope

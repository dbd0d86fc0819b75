#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// All heads of all layers as a table of numbers, and their similarity as a matrix with its tree.
void draw_head_table_view(Ui& ui);

}  // namespace headscope

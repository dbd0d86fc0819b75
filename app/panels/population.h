#pragma once
#include "app/panels/ui.h"

namespace headscope {

/// All heads of all layers as a table of numbers, and how alike they are as a matrix.
void draw_population(Ui& ui);

// Its two halves.
void draw_head_table(Ui& ui, ImVec2 size);
void draw_similarity(Ui& ui, ImVec2 size);

}  // namespace headscope

#pragma once
#include "app/panels/ui.h"

namespace headscope {

enum class Side { queries, keys };

/// The tokens of a sentence, below it, in at most so many lines; beyond those they scroll.
void draw_tokens(Ui& ui, Side side, float max_lines);

}  // namespace headscope

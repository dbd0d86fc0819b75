#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// What is known about the cell in focus: its tokens, score and weight, its row sorted, its head's
/// statistics.
void draw_inspector(Ui& ui);

/// A weight as it is written in numbers: four significant digits, small ones with an exponent.
std::string weight_text(float weight);

}  // namespace headscope

#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

/// A section: the tokens that a trained model expects after the token in focus, the text, or in place of a
/// masked token, and the mean surprise of the text. As high for every cell. Draws nothing for a trace without
/// predictions.
void draw_expected_next(Ui& ui);

}  // namespace headscope

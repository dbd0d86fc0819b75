#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

/// A section: the tokens that a trained model expects after the text, or in place of a masked token, and the
/// mean surprise of the text. Draws nothing for a trace without predictions.
void draw_expected_next(Ui& ui);
/// The three likeliest tokens after (or in place of) the token of the cell in focus, at the bottom of the
/// present window, whose content ends above them. As high for every cell.
void draw_expected_at_bottom(Ui& ui);

}  // namespace headscope

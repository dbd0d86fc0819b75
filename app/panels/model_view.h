#pragma once
#include "app/panels/ui.h"

namespace headscope {

/// The encoder–decoder as a whole; every map leads to its grid, and words light what they look at.
void draw_model_view(Ui& ui);
/// Of which heads and of which side of a comparison, while it is presented: nothing in another view.
void draw_model_choices(Ui& ui);
/// Why there is none of the inputs at hand, English, to be translated; nullptr: there is, or will be.
const char* whole_model_refused(const Ui& ui);

}  // namespace headscope

#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The encoder–decoder as a whole; every map leads to its grid, and words light what they look at.
void draw_model_view(Ui& ui);
/// What of the window is about the model that is seen as a whole: B in the place of A where it is B's.
Ui of_seen_model(const Ui& ui);
/// Whether that is B's.
bool shows_model_of_b(const Ui& ui);
/// Locks the row of cross-attention that a step of the decoder reads the source by, where it looks most.
void lock_step(Ui& ui, Index step);
/// Of which heads and of which side of a comparison, while it is presented: nothing in another view.
void draw_model_choices(Ui& ui);
/// Why there is none of the inputs at hand, English, to be translated; nullptr: there is, or will be.
const char* whole_model_refused(const Ui& ui);

}  // namespace headscope

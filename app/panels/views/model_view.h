#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

/// The encoder–decoder as a whole; every map leads to its grid, and a word highlights the words it attends
/// to.
void draw_model_view(Ui& ui);
/// The state of the whole model that is shown: B in place of A if it is B's.
Ui of_seen_model(const Ui& ui);
/// Whether that is B's.
bool shows_model_of_b(const Ui& ui);
/// Locks the row of cross-attention by which a decoder step reads the source, at its largest weight.
void lock_step(Ui& ui, Index step);
/// The choice of heads and of a comparison's side, for presentations and, in a low window, for the path.
void draw_model_choices(Ui& ui);
bool chooses_in_path(const Ui& ui);

}  // namespace headscope

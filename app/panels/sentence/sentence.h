#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// The sentence, the second one if there is one, and their tokens; in the comparison those of B next to those
/// of A.
void draw_sentence(App& app, Ui& ui);

}  // namespace headscope

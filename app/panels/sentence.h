#pragma once
#include "app/panels/ui.h"

namespace headscope {

struct App;

/// The sentence, the second one where there is one, and their tokens.
void draw_sentence(App& app, Ui& ui);

}  // namespace headscope

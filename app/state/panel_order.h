#pragma once
#include "app/panels/ui.h"

namespace headscope {

struct App;

/// The keyboard goes to the panel; a sentence is then edited.
void go_to_panel(App& app, Panel panel);
/// To the next (1) or the one before (-1) of those that are shown, going round.
void step_panel(App& app, int by);

}  // namespace headscope

#pragma once
#include "app/state/view_state.h"

namespace headscope {

struct App;

/// The keyboard goes to the panel in the next frame; a sentence is then edited.
void go_to_panel(App& app, Panel panel);
/// To the next (1) or the one before (-1) of those that are shown, going round.
void step_panel(App& app, int by);

}  // namespace headscope

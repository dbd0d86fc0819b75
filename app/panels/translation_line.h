#pragma once
#include "app/panels/ui.h"

namespace headscope {

struct App;

/// What an encoder–decoder writes by itself, as a text on one line: what a change has changed is marked, and
/// what cannot be trusted is told. False, and nothing, where there is none.
bool draw_translation(App& app, Ui& ui);

}  // namespace headscope

#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// What an encoder–decoder writes by itself, as a text on one line: what a change has changed is marked, and
/// what cannot be trusted is told. False, and nothing, where there is none.
bool draw_translation(App& app, Ui& ui);
/// In a low window it has the place of the title of the target's tokens; false, and nothing, elsewhere.
bool draw_translation_as_title(App& app, Ui& ui);

}  // namespace headscope

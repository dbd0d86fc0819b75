#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct Workspace;

/// The output of an encoder–decoder as a text on one line: what an intervention changed is marked, and what
/// is unreliable is noted. Returns false and draws nothing if there is none.
bool draw_translation(Workspace& work, Ui& ui);
/// In a low window it replaces the title of the target's tokens; returns false and draws nothing otherwise.
bool draw_translation_as_title(Workspace& work, Ui& ui);

}  // namespace headscope

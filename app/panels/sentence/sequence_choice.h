#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct Workspace;

/// Replaces a sentence's text: which of a capture's sequences is shown, and notes about its numbers.
void draw_sequence_choice(Workspace& work, Ui& ui, Side side);

}  // namespace headscope

#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct OpenSession;
struct Workspace;

/// The panels' view of one side: its inputs, its trace, and why it cannot be run.
Ui side_of(Workspace& work, const Ui& ui, Side side);

/// "A" or "B" on a button that makes it the side that the controls edit.
void draw_side_title(Ui& ui, Side side, float height);
/// In the comparison: which side the controls edit, as a choice.
void draw_edited_side(OpenSession& open, Ui& ui);

}  // namespace headscope

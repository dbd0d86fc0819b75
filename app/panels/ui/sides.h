#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct OpenSession;
struct Workspace;

/// The panels' view of one side: its inputs, its trace, and why it cannot be run.
Ui side_of(Workspace& work, const Ui& ui, Side side);

/// The comparison of the blocks of both sides; nullptr: not known yet, or there is no B.
std::shared_ptr<const Comparison> present_comparison(const Ui& ui);

/// "A" or "B" on a button that makes it the side that the controls edit.
void draw_side_title(Ui& ui, Side side, float height);
/// In the comparison: which side the controls edit, as a choice.
void draw_edited_side(OpenSession& open, Ui& ui);

}  // namespace headscope

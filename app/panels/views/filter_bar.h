#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// Which cells of the maps are shown, for all views: the top of each row's mass, a threshold, hidden tokens;
/// and the order of the heads. A button each, and a chip for each part of the filter, which a click removes.
void draw_filter_bar(Ui& ui);
/// The width that it needs without chips. `at_rest`: as it is while heads are neither filtered nor sorted.
float filter_bar_width(bool at_rest = false);

/// A long text is shown in pooled cells or in parts, for which there is no filter.
bool shows_long_text(const Ui& ui);

/// A drag across tokens keeps only those. `on` is the token whose label the pointer is on, `beside` the one
/// at its height (or width) wherever it is, which a drag follows. Call every frame; true during a drag and
/// just after it, when a click is not meant for the token. In self-attention rows and columns are filtered
/// alike, with Shift only those dragged across.
bool drag_tokens(Ui& ui, TokenPlace on, TokenPlace beside);
/// Whether the current drag has passed over this row or column.
bool is_dragged(const Ui& ui, bool keys, int place);

}  // namespace headscope

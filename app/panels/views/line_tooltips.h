#pragma once
#include "app/panels/shell/ui.h"
#include "core/analysis/lines.h"

namespace headscope {

/// The head, weight and tokens of one line.
void line_tooltip(Ui& ui, const Line& line);
/// The strongest of one token's lines: a query's if `row`, otherwise a key's.
void token_tooltip(Ui& ui, const LineSet& own, bool row);
/// A line of text if not all lines are drawn.
void report_left_out(Ui& ui);

}  // namespace headscope

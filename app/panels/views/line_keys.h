#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The strongest cell of a token of the shown layer, a query if `row` is not -1, otherwise a key; limited to
/// the shown head if the view shows one. The first cell of a token that has no lines.
Cell strongest_cell(const Ui& ui, int row, int column);

/// Locks the strongest cell of a token of the shown layer, a query if `row` is not -1, otherwise a key: only
/// its lines remain.
void lock_token(Ui& ui, int row, int column);

/// The keys of the lines view: up and down another token of the same column, left and right the queries' or
/// the keys' column; with Ctrl another head or layer; Enter opens the head. True if another token is shown.
bool line_keys(Ui& ui);

}  // namespace headscope

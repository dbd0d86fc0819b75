#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// Two columns of tokens, queries left and keys right, joined by lines in the heads' colours.
void draw_lines(Ui& ui);

/// The strongest cell of a token of the shown layer, a query if `row` is not -1, otherwise a key; limited to
/// the shown head if the view shows one. The first cell of a token that has no lines.
Cell strongest_cell(const Ui& ui, int row, int column);

}  // namespace headscope

#pragma once
#include "core/inputs/side.h"
#include "core/scene/scene.h"

namespace headscope {

struct App;

// Copy to the clipboard, with a notice: weights of A's block, or of B's.

void copy_cell(App& app, int layer, const Cell& cell, Side side = Side::a);
void copy_row(App& app, int layer, const Cell& cell, Side side = Side::a);
void copy_head(App& app, int layer, int head, Side side = Side::a);

}  // namespace headscope

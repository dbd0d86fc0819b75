#pragma once
#include "core/scene/scene.h"

namespace headscope {

struct App;

// Copy to the clipboard, with a notice: weights of A's block, or of B's.

void copy_cell(App& app, int layer, const Cell& cell, bool of_b = false);
void copy_row(App& app, int layer, const Cell& cell, bool of_b = false);
void copy_head(App& app, int layer, int head, bool of_b = false);

}  // namespace headscope

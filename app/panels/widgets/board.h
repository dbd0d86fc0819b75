#pragma once
#include <imgui.h>

#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// Colours and fonts of the window, for boards in ImGui's pixels. Must not outlive the frame.
BoardStyle board_style(const Ui& ui);
/// Draws it with its upper left corner at `at`, clipped to the clip rectangle, and reserves its space in the
/// window's layout.
void draw_board(const Ui& ui, const Board& board, ImVec2 at);

/// Records where its visible regions are.
void note_regions(const Ui& ui, const Board& board, ImVec2 at);

}  // namespace headscope

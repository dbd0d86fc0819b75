#pragma once
#include <imgui.h>

#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// Colours and fonts of the window, for boards in ImGui's pixels. Must not outlive the frame.
BoardStyle board_style(const Ui& ui);
/// Draws it with its upper left corner at `at`, as far as it lies in the clip rectangle, and takes its room
/// in the layout of the window.
void draw_board(const Ui& ui, const Board& board, ImVec2 at);

/// Notes where its regions stand, as far as they can be seen.
void note_regions(const Ui& ui, const Board& board, ImVec2 at);

}  // namespace headscope

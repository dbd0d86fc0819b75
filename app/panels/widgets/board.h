#pragma once
#include <imgui.h>

#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// Colours and fonts of the window, for boards in ImGui's pixels. Must not outlive the frame.
BoardStyle board_style(const Ui& ui);
/// Without its alpha.
Rgb to_rgb(ImU32 color);
/// Draws it with its upper left corner at `at`, clipped to the clip rectangle, and reserves its space in the
/// window's layout.
void draw_board(const Ui& ui, const Board& board, ImVec2 at);

/// Records where its visible regions are.
void note_regions(const Ui& ui, const Board& board, ImVec2 at);

// Of a board at `at`.

/// The region under the pointer; nullptr: none, or the window is not pointed at.
const BoardRegion* hovered_region(const Board& board, ImVec2 at);
/// The corners of a part of it on the screen.
struct OnScreen {
  OnScreen(const Rect& rect, ImVec2 at);
  ImVec2 min, max;
};
/// The help of a region, next to it; nothing if it has none.
void region_tooltip(const BoardRegion& region, ImVec2 at);

}  // namespace headscope

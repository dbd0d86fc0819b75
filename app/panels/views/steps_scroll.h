#pragma once
#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// What of a page the present step shows, from its upper edge. `result`: where what it is about ends.
struct PagePart {
  double top = 0, bottom = 0, result = 0;
};

/// Brings it into view in the present window where it is `anew`: whole; where it is higher than the room, its
/// beginning for who goes through the steps by hand, else its result. Else scrolls as keys have asked. On a
/// projector nothing of the board is cut.
void follow_part(Ui& ui, const Board& board, const PagePart& part, bool anew);
/// What scrolls in the present window; on a projector only what is not cut by its edges.
void draw_scrolled_board(Ui& ui, const Board& board, ImVec2 at);

}  // namespace headscope

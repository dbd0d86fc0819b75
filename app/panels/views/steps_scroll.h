#pragma once
#include "app/panels/shell/ui.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// The part of a page that belongs to the present step, from its upper edge. `result`: where its result ends.
struct PagePart {
  double top = 0, bottom = 0, result = 0;
};

/// Scrolls it fully into view in the present window if it is `anew`; if it is too high, its beginning when
/// the user moves through the steps, otherwise its result. Otherwise scrolls by keys. On a projector nothing
/// of the board is cut.
void follow_part(Ui& ui, const Board& board, const PagePart& part, bool anew);
/// The scrolled board in the present window; on a projector only what its edges do not cut.
void draw_scrolled_board(Ui& ui, const Board& board, ImVec2 at);

}  // namespace headscope

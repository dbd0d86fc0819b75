#pragma once
#include "app/panels/ui/ui.h"
#include "core/figure/canvas/rect.h"

namespace headscope {

// One head, large and with its words, beside or below what a view shows of many: the one that was pointed at
// last, otherwise the one that is chosen.

/// Where it has room: the larger of what is free beside and below `width` by `height` of `room`, if its side
/// is at least that share of the room's. Otherwise, and while presented, without width.
Rect room_for_detail(const Ui& ui, const Rect& room, double width, double height, double share);
/// A view points at that head.
void point_at_detail(Ui& ui, const HeadPlace& head);
HeadPlace detailed_head(const Ui& ui);
/// Nothing without width, and until its map is known.
void draw_head_detail(Ui& ui, const Rect& place);

}  // namespace headscope

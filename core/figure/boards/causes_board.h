#pragma once
#include "core/analysis/shown_causes.h"
#include "core/figure/boards/cell_board.h"
#include "core/scene/scene.h"

namespace headscope {

/// The question that a view asks; edges and keys are of its head in `block`.
CauseChoice cause_choice(const View& view, BlockKind block);

/// "each head gives zero": what is changed, for a control; `from` and `into` are A and B.
std::string change_title(const Translator& tr, CauseChange change, bool noise);

/// One cell for each change, on colours from negative to positive: a row per layer and a column per head, a
/// column per position, or the edges of one head. Regions are named "cause BLOCK INDEX", from 0, those not
/// found yet "pending BLOCK INDEX".
Board causes_board(const Scene& scene, const ShownCauses& shown, const BoardStyle& style, BoardRoom room,
                   const Translator& tr);

/// What a cell of the board says: "Layer 2, head 3, at “fox” (token 4): −5.3100 · probability 2.0%". Not in
/// its regions: there may be thousands of them.
std::string cause_text(const Scene& scene, const ShownCauses& shown, const CauseTarget& target,
                       const Translator& tr);

/// The same as a view of a figure. Throws Error for a question that cannot be answered.
void draw_causes(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope

#pragma once
#include "app/state/brush.h"
#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

struct ViewState;

/// The cells that the brush covers on the way from one cell to another; head -1: of all heads. Pooled cells
/// are covered as a whole.
Runs stroke_region(const Brush& brush, const BlockTrace& trace, int head, PaintCell from, PaintCell to,
                   const CellUnit& pool = {});
/// Blocks or unblocks those cells in the mask's painted part, which is created and removed with its cells.
void paint_stroke(Inputs& inputs, const Brush& brush, const BlockTrace& trace, int head, PaintCell from,
                  PaintCell to, bool block, const CellUnit& pool = {});

// Changes of the whole painting, in one head or in all (-1). `trace` is that of the inputs: it gives the size
// of the maps and the blocked cells.

/// Unblocks every painted cell.
void clear_painting(Inputs& inputs, const BlockTrace& trace, int head);
/// Blocks what is not painted and unblocks what is.
void invert_painting(Inputs& inputs, const BlockTrace& trace, int head);
/// Turns all blocked cells, whatever part blocks them, into the painting; the other parts are switched off.
void paint_present_masks(Inputs& inputs, const BlockTrace& trace);
/// The head that a change of the whole painting applies to, from 0; -1: all of them.
int brush_head(const ViewState& state, int heads);
/// The block whose cells are painted: where pooled cells are shown, the one of single tokens; without a
/// column of no token.
inline const BlockTrace& painted_block(const BlockTrace& shown) {
  if (shown.pooled()) return *shown.single;
  return shown.tokens_alone ? *shown.tokens_alone : shown;
}
/// What is painted in that block; nullptr if nothing is.
const Runs* painting_of(const Inputs& inputs, const BlockTrace& trace);
/// Whether the trace's cells still match the inputs: a run may be pending.
bool same_cells(const BlockTrace& trace, const Inputs& inputs);

}  // namespace headscope

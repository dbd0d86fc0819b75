#pragma once
#include <optional>

#include "core/attention/painting.h"
#include "core/inputs/inputs.h"
#include "core/scene/scene.h"
#include "core/source/trace.h"

namespace headscope {

struct ViewState;

/// How many tokens one row and one column of the shown map cover.
struct CellUnit {
  Index queries = 1, keys = 1;
  bool operator==(const CellUnit&) const = default;
  /// The pooled cell that contains a cell of tokens.
  Cell of(const Cell& tokens) const {
    return {tokens.head, static_cast<int>(tokens.query / queries), static_cast<int>(tokens.key / keys)};
  }
};

/// Painting of the mask on the maps: while it is on, click and drag on cells paint instead of locking them.
struct Brush {
  enum class Shape { cell, row, column, diagonal };
  static constexpr int largest_radius = 15;
  bool on = false;
  Shape shape = Shape::cell;
  bool free = false;      ///< unblocks what is painted instead of blocking it
  bool one_head = false;  ///< only the head being painted on
  int radius = 0;         ///< around `cell`: squares of 2 radius + 1 cells
};

/// The brush stroke being drawn.
struct Stroke {
  bool on = false;
  int button = 0;     ///< index of its mouse button: 0 left, 1 right
  bool block = true;  ///< otherwise it unblocks
  int head = 0;       ///< the head under the pointer in the last frame
  PaintCell last{};   ///< last tokens under the pointer
  CellUnit unit;      ///< when it began: maps read meanwhile may be finer or coarser
};

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
/// The block whose cells are painted: where pooled cells are shown, the one of single tokens.
inline const BlockTrace& painted_block(const BlockTrace& shown) {
  return shown.pooled() ? *shown.single : shown;
}
/// What is painted in that block; nullptr if nothing is.
const Runs* painting_of(const Inputs& inputs, const BlockTrace& trace);
/// Whether the trace's cells still match the inputs: a run may be pending.
bool same_cells(const BlockTrace& trace, const Inputs& inputs);

}  // namespace headscope

#pragma once
#include <optional>

#include "core/attention/painting.h"
#include "core/inputs/inputs.h"
#include "core/scene/scene.h"
#include "core/source/trace.h"

namespace headscope {

struct ViewState;

/// How many tokens stand for one row and one column of what is shown.
struct CellUnit {
  Index queries = 1, keys = 1;
  bool operator==(const CellUnit&) const = default;
  /// A cell of tokens in groups.
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
  bool free = false;      ///< frees what is painted instead of blocking
  bool one_head = false;  ///< only the head that is painted on
  int radius = 0;         ///< of `cell`: squares of 2 radius + 1 cells
};

/// The stroke of the brush that is being drawn.
struct Stroke {
  bool on = false;
  int button = 0;     ///< number of the mouse button that draws it: 0 left, 1 right
  bool block = true;  ///< else it frees
  int head = 0;       ///< whose map the pointer was on in the last frame
  PaintCell last{};   ///< tokens that it was on
  CellUnit unit;      ///< of groups, as it began: what is read meanwhile may be finer or coarser
};

/// What the brush covers when it goes from one cell to another; head -1: of all heads. Where groups of tokens
/// are shown it covers whole ones.
Runs stroke_region(const Brush& brush, const BlockTrace& trace, int head, PaintCell from, PaintCell to,
                   const CellUnit& group = {});
/// Blocks or frees those cells in the painted part of the mask, which comes and goes with its cells.
void paint_stroke(Inputs& inputs, const Brush& brush, const BlockTrace& trace, int head, PaintCell from,
                  PaintCell to, bool block, const CellUnit& group = {});

// Changes of the whole painting, in one head or in all (-1). `trace` is that of the inputs: it says how large
// the maps are and what is blocked.

/// Frees every painted cell.
void clear_painting(Inputs& inputs, const BlockTrace& trace, int head);
/// Blocks what is not painted and frees what is.
void invert_painting(Inputs& inputs, const BlockTrace& trace, int head);
/// What is blocked now, by whatever part, becomes the painting; the other parts are switched off.
void paint_present_masks(Inputs& inputs, const BlockTrace& trace);
/// The head that a change of the whole painting is for, from 0; -1: all of them.
int brush_head(const ViewState& state, int heads);
/// The block whose cells are painted: that of the tokens where groups of them are shown.
inline const BlockTrace& painted_block(const BlockTrace& shown) {
  return shown.grouped() ? *shown.single : shown;
}
/// What is painted in that block; nullptr if nothing is on.
const Runs* painting_of(const Inputs& inputs, const BlockTrace& trace);
/// Whether cells of the trace are still those of the inputs: a run may be on its way.
bool same_cells(const BlockTrace& trace, const Inputs& inputs);

}  // namespace headscope

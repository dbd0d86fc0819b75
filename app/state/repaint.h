#pragma once
#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

// Changes of the whole painted mask of `inputs`, in one head or in all (-1). `trace` is theirs: it says how
// large the maps are and what is blocked.

/// Whether cells of the block are still those of the inputs: while a run is on its way they need not be.
bool is_split_from(const BlockTrace& block, const Inputs& inputs);

/// Frees every painted cell.
void clear_painting(Inputs& inputs, const BlockTrace& block, int head);
/// Blocks what is not painted and frees what is.
void invert_painting(Inputs& inputs, const BlockTrace& block, int head);
/// What is blocked now, by whatever part, becomes the painting; the other parts are switched off.
void paint_present_masks(Inputs& inputs, const BlockTrace& block);

}  // namespace headscope

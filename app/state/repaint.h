#pragma once
#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

// Changes of the whole painted mask of `inputs`, in one head or in all (-1). `trace` is theirs: it says how
// large the maps are and what is blocked.

/// Frees every painted cell.
void clear_painting(Inputs& inputs, const Trace& trace, int head);
/// Blocks what is not painted and frees what is.
void invert_painting(Inputs& inputs, const Trace& trace, int head);
/// What is blocked now, by whatever part, becomes the painting; the other parts are switched off.
void paint_present_masks(Inputs& inputs, const Trace& trace);

}  // namespace headscope

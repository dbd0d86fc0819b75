#pragma once
#include "core/scene/view_needs.h"

namespace headscope {

struct Workspace;

/// Why the view has nothing to show of what the window shows: see core/scene/view_needs.h.
const char* why_no_view(const Workspace& work, ViewKind view);

/// Once a frame: a view that the source no longer has gives way to the grid, and a page to that of a cell.
void leave_missing_view(Workspace& work);

}  // namespace headscope

#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct Workspace;

/// The session's bookmarks as a list: a click goes to one; a menu renames, moves, replaces or removes it.
void draw_bookmarks(Workspace& work, const Style& style);

/// The steps of the document so far, oldest first: a click goes there.
void draw_history(Workspace& work);

}  // namespace headscope

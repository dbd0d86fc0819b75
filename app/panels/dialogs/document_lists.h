#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// The session's bookmarks as a list: a click goes to one; a menu renames, moves, replaces or removes it.
void draw_bookmarks(App& app, const Ui& ui);

/// The steps of the document so far, oldest first: a click goes there.
void draw_history(App& app);

}  // namespace headscope

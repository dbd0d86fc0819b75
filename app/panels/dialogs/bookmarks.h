#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// The session's bookmarks as a list: a click goes there; a menu renames, moves, replaces, takes out.
void draw_bookmarks(App& app, const Ui& ui);

}  // namespace headscope

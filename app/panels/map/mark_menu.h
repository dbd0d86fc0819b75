#pragma once
#include "app/panels/shell/panel_memory.h"

namespace headscope {

struct App;

/// The part of a map's menu that adds, edits and removes marks at its cell.
void draw_mark_menu(App& app, MapMenu& menu);

}  // namespace headscope

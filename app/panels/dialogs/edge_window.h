#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// Begins a window over the view, of that size (0: as high as what is in it), for a panel that has no place
/// beside it.
void begin_edge_window(Ui& ui, const char* id, ImVec2 from, ImVec2 size, Panel panel);
/// `mark`: where tests find it.
void end_edge_window(Ui& ui, const char* mark);

/// The controls or the inspector over the view between the corners, where they were asked for and have no
/// room beside it; until the keyboard or a click goes elsewhere.
void draw_panel_over_view(App& app, Ui& ui, ImVec2 from, ImVec2 to);

}  // namespace headscope

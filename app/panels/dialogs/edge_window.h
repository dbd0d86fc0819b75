#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

struct App;

/// Begins a window over the view, of that size (0: as high as its contents), for a panel that does not fit
/// next to it.
void begin_edge_window(Ui& ui, const char* id, ImVec2 from, ImVec2 size, Panel panel);
/// `mark`: the name under which tests find it.
void end_edge_window(Ui& ui, const char* mark);

/// The controls or the inspector over the view between the corners, where they were requested and do not fit
/// next to it; until the keyboard or a click goes elsewhere.
void draw_panel_over_view(App& app, Ui& ui, ImVec2 from, ImVec2 to);

}  // namespace headscope

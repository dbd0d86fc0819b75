#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

// Keyboard navigation between the window's panels. Inside a panel ImGui's navigation moves between items with
// the arrow keys; between panels, which are separate ImGui windows, this does.

/// Gives the keyboard focus to the window begun next if `panel` is the requested one.
void begin_panel_focus(ViewState& state, Panel panel);
/// Inside the panel's window: records whether it has the keyboard focus.
void note_panel(ViewState& state, Panel panel);
/// Once a frame, before any panel: highlights the starting item of the panel that got the focus.
void show_panel_focus(ViewState& state);
/// From now on the navigated item is highlighted, as after an arrow key.
void show_highlight();
/// Whether the user navigates by keyboard, so that the focused item is highlighted.
bool navigates_by_keys();
/// Whether a menu or a dialog is open.
bool is_popup_open();
/// Highlights the last item if navigation is on it; for items that draw no highlight.
void mark_navigated_item();

}  // namespace headscope

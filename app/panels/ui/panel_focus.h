#pragma once
#include "app/panels/ui/ui.h"

namespace headscope {

// Keyboard navigation between the window's panels. Inside a panel ImGui's navigation moves between items with
// the arrow keys; between panels, which are separate ImGui windows, this does.

/// Gives the keyboard focus to the window begun next if `panel` is the requested one.
void begin_panel_focus(PanelFocus& focus, Panel panel);
/// Inside the panel's window: records whether it has the keyboard focus.
void note_panel(PanelFocus& focus, Panel panel);
/// Once a frame, before any panel: highlights the starting item of the panel that got the focus.
void show_panel_focus(PanelFocus& focus);
/// Whether a menu or a dialog is open.
bool is_popup_open();

}  // namespace headscope

#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

// Going through the window's panels by key. Inside a panel ImGui's navigation goes from item to item with the
// arrow keys; between panels, which are windows to it, this does.

/// Gives the keyboard to the window begun next if `panel` is the one that is wanted.
void begin_panel_focus(ViewState& state, Panel panel);
/// Inside of the panel's window: notes whether it has the keyboard.
void note_panel(ViewState& state, Panel panel);
/// Once a frame, before any panel: shows the item that the panel which got the keyboard goes on from.
void show_panel_focus(ViewState& state);
/// From now on the item that navigation is on is marked, as after an arrow key.
void show_highlight();
/// Whether somebody goes through items by keys, so that the one that has the focus is marked.
bool navigates_by_keys();
/// Marks the last item where navigation is on it; for items without a look of their own.
void mark_navigated_item();

}  // namespace headscope

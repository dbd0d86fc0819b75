#pragma once
#include "app/panels/map/map_panel.h"

namespace headscope {

/// The brush's tools, for the mask section of the controls: on and off, block or free, shape, size, heads,
/// clear, invert, start from the present masks.
void draw_paint_tools(Ui& ui);

/// Paints where the button is down on a head's map, with immediate effect; the right button does the
/// opposite. Marks what a click would paint. Replaces locking while ViewState::brush is on. One stroke is
/// from button down to button up.
void paint_on_map(ImDrawList& list, Ui& ui, const ScreenMap& map, int head, bool hovered);
/// The key that paints the locked cell: the space bar, which turns steps while presenting.
Key paint_key(const Style& style);
/// Paints by keyboard: that key at the locked cell, with Shift the opposite (not while presenting, where
/// Shift moves the lock); held while the lock moves it draws a stroke. Call after the lock has moved; `from`
/// is its previous position.
void paint_by_keys(Ui& ui, const std::optional<Cell>& from);
/// Ends the stroke when the button is up; call once a frame before the maps.
void follow_button(Ui& ui);

}  // namespace headscope

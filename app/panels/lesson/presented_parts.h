#pragma once
#include "app/panels/map/map_panel.h"
#include "app/panels/shell/ui.h"
#include "app/state/text/caption.h"

namespace headscope {

// Parts of what is presented (app/state/lesson/presentation.h).

/// The tokens in one line of that width and height; where they have no room those around the cell. Those of a
/// comparison whose sides don't fit beside each other stand in a line each. A click locks one's strongest
/// cell. How high it is.
float draw_token_line(Ui& ui, ImVec2 from, ImVec2 room);
/// Of the pointed or locked cell of the view, in the comparison of both sides; nothing without one.
std::optional<CellCaption> focused_caption(const Ui& ui);
/// How long the maps of a long text, which are being read (`ui.progress`), still take.
std::string time_left(const Ui& ui);
/// The tokens and the number of the locked or pointed cell, across the window.
void draw_caption(Ui& ui, const std::string& notice, bool frozen, ImVec2 min, ImVec2 max);
/// The cells around the one under the pointer, so large that all of the room can read them, with their
/// tokens.
void draw_lens(Ui& ui, const ScreenMap& map, const AxisTexts& texts, const PointedCell& at);

}  // namespace headscope

#pragma once
#include "app/panels/map/map_panel.h"
#include "app/state/actions/navigation.h"

namespace headscope {

/// "Head 3", with the name that somebody gave it, and its colour.
std::string head_title(const Ui& ui, int head);
ImU32 head_accent(const Ui& ui, int head);

/// The cell of the trace that the pointer is on.
Cell cell_of(Ui& ui, int head, const PointedCell& pointed);
/// Tokens, weight, score of the cell under the pointer, or why it has none.
void cell_tooltip(const Ui& ui, const ScreenMap& map, const Cell& cell, const PointedCell& pointed);
/// Whether the keys of the maps may be used: their window has the focus and no text is edited. Gives it the
/// focus when maps appear where something else was.
bool maps_have_keys(Ui& ui);
/// Marks the window that has the keys.
void draw_focus(ImDrawList& list, const Ui& ui);

/// Marks hover and lock on one head's map.
void draw_marked_cells(ImDrawList& list, const Ui& ui, const ScreenMap& map, int head);

/// What is said instead of maps where there are none: no tokens, or maps of this layer are still to come.
/// True if it was.
bool draw_instead_of_maps(const Ui& ui);
/// Whether what is shown has not been of the inputs for longer than a moment.
bool is_long_stale(const Ui& ui);
/// A mark over maps that are not the inputs' any more.
void draw_stale_mark(ImDrawList& list, const Ui& ui, ImVec2 min, ImVec2 max);

}  // namespace headscope

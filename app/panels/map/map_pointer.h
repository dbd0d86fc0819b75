#pragma once
#include "app/panels/map/map_panel.h"
#include "app/state/actions/map_actions.h"
#include "app/state/view/navigation.h"

namespace headscope {

/// "Head 3", with its user-given name and its colour.
std::string head_title(const Ui& ui, int head);
ImU32 head_accent(const Ui& ui, int head);

/// A name and what it is, in a tooltip.
void tooltip_line(const Style& style, const char* name, const std::string& value);
/// Whether the maps' keys are active: their window has the focus and no text is edited. Gives it the focus
/// when maps appear in place of something else.
bool maps_have_keys(Ui& ui);
/// What the arrow keys ask of maps: how many cells, or heads and layers with Ctrl. While presenting cells
/// need Shift: without it the keys turn steps, as a clicker does.
struct MapArrows {
  int right = 0, down = 0;
  bool any() const { return right != 0 || down != 0; }
};
MapArrows map_arrows(const Style& style);
/// Marks the window that has the keyboard focus.
void draw_focus(ImDrawList& list, const Style& style);

/// Marks hover and lock on one head's map.
void draw_marked_cells(ImDrawList& list, const Ui& ui, const ScreenMap& map, int head);

/// Draws a message if there are no maps: no tokens, or the maps of this layer are not ready yet. True if it
/// did.
bool draw_instead_of_maps(const Ui& ui);
/// Whether what is shown has been out of date for longer than a moment.
bool is_long_stale(const Ui& ui);
/// A mark over maps that no longer match the inputs.
void draw_stale_mark(ImDrawList& list, const Ui& ui, ImVec2 min, ImVec2 max);
/// The same over the whole present window.
void draw_stale_mark(const Ui& ui);

/// Registers a map (or its equivalent) at its place: a right click opens its menu, as does the menu key where
/// it is `focused`. `cell` is the one under the pointer.
void note_map(Ui& ui, const MapPlace& map, ImVec2 min, ImVec2 max, bool hovered, bool focused);
/// The cells around the one under the pointer, large enough for an audience to read, with their tokens.
void draw_lens(Ui& ui, const ScreenMap& map, const AxisTexts& texts, const PointedCell& at);
/// The cell of a head's map under the pointer, if the map is `hovered` and not `covered` there: it is hovered
/// in all views, and has its tooltip and lens. The map is noted with it or, where it is `focused`, with the
/// locked cell.
/// Whether what is pointed at is chosen: by a mouse when it is pressed, by a finger when it is lifted and has
/// not scrolled.
bool is_tapped(const Ui& ui);
std::optional<Cell> point_at_map(Ui& ui, const ScreenMap& map, const AxisTexts& texts, int head, bool hovered,
                                 bool focused, bool covered = false);

}  // namespace headscope

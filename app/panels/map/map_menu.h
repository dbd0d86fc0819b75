#pragma once
#include "app/panels/shell/ui.h"
#include "app/state/actions/map_actions.h"

namespace headscope {

struct App;

/// Registers a map (or its equivalent) at its place: a right click opens its menu, as does the menu key where
/// it is `focused`. `cell` is the one under the pointer.
void note_map(Ui& ui, const MapPlace& map, ImVec2 min, ImVec2 max, bool hovered, bool focused);
/// The requested map menu, drawn after the maps.
void draw_map_menu(App& app, Ui& ui);

}  // namespace headscope

#pragma once
#include "app/panels/shell/ui.h"
#include "app/state/actions/map_actions.h"

namespace headscope {

struct App;

/// Notes a map (or what stands for one) at its place: a click of the right button opens its menu, and the key
/// does where it is `focused`. `cell` is the one under the pointer.
void note_map(Ui& ui, const MapPlace& map, ImVec2 min, ImVec2 max, bool hovered, bool focused);
/// The menu of the map that was asked for, after the maps.
void draw_map_menu(App& app, Ui& ui);

}  // namespace headscope

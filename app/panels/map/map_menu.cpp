#include "app/panels/map/map_menu.h"

#include <utility>

#include "app/panels/shell/panel_focus.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"

namespace headscope {
namespace {

bool clicked_inside(ImVec2 min, ImVec2 max) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 at = io.MouseClickedPos[ImGuiMouseButton_Right];
  const float far = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Right];
  return ImGui::IsMouseReleased(ImGuiMouseButton_Right) &&
         far < io.MouseDragThreshold * io.MouseDragThreshold && at.x >= min.x && at.y >= min.y &&
         at.x < max.x && at.y < max.y;
}

}  // namespace

void note_map(Ui& ui, const MapPlace& map, ImVec2 min, ImVec2 max, bool hovered, bool focused) {
  MapMenu& menu = ui.memory.map_menu;
  // The brush uses the right button.
  const bool clicked = hovered && !ui.state.brush.on && clicked_inside(min, max);
  const bool by_key = focused && ui.state.map_menu_wanted;
  if (!clicked && !by_key) return;
  menu.wanted = map;
  menu.by_key = !clicked;
  menu.at = clicked ? ImGui::GetIO().MousePos : ImVec2{(min.x + max.x) / 2, (min.y + max.y) / 2};
}

void draw_map_menu(App& app, Ui& ui) {
  MapMenu& menu = ui.memory.map_menu;
  ui.state.map_menu_wanted = false;
  if (menu.wanted) {
    menu.map = *std::exchange(menu.wanted, std::nullopt);
    ImGui::OpenPopup("map menu");
    ImGui::SetNextWindowPos(menu.at, ImGuiCond_Always);
    if (menu.by_key) show_highlight();
  }
  if (!ImGui::BeginPopup("map menu")) return;
  // The menu's cell stays marked.
  ui.state.hover = menu.map.lock;
  ui.state.other_hover = menu.map.place;
  for (const Action& action : map_actions(app, menu.map)) {
    if (action.separator) ImGui::Separator();
    const std::string keys = action.keys.empty() ? std::string() : to_string(action.keys.front());
    const bool chosen = ImGui::MenuItem(text_of(action, app.tr), keys.empty() ? nullptr : keys.c_str(), false,
                                        is_enabled(app, action));
    anchor("map menu " + action.id);
    if (chosen) action.run(app);
  }
  const std::optional<Cell>& cell = menu.map.cell;
  if (cell && !menu.map.of_b && cell->query < ui.block->n_q() && cell->key < ui.block->n_k()) {
    ImGui::Separator();
    if (ImGui::BeginMenu(ui.tr("Heads that look here most"))) {
      draw_heads_at_cell(ui, cell->query, cell->key, 10);
      ImGui::EndMenu();
    }
    anchor("map menu heads at cell");
  }
  ImGui::EndPopup();
}

}  // namespace headscope

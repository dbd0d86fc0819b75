#include "app/panels/dialogs/edge_window.h"

#include <algorithm>
#include <utility>

#include "app/panels/inputs/controls.h"
#include "app/panels/ui/panel_focus.h"
#include "app/panels/ui/sides.h"
#include "app/panels/views/inspector.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/view/panels.h"

namespace headscope {

void begin_edge_window(Ui& ui, const char* id, ImVec2 from, ImVec2 size, Panel panel) {
  constexpr ImGuiWindowFlags flags =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::SetNextWindowPos(from);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, mark_line(ui.style));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, palette(ui.style.theme).panel);
  begin_panel_focus(ui.state, panel);
  ImGui::Begin(id, nullptr, flags);
  note_panel(ui.state, panel);
}

void end_edge_window(Ui& ui, const char* mark) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ui.memory.edge = {at.x, std::min(at.y, ui.memory.edge[1]), at.x + size.x, at.y + size.y};
  note_place(mark, at, {at.x + size.x, at.y + size.y});
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void draw_panel_over_view(App& app, Ui& ui, ImVec2 from, ImVec2 to) {
  const Panel panel = app.state.panel_over;
  if (!overlays_view(app, panel)) {
    ui.memory.over = Panel::none;
    return;
  }
  const bool controls = panel == Panel::controls;
  const double chosen = controls ? app.settings.controls_width : app.settings.inspector_width;
  // Keep as much of the view visible as possible: it shows the effect of the controls.
  constexpr float narrowest = 12;
  const float em = ui.style.font_size;
  float width = std::min(static_cast<float>(chosen) * em, std::max(narrowest * em, (to.x - from.x) / 2));
  // Above all the locked cell. Once open, the panel does not change sides.
  const auto room = [&](bool right) {
    if (!ui.memory.locked) return width;
    return right ? to.x - (*ui.memory.locked)[1] : (*ui.memory.locked)[0] - from.x;
  };
  if (std::exchange(ui.memory.over, panel) != panel) {
    const bool usual = !controls;
    ui.memory.over_at_right = room(usual) < std::min(width, room(!usual)) ? !usual : usual;
  }
  const bool right = ui.memory.over_at_right;
  width = std::clamp(room(right), std::min(width, narrowest * em), width);
  begin_edge_window(ui, controls ? "controls over view" : "inspector over view",
                    {right ? to.x - width : from.x, from.y}, {width, to.y - from.y}, panel);
  if (controls) {
    Ui edited = side_of(app, ui, app.edited_side());
    draw_controls(app, edited);
  } else {
    draw_inspector(ui);
  }
  if (ImGui::IsWindowAppearing()) ui.memory.leave_boxes();
  const bool in_use =
      ImGui::IsWindowAppearing() || ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || is_popup_open();
  end_edge_window(ui, "panel over view");
  if (in_use) return;
  app.state.panel_over = Panel::none;
  if (app.state.panel == panel) app.state.panel = Panel::maps;
}

}  // namespace headscope

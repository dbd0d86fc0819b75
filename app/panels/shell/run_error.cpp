#include <algorithm>
#include <cfloat>

#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"

namespace headscope {

void locate_button(App& app, const Inputs& lost, const char* mark) {
  const bool captured = lost.captured();  // before the command changes it
  if (ImGui::Button((std::string(app.tr("Locate…")) + "###" + mark).c_str())) command_locate_source(app);
  anchor(mark);
  tooltip(captured ? app.tr("Says where the capture's file is now; the session keeps all else.")
                   : app.tr("Says where the model's folder is now; the session keeps all else."));
}

void draw_error(App& app, const Ui& ui, ImVec2 min, ImVec2 max) {
  if (ui.error.empty()) return;
  const float em = ui.style.font_size;
  const ImVec2 room{std::max(em * 4, max.x - min.x - 2 * em), 0};
  ImGui::SetNextWindowPos({min.x + em, max.y - em / 2}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {room.x, FLT_MAX});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyle().Colors[ImGuiCol_PopupBg]);
  const Inputs* lost = inputs_to_locate(app);
  const bool locates = lost != nullptr && *lost == ui.inputs;
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoFocusOnAppearing;
  if (!locates) flags |= ImGuiWindowFlags_NoInputs;
  if (ImGui::Begin("error", nullptr, flags)) {
    ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).error);
    wrapped_text(ui.error, room.x - 2 * em);
    ImGui::PopStyleColor();
    if (locates) {
      locate_button(app, *lost, "locate");
      ImGui::SameLine();
      if (ImGui::Button((std::string(ui.tr("Notebook")) + "###to notebook").c_str()))
        run_action(app, "notebook");
      anchor("to notebook");
    }
    if (ui.ui_anchors) {
      const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
      ui.ui_anchors->add("error", at, {at.x + size.x, at.y + size.y});
    }
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace headscope

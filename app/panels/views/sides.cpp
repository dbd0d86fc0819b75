#include "app/panels/views/sides.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/widgets.h"
#include "app/state/workspace.h"

namespace headscope {

Ui side_of(Workspace& work, const Ui& ui, bool b) {
  Ui side = ui.with(b ? *work.compare : work.inputs);
  side.model = work.opening.config(side.inputs);
  if (!b) return side;
  if (ui.other.block) side.block = ui.other.block;
  side.stale = ui.other.stale;
  side.error = ui.other.error;
  side.trace = work.other_trace();
  return side;
}

void draw_side_title(Ui& ui, bool b, float height) {
  const bool edited = ui.state.edit_b == b;
  ImGui::PushID("side title");
  const float pad = std::max(0.0F, std::floor((height - ImGui::GetTextLineHeight()) / 2));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, pad});
  const ImVec2 size{std::round(ui.style.font_size * 1.6F), height};
  if (const ChosenColors colors(edited); ImGui::Button(b ? "B" : "A", size)) ui.state.edit_b = b;
  ImGui::PopStyleVar();
  anchor(b ? "side B" : "side A");
  tooltip(edited ? b ? ui.tr("The controls edit B") : ui.tr("The controls edit A")
          : b ? ui.tr("Edit B with the controls")
                 : ui.tr("Edit A with the controls"));
  ImGui::PopID();
}

void draw_edited_side(OpenSession& open, Ui& ui) {
  if (!open.compares()) return;
  const Translator& tr = ui.tr;
  framed_text(ui.state.edit_b ? tr("Editing B") : tr("Editing A"));
  anchor("editing");
  const float buttons = 2 * ImGui::CalcTextSize("B").x + 5 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine();
  ImGui::SetCursorPosX(
      std::max(ImGui::GetCursorPosX(), ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - buttons));
  int side = ui.state.edit_b ? 1 : 0;
  if (choose("side", {{"A", tr("Edit A with the controls")}, {"B", tr("Edit B with the controls")}}, side))
    ui.state.edit_b = side == 1;
  anchor("side");
}

}  // namespace headscope

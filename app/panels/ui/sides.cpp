#include "app/panels/ui/sides.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/widgets.h"
#include "app/state/workspace.h"

namespace headscope {

std::shared_ptr<const Comparison> present_comparison(const Ui& ui) {
  if (!ui.other.block || ui.other.block->n_q() == 0 || ui.block->n_q() == 0) return nullptr;
  auto comparison = ui.view_cache.comparison(ui.block, ui.other.block, ui.view());
  const bool present =
      comparison && comparison->shown_a->block == ui.block && comparison->shown_b->block == ui.other.block;
  return present ? comparison : nullptr;
}

Ui side_of(Workspace& work, const Ui& ui, Side side) {
  Ui shown = (side == Side::a ? ui : ui.of_b()).with(work.of(side));
  shown.model = work.opening.config(shown.inputs);
  return shown;
}

void draw_side_title(Ui& ui, Side side, float height) {
  const bool edited = ui.state.edits == side, b = side == Side::b;
  height = std::max(height, ui.style.finger);
  ImGui::PushID("side title");
  const float pad = std::max(0.0F, std::floor((height - ImGui::GetTextLineHeight()) / 2));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, pad});
  const ImVec2 size{std::max(ui.style.finger, std::round(ui.style.font_size * 1.6F)), height};
  if (const ChosenColors colors(edited); ImGui::Button(letter(side), size)) ui.state.edits = side;
  ImGui::PopStyleVar();
  anchor(std::string("side ") + letter(side));
  tooltip(edited ? b ? ui.tr("The controls edit B") : ui.tr("The controls edit A")
          : b ? ui.tr("Edit B with the controls")
                 : ui.tr("Edit A with the controls"));
  ImGui::PopID();
}

void draw_edited_side(OpenSession& open, Ui& ui) {
  if (!open.compares()) return;
  const Translator& tr = ui.tr;
  framed_text(ui.state.edits == Side::b ? tr("Editing B") : tr("Editing A"));
  anchor("editing");
  const float buttons = 2 * ImGui::CalcTextSize("B").x + 5 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine();
  ImGui::SetCursorPosX(
      std::max(ImGui::GetCursorPosX(), ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - buttons));
  int side = ui.state.edits == Side::b;
  if (choose("side", {{"A", tr("Edit A with the controls")}, {"B", tr("Edit B with the controls")}}, side))
    ui.state.edits = side == 1 ? Side::b : Side::a;
  anchor("side");
}

}  // namespace headscope

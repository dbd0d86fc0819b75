#include <algorithm>

#include "app/panels/map/map_pointer.h"
#include "app/panels/views/compare.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/adjust.h"
#include "core/session/history.h"

namespace headscope {
namespace {

void choose_head(Ui& ui, int& head, int heads) {
  const auto step = [&](int by) { head = (head + by + heads) % heads; };
  if (icon_button("head before", Icon::left, ui.tr("Previous head"))) step(-1);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ui.style.font_size * 7);
  if (ImGui::BeginCombo("##head", head_title(ui, head).c_str())) {
    for (int h = 0; h < heads; ++h) {
      ImGui::PushID(h);
      if (ImGui::Selectable(head_title(ui, h).c_str(), h == head)) head = h;
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  anchor_item(ui.ui_anchors, "compared head");
  ImGui::SameLine();
  if (icon_button("head after", Icon::right, ui.tr("Next head"))) step(1);
}

void choose_part(const Ui& ui, ComparePart& part) {
  std::vector<Choice> choices{{ui.tr("Maps")}, {ui.tr("Differences")}};
  if (has_shifted_predictions(ui)) choices.push_back({ui.tr("Predictions")});
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  int chosen = std::clamp(memory.GetInt(ImGui::GetID("part")), 0, static_cast<int>(choices.size()) - 1);
  if (choose("compare part", choices, chosen)) memory.SetInt(ImGui::GetID("part"), chosen);
  part = static_cast<ComparePart>(chosen);
}

void draw_changes(Ui& ui) {
  const std::vector<const char*> fields = differing_inputs(ui.inputs, *ui.other.inputs);
  std::string text, names;
  for (const char* field : fields) names += std::string(names.empty() ? "" : ui.tr(", ")) + ui.tr(field);
  if (fields.empty())
    text = ui.state.edit_b ? ui.tr("B is a copy of A; change its sentence or any input on the left.")
                           : ui.tr("B is a copy of A; click its sentence, then change it or any input.");
  else
    text = ui.tr.format("Different in B: {}", names);
  // Always on one line: the maps below do not move.
  if (!ui.other.error.empty()) text = "B: " + ui.other.error;
  const std::string shown = fit_text(text, ImGui::GetContentRegionAvail().x);
  ui.other.error.empty() ? hint(ui.style, shown) : error_text(ui.style, shown);
  if (shown != text) tooltip(text);
}

}  // namespace

void draw_compare_bar(Ui& ui, int& head, int heads, ComparePart* part) {
  const Translator& tr = ui.tr;
  if (ImGui::Button(tr("Copy A to B"))) copy_a_to_b(ui.inputs, ui.other.inputs);
  tooltip(tr("Reset B to a copy of A"));
  anchor_item(ui.ui_anchors, "copy A to B");
  next_in_line(ui.style.font_size * 4);
  if (ImGui::Button(tr("Swap"))) swap_sides(ui.inputs, ui.other.inputs);
  tooltip(tr("Swap A and B"));
  if (heads > 0) {
    next_in_line(ui.style.font_size * 12);
    choose_head(ui, head, heads);
  }
  draw_ablated_heads(ui);
  if (part != nullptr) {
    choose_part(ui, *part);
    // The difference is described on the rest of the line: the maps need the height.
    ImGui::SameLine();
  }
  // No higher than the text next to it: the maps need the height.
  const bool ends = ImGui::SmallButton(tr("End comparison"));
  anchor("end comparison");
  ImGui::SameLine();
  draw_changes(ui);
  if (ends) end_comparison(ui.state, ui.other.inputs);
}

}  // namespace headscope

#include "app/panels/views/head_swatches.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/map/map_menu.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"

namespace headscope {
namespace {

void draw_swatch(const Ui& ui, int head, bool on, bool over, float side) {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const Palette& theme = palette(ui.style.theme);
  const ImU32 color = head_accent(ui, head);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = side / 5, stroke = std::max(1.0F, side / 12);
  if (on) list.AddRectFilled(min, max, color, rounding);
  list.AddRect(min, max, over ? theme.text : color, rounding, 0, stroke);
  const Rgb fill{static_cast<std::uint8_t>(color >> IM_COL32_R_SHIFT),
                 static_cast<std::uint8_t>(color >> IM_COL32_G_SHIFT),
                 static_cast<std::uint8_t>(color >> IM_COL32_B_SHIFT)};
  const float size = side * 0.6F;
  const MapTextStyle text = text_style(ui.style, size, on ? readable_on(fill) : theme.muted, 0.5F, 0.5F);
  draw_text(list, text, {(min.x + max.x) / 2, (min.y + max.y) / 2}, std::to_string(head + 1));
}

}  // namespace

void draw_head_swatches(Ui& ui) {
  const int heads = ui.block->heads();
  std::set<int>& hidden = ui.state.view.hidden_heads;
  const float side = ui.style.font_size * 1.5F, gap = side * 0.2F;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::PushID("head swatches");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  const std::vector<int>& order = ui.scene->order;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int head = order[i];
    if (i > 0) {
      ImGui::SameLine();
      if (ImGui::GetCursorScreenPos().x + side > right) ImGui::NewLine();
    }
    ImGui::PushID(head);
    const bool pressed = ImGui::InvisibleButton("head", {side, side});
    const bool over = ImGui::IsItemHovered();
    const ImGuiIO& io = ImGui::GetIO();
    // The button reports on release: the second release of a double click must not toggle again.
    const bool second = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && io.MouseClickedLastCount[0] > 1;
    if ((over && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) || (pressed && io.KeyShift))
      show_head_alone(hidden, heads, head);
    else if (pressed && !second)
      toggle_head(hidden, heads, head);
    draw_swatch(ui, head, !hidden.contains(head), over || ImGui::IsItemFocused(), side);
    if (ui.ui_anchors) anchor_item(ui.ui_anchors, fmt::format("head {}", head + 1).c_str());
    note_map(ui, {ui.shown->layer, head, false, {}, {}}, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
             over, head == (ui.state.lock ? ui.state.lock->head : ui.scene->heads.front()));
    tooltip(head_title(ui, head) + relation_lines(ui, ui.shown->layer, head) + "\n" +
            ui.tr("Click to show or hide. Double-click or Shift+click to show only this head, and again to "
                  "show all."));
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_badge.h"
#include "app/panels/views/head_parts.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/widgets.h"
#include "core/analysis/long_part.h"
#include "core/scene/zoom.h"

namespace headscope {
namespace {

float layer_width(const Ui& ui) {
  return 2 * ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.x +
         ImGui::CalcTextSize(ui.tr.format("Layer {}", ui.shown->layer + 1).c_str()).x;
}

void layer_switch(Ui& ui) {
  if (icon_button("previous layer", Icon::left, ui.tr("Previous layer (Ctrl+↑)")))
    change_layer(ui.state, -1, *ui.block);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr.format("Layer {}", ui.shown->layer + 1).c_str());
  ImGui::SameLine();
  if (icon_button("next layer", Icon::right, ui.tr("Next layer (Ctrl+↓)")))
    change_layer(ui.state, 1, *ui.block);
}

float zoom_width(const Ui& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return 2 * ImGui::GetFrameHeight() + 3 * style.ItemSpacing.x + 2 * style.FramePadding.x +
         ImGui::CalcTextSize("20000×").x + ImGui::CalcTextSize(ui.tr("Reset zoom")).x;
}

void zoom_tools(Ui& ui) {
  Zoom& zoom = ui.state.view.zoom;
  const Index n_q = zoomed_rows(*ui.shown), n_k = zoomed_columns(*ui.shown);
  if (icon_button("smaller", Icon::minus, ui.tr("Zoom out (wheel or −)")))
    zoom_about(zoom, 0.8, 0.5, 0.5, n_q, n_k);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float begin = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(
      (zoom.factor < 10 ? fmt::format("{:.0f}%", 100 * zoom.factor) : fmt::format("{:.0f}×", zoom.factor))
          .c_str());
  // Repeated clicks must hit the same button, however many digits there are.
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), begin + ImGui::CalcTextSize("8888×").x) +
                       ImGui::GetStyle().ItemSpacing.x);
  if (icon_button("larger", Icon::plus, ui.tr("Zoom in (wheel or +)")))
    zoom_about(zoom, 1.25, 0.5, 0.5, n_q, n_k);
  ImGui::SameLine();
  ImGui::BeginDisabled(zoom.factor <= 1);
  if (ImGui::Button(ui.tr("Reset zoom"))) zoom = Zoom{};
  ImGui::EndDisabled();
  tooltip(ui.tr("Show the whole map again (Home or double-click)"));
}

/// The rest of the tools on the same line or, if they do not fit, behind a button: another line would make
/// the map smaller.
void more_tools(Ui& ui) {
  const bool layers = ui.block->layer_count() > 1;
  const float gap = ui.style.font_size, width = (layers ? layer_width(ui) + gap : 0) + zoom_width(ui) + gap;
  ImGui::SameLine(0, gap);
  if (ImGui::GetContentRegionAvail().x >= width - gap) {
    if (layers) {
      layer_switch(ui);
      ImGui::SameLine(0, gap);
    }
    return zoom_tools(ui);
  }
  if (icon_button("more tools", Icon::more, ui.tr("Zoom and layer"))) ImGui::OpenPopup("more tools");
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos({min.x, max.y + gap * 0.2F}, ImGuiCond_Appearing);
  if (!ImGui::BeginPopup("more tools")) return;
  if (layers) layer_switch(ui);
  zoom_tools(ui);
  ImGui::EndPopup();
}

}  // namespace

void draw_head_toolbar(Ui& ui, int head) {
  if (ImGui::Button(ui.tr("All heads"))) close_head(ui.state);
  anchor("all heads");
  tooltip(ui.tr("Back to the grid (Esc)"));
  std::string title = drawn_text(head_title(ui, head));
  ImGui::SameLine();
  if (icon_button("previous head", Icon::left, ui.tr("Previous head (Ctrl+←)")))
    show_head(ui.state, neighbour_head(ui.scene->heads, head, -1));
  ImGui::SameLine();
  const float dot = ui.style.font_size * 0.6F, height = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + (height - dot) / 2},
                                            {at.x + dot, at.y + (height + dot) / 2}, head_accent(ui, head),
                                            dot / 4);
  ImGui::Dummy({dot, height});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float room = ImGui::GetContentRegionAvail().x - 2.5F * height - ui.style.font_size * 1.5F;
  const std::string badge = drawn_text(relation_badge(ui.tr, *ui.scene, ui.shown->layer, head));
  // If it would push the tools next to it into their menu, it is only in the tooltip.
  const std::string shown = fitting_badge(ui, head, [&](const std::string& one) {
    return ImGui::CalcTextSize((title + " · " + one).c_str()).x < 0.5F * room;
  });
  if (!shown.empty()) title += " · " + shown;
  ImGui::TextUnformatted(fit_text(title, std::max(room, ui.style.font_size * 2)).c_str());
  if (!badge.empty()) tooltip(badge);
  ImGui::SameLine();
  if (icon_button("next head", Icon::right, ui.tr("Next head (Ctrl+→)")))
    show_head(ui.state, neighbour_head(ui.scene->heads, head, 1));
  more_tools(ui);
}

}  // namespace headscope

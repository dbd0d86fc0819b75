#include <fmt/format.h>

#include <algorithm>

#include "app/panels/glyphs.h"
#include "app/panels/head_parts.h"
#include "app/panels/map_pointer.h"
#include "app/panels/widgets.h"
#include "core/scene/zoom.h"

namespace headscope {
namespace {

void layer_switch(Ui& ui) {
  next_in_line(2.5F * ImGui::GetFrameHeight() +
               ImGui::CalcTextSize(ui.tr.format("Layer {}", ui.shown->layer + 1).c_str()).x);
  if (icon_button("previous layer", Icon::left, ui.tr("Previous layer (Ctrl+↑)")))
    change_layer(ui.state, -1, *ui.block);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr.format("Layer {}", ui.shown->layer + 1).c_str());
  ImGui::SameLine();
  if (icon_button("next layer", Icon::right, ui.tr("Next layer (Ctrl+↓)")))
    change_layer(ui.state, 1, *ui.block);
}

}  // namespace

void draw_head_toolbar(Ui& ui, int head) {
  Zoom& zoom = ui.state.view.zoom;
  const Index n_q = ui.shown->n_q(), n_k = ui.shown->n_k();
  if (ImGui::Button(ui.tr("All heads"))) close_head(ui.state);
  tooltip(ui.tr("Back to the grid (Esc)"));
  const std::string title = drawn_text(head_title(ui, head));
  next_in_line(3 * ImGui::GetFrameHeight() +
               std::min(ImGui::CalcTextSize(title.c_str()).x, ui.style.font_size * 8));
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
  const float room = ImGui::GetContentRegionAvail().x - 1.5F * ImGui::GetFrameHeight();
  ImGui::TextUnformatted(fit_text(title, std::max(room, ui.style.font_size * 2)).c_str());
  ImGui::SameLine();
  if (icon_button("next head", Icon::right, ui.tr("Next head (Ctrl+→)")))
    show_head(ui.state, neighbour_head(ui.scene->heads, head, 1));
  if (ui.block->layer_count() > 1) layer_switch(ui);
  const float whole = ImGui::CalcTextSize(ui.tr("Reset zoom")).x;
  next_in_line(2.8F * ImGui::GetFrameHeight() + ImGui::CalcTextSize("1000%").x + whole +
               2 * ui.style.font_size);
  if (icon_button("smaller", Icon::minus, ui.tr("Zoom out (wheel or −)")))
    zoom_about(zoom, 0.8, 0.5, 0.5, n_q, n_k);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{:.0f}%", 100 * zoom.factor).c_str());
  ImGui::SameLine();
  if (icon_button("larger", Icon::plus, ui.tr("Zoom in (wheel or +)")))
    zoom_about(zoom, 1.25, 0.5, 0.5, n_q, n_k);
  ImGui::SameLine();
  ImGui::BeginDisabled(zoom.factor <= 1);
  if (ImGui::Button(ui.tr("Reset zoom"))) zoom = Zoom{};
  ImGui::EndDisabled();
  tooltip(ui.tr("Show the whole map again (Home or double-click)"));
}

}  // namespace headscope

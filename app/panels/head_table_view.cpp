#include "app/panels/head_table_view.h"

#include <algorithm>

#include "app/panels/widgets.h"
#include "app/state/navigation.h"

namespace headscope {
namespace {

enum Half : int { both = 0, numbers = 1, similarity_half = 2 };

/// Where the two halves stand.
enum class Places { beside, below, one };

Places places_for(const Ui& ui, ImVec2 room, ImVec2 table) {
  const float em = ui.style.font_size;
  if (room.x > table.x + em * 20 && room.y > em * 12) return Places::beside;
  return room.y > em * 26 ? Places::below : Places::one;
}

/// Into how many groups the tree is cut.
void draw_group_count(Ui& ui) {
  int& groups = ui.state.view.groups;
  const int heads = head_count(*ui.block);
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  const std::string help =
      ui.tr("Cuts the tree into so many groups of heads that look alike; 1: no groups.") + std::string("\n") +
      similarity_method(ui);
  next_in_line(ui.style.font_size * 11);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr("Groups"));
  tooltip(help);
  ImGui::SameLine();
  ImGui::PushID("groups");
  if (icon_button("fewer", Icon::minus, ui.tr("One group less"))) change_groups(ui.state.view, -1, heads);
  anchor_item(ui.ui_anchors, "groups fewer");
  ImGui::SameLine(0, inner);
  ImGui::SetNextItemWidth(ui.style.font_size * 2.6F);
  typed_int("###groups", groups, 1, std::max(1, heads));
  tooltip(help);
  ImGui::SameLine(0, inner);
  if (icon_button("more", Icon::plus, ui.tr("One group more"))) change_groups(ui.state.view, 1, heads);
  anchor_item(ui.ui_anchors, "groups more");
  change_groups(ui.state.view, 0, heads);
  ImGui::PopID();
}

void draw_toolbar(Ui& ui, bool room_for_both) {
  int& half = ui.state.head_table_half;
  std::vector<Choice> choices{{ui.tr("Both")}, {ui.tr("Numbers")}, {ui.tr("Likeness")}};
  choices[both].enabled = room_for_both;
  if (!room_for_both) choices[both].help = ui.tr("There is room for one of them only");
  int shown = half == both && !room_for_both ? numbers : half;
  if (choose("half", choices, shown)) half = shown;
  draw_group_count(ui);
}

}  // namespace

void draw_head_table_view(Ui& ui) {
  ImGui::BeginChild("population");
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= ImGui::GetFrameHeightWithSpacing();
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing, table = head_table_size(ui);
  const Places places = places_for(ui, room, table);
  draw_toolbar(ui, places != Places::one);
  const int half =
      places == Places::one && ui.state.head_table_half == both ? numbers : ui.state.head_table_half;
  if (half == numbers) {
    draw_head_table(ui, ImGui::GetContentRegionAvail());
  } else if (half == similarity_half) {
    draw_similarity(ui, {0, 0});
  } else if (places == Places::beside) {
    draw_head_table(ui, {table.x, ImGui::GetContentRegionAvail().y});
    ImGui::SameLine();
    draw_similarity(ui, {0, 0});
  } else {
    const float height = std::min(table.y, ImGui::GetContentRegionAvail().y * 0.45F - spacing.y);
    draw_head_table(ui, {room.x, height});
    draw_similarity(ui, {0, 0});
  }
  ImGui::EndChild();
}

}  // namespace headscope

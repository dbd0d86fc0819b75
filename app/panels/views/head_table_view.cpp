#include "app/panels/views/head_table_view.h"

#include <algorithm>

#include "app/panels/views/predictions.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/navigation.h"

namespace headscope {
namespace {

/// How the two halves are placed.
enum class Places { beside, below, one };

Places places_for(const Ui& ui, ImVec2 room, ImVec2 table) {
  const float em = ui.style.font_size;
  if (room.x > table.x + em * 20 && room.y > em * 12) return Places::beside;
  return room.y > em * 26 ? Places::below : Places::one;
}

/// The number of clusters that the tree is cut into.
void draw_group_count(Ui& ui) {
  int& groups = ui.state.view.groups;
  const int heads = head_count(*ui.block);
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  const std::string help = ui.tr("Cuts the tree into this many groups of similar heads; 1 means no groups.") +
                           std::string("\n") + similarity_method(ui);
  next_in_line(ui.style.font_size * 11);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr("Groups"));
  tooltip(help);
  ImGui::SameLine();
  ImGui::PushID("groups");
  if (icon_button("fewer", Icon::minus, ui.tr("Fewer groups"))) change_groups(ui.state.view, -1, heads);
  anchor_item(ui.ui_anchors, "groups fewer");
  ImGui::SameLine(0, inner);
  ImGui::SetNextItemWidth(ui.style.font_size * 2.6F);
  typed_int("###groups", groups, 1, std::max(1, heads));
  tooltip(help);
  ImGui::SameLine(0, inner);
  if (icon_button("more", Icon::plus, ui.tr("More groups"))) change_groups(ui.state.view, 1, heads);
  anchor_item(ui.ui_anchors, "groups more");
  change_groups(ui.state.view, 0, heads);
  ImGui::PopID();
}

/// What is shown of the table, given whether both fit.
TableHalf with_room(TableHalf half, bool room_for_both) {
  return half == TableHalf::both && !room_for_both ? TableHalf::numbers : half;
}

void draw_toolbar(Ui& ui, bool room_for_both) {
  TableHalf& half = ui.state.view.table;
  std::vector<Choice> choices{{ui.tr("Both")}, {ui.tr("Numbers")}, {ui.tr("Similarity")}, {ui.tr("Scatter")}};
  Choice& both = choices[static_cast<std::size_t>(TableHalf::both)];
  both.enabled = room_for_both;
  if (!room_for_both) both.help = ui.tr("There is only room for one of them");
  auto shown = static_cast<int>(with_room(half, room_for_both));
  if (choose("half", choices, shown)) half = static_cast<TableHalf>(shown);
  draw_group_count(ui);
}

}  // namespace

void draw_head_table_view(Ui& ui) {
  ImGui::BeginChild("population");
  if (const char* note = statistics_note(*ui.block)) hint(ui.style, ui.tr(note));
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= ImGui::GetFrameHeightWithSpacing();
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing, table = head_table_size(ui);
  const Places places = places_for(ui, room, table);
  if (!ui.style.presented) draw_toolbar(ui, places != Places::one);
  const TableHalf half = with_room(ui.state.view.table, places != Places::one);
  ui.state.shown_table = half;
  if (half == TableHalf::scatter) {
    draw_scatter(ui);
  } else if (half == TableHalf::numbers) {
    draw_head_table(ui, ImGui::GetContentRegionAvail());
  } else if (half == TableHalf::similarity) {
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

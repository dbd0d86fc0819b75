#include <fmt/format.h>

#include <algorithm>

#include "app/panels/map/board.h"
#include "app/panels/map/map_panel.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/draw_parts.h"

namespace headscope {
namespace {

std::string name_at(const Ui& ui, const HeadTree& tree, int place) {
  const HeadSimilarity::Head& head = tree.heads[place];
  std::string name = full_head_name(ui, head.layer, head.head);
  if (tree.blocks.size() > 1) name += " · " + ui.tr("group {}", tree.group_at(place) + 1);
  return name;
}

void report(Ui& ui, const HeadTree& tree, const ScreenMap& map, const PointedCell& cell) {
  draw_cross(*ImGui::GetWindowDrawList(), ui.style, map, cell.row, cell.column, true);
  if (is_tapped(ui)) {
    const HeadSimilarity::Head& first = tree.heads[cell.row];
    open_head(ui.state, first.layer, first.head);
  }
  if (!begin_tooltip({map.column_edge(cell.column), map.row_edge(cell.row)},
                     {map.column_edge(cell.column + 1), map.row_edge(cell.row + 1)}))
    return;
  ImGui::TextUnformatted(name_at(ui, tree, cell.row).c_str());
  ImGui::TextUnformatted(name_at(ui, tree, cell.column).c_str());
  ImGui::TextUnformatted(ui.tr("Jensen–Shannon distance {}", fmt::format("{:.3f}", cell.value)).c_str());
  muted_text(ui.style, ui.tr("Click to open the first head"));
  ImGui::EndTooltip();
}

/// How it was computed, from the height of the matrix on, if it ends above the lower edge: otherwise the
/// heading's tooltip has it.
void draw_method(const Ui& ui, ImVec2 at, float width, float bottom) {
  const std::string text = similarity_method(ui);
  const float height = wrapped_height(text, width);
  if (at.y + height > bottom) return;
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginGroup();
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).muted);
  wrapped_text(text, width);
  ImGui::PopStyleColor();
  ImGui::EndGroup();
  note_place("matrix method", at, {at.x + width, at.y + height});
}

void draw_matrix(Ui& ui, const std::shared_ptr<const HeadTree>& tree) {
  const float em = ui.style.font_size;
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  // In a wide window the method is next to the square.
  const float beside = std::min(room.x - 1.1F * room.y - 1.5F * em, 32 * em);
  const bool method = beside >= 14 * em;
  const ImVec2 size{std::max(1.0F, room.x - (method ? beside + 1.5F * em : 0)), std::max(1.0F, room.y)};
  invisible_button("matrix", size);
  hear_as(HeardRole::image, ui.tr("Similarity of heads"));
  hear_help(similarity_method(ui));
  const bool hovered = ImGui::IsItemHovered();
  WindowCanvas canvas(ui, em);
  Board places;
  places.regions =
      draw_similarity_matrix(canvas.pen(), tree, *ui.scene, {from.x, from.y, size.x, size.y}, false);
  note_regions(places, {0, 0});
  const Rect& matrix = places.regions.front().rect;
  const ScreenMap map =
      place_map(ui.style, PainterSlots::board, matrix, similarity_picture(tree, ui.view().colormap));
  if (const auto cell = hovered ? pointed_cell(map, ImGui::GetIO().MousePos) : std::nullopt)
    report(ui, *tree, map, *cell);
  if (method) draw_method(ui, {from.x + size.x + em, pixels(matrix.y)}, beside, from.y + size.y);
}

}  // namespace

std::string similarity_method(const Ui& ui) {
  return ui.tr(
      "Jensen–Shannon distance of two heads: √(mean over rows of JS(p, q)), where p and q are the row's "
      "weights in each head, JS(p, q) = (KL(p ‖ m) + KL(q ‖ m)) / 2 in bits and m = (p + q) / 2. 0: "
      "identical, 1: nothing in common.\nThe tree repeatedly joins the two nearest heads or groups; the "
      "distance between two groups is the mean distance over all their pairs (average linkage). Undoing the "
      "last joins leaves the groups.");
}

void draw_similarity(Ui& ui, ImVec2 size) {
  ImGui::BeginChild("similarity", size, false, ImGuiWindowFlags_NoScrollbar);
  framed_text(ui.tr("Similarity of heads"));
  tooltip(similarity_method(ui));
  const bool grouped = ui.view().sort.by == "similarity";
  const char* text = grouped ? ui.tr("Sort by number") : ui.tr("Sort by similarity");
  next_in_line(ImGui::CalcTextSize(text).x + ui.style.font_size);
  if (ImGui::Button(text)) ui.state.view.sort.by = grouped ? "" : "similarity";
  tooltip(ui.tr("In the grid and in the table"));
  anchor("group heads");
  const auto similarity = ui.view_cache.similarity(ui.block);
  const auto tree = ui.view_cache.head_tree(similarity, ui.view().table.groups);
  if (!tree)
    hint(ui.style, ui.tr("Comparing heads…"));
  else
    draw_matrix(ui, tree);
  ImGui::EndChild();
}

}  // namespace headscope

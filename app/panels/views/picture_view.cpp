#include "app/panels/views/picture_view.h"

#include <algorithm>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/patches.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/navigation.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// The token whose rows are shown: of the locked cell, or pointed at; otherwise the first.
int overlaid_query(const Ui& ui) {
  const auto lock = ui.lock(), focus = lock ? lock : ui.focus();
  return focus && focus->query >= 0 && focus->query < ui.block->n_q() ? focus->query : 0;
}

bool is_current(const OverlaySheet* sheet, const Ui& ui, int query, int side, Rgb gaps, bool alone) {
  const bool all = sheet != nullptr && sheet->layers == ui.block->layer_count();
  return (alone ? sheet != nullptr && !all && sheet->first == ui.view().layer : all) && sheet != nullptr &&
         sheet->block == ui.block && sheet->query == query && sheet->side == side &&
         sheet->colormap == ui.view().colormap && sheet->shared == shares_range(ui.view().range.kind) &&
         sheet->gaps == gaps;
}

/// Shows the rows of a token while it is pointed at, and keeps them with a click.
void point_at(Ui& ui, int head, int token) {
  const std::optional<Cell> lock = ui.lock();
  if (!lock || !ui.block->patches) ui.state.hover = Cell{head, token, token};
  if (lock) ui.state.hover = Cell{head, lock->query, token};
  if (!is_tapped(ui)) return;
  if (lock && lock->key == token && lock->head == head)
    ui.state.lock.reset();
  else
    lock_in(ui.state, *ui.block, ui.view().layer, *ui.state.hover);
}

void overlay_tooltip(const Ui& ui, const HeadPlace& place, int query, int key, const OnScreen& at) {
  const auto& tokens = ui.block->tokens;
  if (!begin_tooltip(at.min, at.max)) return;
  ImGui::TextUnformatted(full_head_name(ui, place.layer, place.head).c_str());
  if (ui.block->cells.maps || ui.block->rolled)
    muted_text(ui.style, cells_name(ui.tr, *ui.block, place.layer));
  const float weight = ui.block->shown_maps().weight(place.layer, place.head, query, key);
  ImGui::TextUnformatted(
      ui.tr("{} → {}: {}", tokens[query].text, ui.block->key_tokens[key].text, cell_text(weight)).c_str());
  ImGui::EndTooltip();
}

/// Each head of each layer.
void hear_overlays(Ui& ui, const Board& board, ImVec2 at) {
  if (listener() == nullptr) return;
  const int present = present_head(ui.state, ui.shown->heads());
  for (const BoardRegion& region : board.regions) {
    const auto* place = region.of<HeadPlace>();
    if (place == nullptr) continue;
    HeardMap map{region.name, ImGui::GetID("overlays"), full_head_name(ui, place->layer, place->head)};
    map.cell = heard_cell(ui, place->layer, place->head);
    map.keys = {ui.tr("{}: {}", "Enter", ui.tr("Enlarge this head"))};
    map.present = place->layer == ui.shown->layer && place->head == present;
    const OnScreen shown(region.rect, at);
    const Heard::Asked asked = hear_map(std::move(map), shown.min, shown.max);
    if (asked == Heard::Asked::press) open_head(ui.state, place->layer, place->head);
    if (asked != Heard::Asked::focus) continue;
    ui.state.view.layer = place->layer;
    show_head(ui.state, place->head);
  }
}

}  // namespace

void draw_picture_view(Ui& ui) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  if (!ui.block->key_patches || ui.block->layer_count() == 0) return;
  if (!ui.memory.picture_view) ui.memory.picture_view = std::make_shared<PictureViewMemory>();
  PictureViewMemory& memory = *ui.memory.picture_view;
  const BoardStyle style = board_style(ui);
  const int query = overlaid_query(ui),
            side = overlay_side(*ui.block, room.x * ImGui::GetIO().DisplayFramebufferScale.x);
  // Presented, pictures are large: where all layers have no room for that, the one in view is alone.
  const bool alone =
      ui.style.presented && ui.block->layer_count() > 1 &&
      !overlays_fit(*ui.block, room.x, room.y, 0.25 * ImGui::GetIO().DisplaySize.y, style.font_size);
  if (!is_current(memory.sheet.get(), ui, query, side, style.background, alone)) {
    const auto below = kept_picture(ui, *ui.block->key_patches);
    memory.sheet = make_overlays(ui.block, query, ui.view(), side, style.background, below.get(), {}, alone);
  }
  // Overlays too small to be read scroll.
  const double smallest = 3.2 * style.font_size * ui.block->layer_count() + 5 * style.font_size;
  const Board board =
      overlay_board(*memory.sheet, ui.view(), style, room.x, std::max(static_cast<double>(room.y), smallest),
                    !ui.style.presented, ui.tr);
  draw_board(ui, board, at);
  note_regions(board, at);
  hear_overlays(ui, board, at);
  const BoardRegion* const region = hovered_region(board, at);
  if (region == nullptr) return;
  if (const auto* token = region->of<TokenOfLayer>()) {
    const int head = ui.state.lock ? ui.state.lock->head : 0;
    if (is_tapped(ui)) ui.state.lock.reset();
    point_at(ui, head, static_cast<int>(token->query));
    return region_tooltip(*region, at);
  }
  const auto* place = region->of<HeadPlace>();
  if (place == nullptr) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const int token = token_of_overlay(*memory.sheet, region->rect, mouse.x - at.x, mouse.y - at.y);
  if (is_tapped(ui)) ui.state.view.layer = place->layer;
  const OnScreen shown(region->rect, at);
  const bool asked = ui.memory.map_menu.wanted.has_value();
  note_map(ui, {place->layer, place->head, ui.side, Cell{place->head, query, token}, {}}, shown.min,
           shown.max, true, false);
  if (!asked && ui.memory.map_menu.wanted) ui.state.view.layer = place->layer;
  point_at(ui, place->head, token);
  if (!ui.style.presented) overlay_tooltip(ui, *place, query, token, shown);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) open_head(ui.state, place->head);
}

}  // namespace headscope

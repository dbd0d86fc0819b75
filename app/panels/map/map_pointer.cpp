#include "app/panels/map/map_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

std::string number(float value) {
  return with_minus(fmt::format("{:.4g}", value));
}

/// Counted from 1, as heads are; the label of pooled tokens already says where they are.
std::string token_text(const BlockTrace& block, const std::vector<Token>& tokens, int index) {
  const bool no_token = &tokens == &block.key_tokens && block.is_no_token(index);
  if (block.pooled() || no_token) return drawn_text(tokens[index].text);
  return fmt::format("{} ({})", drawn_text(shown_token(tokens[index].text)), index + 1);
}

bool row_is_empty(const Ui& ui, int head, int query) {
  return std::ranges::binary_search(ui.block->mask_of(ui.shown->layer).empty_queries(head), Index{query});
}

/// What the maps hold, whatever cells show.
const char* weight_name(const Ui& ui) {
  const bool softmax = ui.block->shape.is_softmax(ui.shown->layer);
  return ui.tr((softmax ? cell_value(CellValue::weight) : equivalent_map()).brief);
}

void weight_lines(const Ui& ui, const Cell& cell, const PointedCell& pointed) {
  if (ui.hides_numbers) return tooltip_line(ui.style, weight_name(ui), "?");
  const MapSource& maps = *ui.block->maps;
  if (ui.block->weightless(ui.shown->layer, cell.head, cell.query, cell.key)) {
    tooltip_line(ui.style, weight_name(ui), ui.tr("blocked"));
  } else {
    const float weight = maps.weight(ui.shown->layer, cell.head, cell.query, cell.key);
    const ShownCells& cells = ui.block->cells;
    tooltip_line(ui.style, cells.rollout == Rollout::off ? weight_name(ui) : ui.tr("Rollout"),
                 number(weight));
    float value = weight;
    if (cells.maps) {
      value = cells.maps->weight(ui.shown->layer, cell.head, cell.query, cell.key);
      if (cells.value != CellValue::score)
        tooltip_line(ui.style, ui.tr(cell_value(cells.value).brief), number(value));
    }
    if (!pointed.shown) tooltip_line(ui.style, ui.tr("Shown as"), ui.tr("hidden by the filter"));
    const auto& part = ui.shown->part;
    if (pointed.shown && part && part->means && part->pooled())
      tooltip_line(ui.style, ui.tr("Mean"), number(pointed.value));
    if (pointed.shown && pointed.value != value && !part)
      tooltip_line(ui.style, ui.tr("Shown as"), number(pointed.value));
    if (ui.shown->renormalized) muted_text(ui.style, ui.tr("rows renormalized over the keys shown"));
  }
  if (row_is_empty(ui, cell.head, cell.query))
    ImGui::TextUnformatted(empty_row_text(ui.tr, ui.block->fills_with_infinity()).c_str());
  if (const auto score = maps.score(ui.shown->layer, cell.head, cell.query, cell.key))
    tooltip_line(ui.style, ui.tr("Score"), number(*score));
}

bool clicked_inside(ImVec2 min, ImVec2 max) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 at = io.MouseClickedPos[ImGuiMouseButton_Right];
  const float far = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Right];
  return ImGui::IsMouseReleased(ImGuiMouseButton_Right) &&
         far < io.MouseDragThreshold * io.MouseDragThreshold && at.x >= min.x && at.y >= min.y &&
         at.x < max.x && at.y < max.y;
}

/// The cell of the trace that the pointer is on.
Cell cell_of(Ui& ui, int head, const PointedCell& pointed) {
  // For pooled tokens of a long text this can take a whole frame, so it is cached.
  MapMemory& maps = ui.memory.maps;
  const MapMemory::Pointed now{ui.shown, head, pointed.row, pointed.column};
  if (maps.pointed != now) {
    maps.pointed_cell = to_cell(*ui.shown, head, pointed.row, pointed.column);
    maps.pointed = now;
  }
  return maps.pointed_cell;
}

/// Tokens, weight and score of the cell under the pointer, or why it has none.
void cell_tooltip(const Ui& ui, const ScreenMap& map, const Cell& cell, const PointedCell& pointed) {
  // When painting or presenting, a tooltip would cover the maps; the inspector or the caption says the same.
  if (ui.state.brush.on || ui.style.presented) return;
  const ImVec2 min{map.column_edge(pointed.column), map.row_edge(pointed.row)};
  const ImVec2 max{map.column_edge(pointed.column + 1), map.row_edge(pointed.row + 1)};
  if (!begin_tooltip(min, max)) return;
  ImGui::PushTextWrapPos(ui.style.font_size * 24);
  const float dot = ui.style.font_size * 0.6F, line_height = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + (line_height - dot) / 2},
                                            {at.x + dot, at.y + (line_height + dot) / 2},
                                            head_accent(ui, cell.head), dot / 4);
  ImGui::Dummy({dot, line_height});
  ImGui::SameLine();
  ImGui::TextUnformatted(drawn_text(head_title(ui, cell.head)).c_str());
  tooltip_line(ui.style, ui.tr("Query"), token_text(*ui.block, ui.block->tokens, cell.query));
  tooltip_line(ui.style, ui.tr("Key"), token_text(*ui.block, ui.block->key_tokens, cell.key));
  weight_lines(ui, cell, pointed);
  const bool blocked = ui.block->weightless(ui.shown->layer, cell.head, cell.query, cell.key);
  if (!blocked && (pointed.pooled || (ui.shown->part && ui.shown->part->pooled()))) {
    muted_text(ui.style, ui.tr("largest of the cells under this pixel"));
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

std::string head_title(const Ui& ui, int head) {
  if (ui.block->cells.rollout != Rollout::off) return ui.tr("Rollout");
  const int layer = ui.shown->layer;
  return with_off(ui.tr, head_title(ui.tr, ui.labels, layer, head), *ui.block, layer, head);
}

ImU32 head_accent(const Ui& ui, int head) {
  return to_color(labelled_color(ui.labels, *ui.block, ui.shown->layer, head));
}

void tooltip_line(const Style& style, const char* name, const std::string& value) {
  muted_text(style, name);
  const float usual = style.font_size * 5, gap = style.font_size * 0.5F;
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  end + gap > usual ? ImGui::SameLine(0, gap) : ImGui::SameLine(usual);
  ImGui::TextUnformatted(value.c_str());
}

bool maps_have_keys(Ui& ui) {
  const int frame = ImGui::GetFrameCount();
  const ImGuiID window = ImGui::GetID("");
  MapMemory& maps = ui.memory.maps;
  const bool appears = maps.last_frame + 1 < frame || maps.last_window != window;
  maps.last_frame = frame;
  maps.last_window = window;
  const bool editing = ImGui::GetIO().WantTextInput;
  if (appears && !editing && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::SetWindowFocus();
  return ImGui::IsWindowFocused() && !editing;
}

MapArrows map_arrows(const Style& style) {
  const ImGuiIO& io = ImGui::GetIO();
  if (style.presented && !io.KeyCtrl && !io.KeyShift) return {};
  return {key_pressed(Key::right, true) - key_pressed(Key::left, true),
          key_pressed(Key::down, true) - key_pressed(Key::up, true)};
}

void draw_focus(ImDrawList& list, const Style& style) {
  if (!navigates_by_keys() || !ImGui::IsWindowFocused() || style.presented) return;
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  list.AddRect({min.x, min.y}, {min.x + size.x, min.y + size.y},
               with_alpha(palette(style.theme).accent, 0.6F), style.font_size * 0.25F);
}

void draw_marked_cells(ImDrawList& list, const Ui& ui, const ScreenMap& map, int head) {
  int row = 0, column = 0;
  const std::optional<Cell> focus = ui.focus();
  if (focus && find_cell(*ui.shown, *focus, row, column))
    draw_cross(list, ui.style, map, row, column, focus->head == head);
  const std::optional<Cell> lock = ui.lock();
  if (lock && find_cell(*ui.shown, *lock, row, column))
    draw_lock(list, ui, map, row, column, lock->head == head);
  const auto& pointed = ui.memory.pointed_head;
  if (pointed.frame + 1 < ImGui::GetFrameCount() || pointed.layer != ui.shown->layer || pointed.head != head)
    return;
  const float line = std::max(2.0F, std::round(ui.style.font_size / 6));
  list.AddRect({map.min.x - line, map.min.y - line}, {map.max.x + line, map.max.y + line},
               palette(ui.style.theme).accent, 0, 0, line);
}

bool draw_instead_of_maps(const Ui& ui) {
  const bool no_tokens = ui.block->n_q() == 0 || ui.block->n_k() == 0;
  const int head = ui.scene->head.value_or(-1);
  const bool there = head < 0 || head >= ui.shown->heads() || ui.shown->weights(head) != nullptr;
  if (!no_tokens && ui.shown->cells() > 0 && there) return false;
  const std::string text = no_tokens ? ui.tr("Type a sentence to see every head's attention map here.")
                           : ui.idle == Idle::none ? ui.tr("Computing the maps of this layer…")
                                                   : computing_text(ui);
  const float size = ui.style.font_size * 1.2F;
  const ImVec2 from = ImGui::GetWindowPos(), room = ImGui::GetWindowSize();
  const MapTextStyle style = text_style(size, palette(ui.style.theme).muted, 0.5F, 0.5F);
  const std::string fitting = shortened(text, room.x, measure_with(size));
  draw_text(*ImGui::GetWindowDrawList(), style, {from.x + room.x / 2, from.y + room.y / 2}, fitting);
  return true;
}

bool is_long_stale(const Ui& ui) {
  if (!ui.stale && ui.error.empty()) {
    ui.memory.maps.stale_since = -1;
    return false;
  }
  // While a control is dragged a newer trace is always being computed: the mark is only for longer waits.
  constexpr double patience = 0.25;  // s
  MapMemory& maps = ui.memory.maps;
  if (maps.stale_block.lock() != ui.block || maps.stale_since < 0) {
    maps.stale_block = ui.block;
    maps.stale_since = ImGui::GetTime();
  }
  return !ui.error.empty() || ui.idle != Idle::none || ImGui::GetTime() - maps.stale_since >= patience;
}

void draw_stale_mark(ImDrawList& list, const Ui& ui, ImVec2 min, ImVec2 max) {
  if (!is_long_stale(ui)) return;
  const Palette& colors = palette(ui.style.theme);
  list.AddRectFilled(min, max, with_alpha(colors.panel, 0.35F));
  const float size = ui.style.font_size;
  const MapTextStyle text = text_style(size, colors.text, 0, 0);
  draw_boxed_text(list, text, {min.x + size / 2, min.y + size / 4},
                  !ui.error.empty()     ? ui.tr("Showing the last valid inputs")
                  : waits_for_model(ui) ? waiting_text(ui)
                                        : computing_text(ui),
                  with_alpha(colors.accent_soft, 0.95F));
}

void draw_stale_mark(const Ui& ui) {
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  draw_stale_mark(*ImGui::GetWindowDrawList(), ui, min, {min.x + size.x, min.y + size.y});
}

void note_map(Ui& ui, const MapPlace& map, ImVec2 min, ImVec2 max, bool hovered, bool focused) {
  MapMenu& menu = ui.memory.map_menu;
  // The brush uses the right button.
  const bool clicked = hovered && !ui.state.brush.on && clicked_inside(min, max);
  const bool by_key = focused && ui.state.map_menu_wanted;
  if (!clicked && !by_key) return;
  menu.wanted = map;
  menu.by_key = !clicked;
  menu.at = clicked ? ImGui::GetIO().MousePos : ImVec2{(min.x + max.x) / 2, (min.y + max.y) / 2};
}

bool is_tapped(const Ui& ui) {
  if (ui.style.finger <= 0) return ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
  return ImGui::IsMouseReleased(ImGuiMouseButton_Left) && ui.memory.finger.way == Finger::Way::none &&
         std::hypot(moved.x, moved.y) < 0.6F * ui.style.font_size;
}

std::optional<Cell> point_at_map(Ui& ui, const ScreenMap& map, const AxisTexts& texts, int head, bool hovered,
                                 bool focused, bool covered) {
  const auto pointed = hovered && !covered ? pointed_cell(map, ImGui::GetIO().MousePos) : std::nullopt;
  const auto cell = pointed ? std::optional(cell_of(ui, head, *pointed)) : std::nullopt;
  const auto of_menu = !cell && focused ? ui.lock() : cell;
  note_map(ui, {ui.shown->layer, head, ui.side, of_menu, {}}, map.min, map.max, hovered, focused);
  if (!cell) return cell;
  ui.state.hover = cell;
  cell_tooltip(ui, map, *cell, *pointed);
  draw_lens(ui, map, texts, *pointed);
  return cell;
}

}  // namespace headscope

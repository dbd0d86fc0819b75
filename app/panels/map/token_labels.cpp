#include "app/panels/map/token_labels.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/navigation.h"

namespace headscope {
namespace {

int cell_at_share(double share, double begin, double end, Index n) {
  const double cell = std::floor(begin + share * (end - begin));
  return static_cast<int>(std::clamp(cell, 0.0, static_cast<double>(n - 1)));
}

void label_tooltip(const Ui& ui, const Rect& labels, const std::string& token, int place) {
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ui.state.brush.on) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float half = ui.style.font_size / 2;
  const ImVec2 min{pixels(labels.x), std::max(pixels(labels.y), mouse.y - half)};
  const ImVec2 max{pixels(labels.right()), std::min(pixels(labels.bottom()), mouse.y + half)};
  if (!begin_tooltip(min, max)) return;
  const bool groups = ui.block->pooled() || (ui.shown->part && ui.shown->part->pooled());
  const std::string number = groups ? std::string() : " (" + std::to_string(place + 1) + ")";
  ImGui::TextUnformatted(drawn_text(shown_token(token) + number).c_str());
  if (!shows_long_text(ui)) muted_text(ui.style, ui.tr("Drag across tokens to keep only those."));
  ImGui::EndTooltip();
}

}  // namespace

void TokenLabels::panel(ImDrawList& list, const PanelLayout& panel, const ScreenMap& map, bool hovered) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const HeatmapRequest& r = map.request;
  const int row =
      cell_at_share((mouse.y - map.min.y) / (map.max.y - map.min.y), r.query_begin, r.query_end, r.n_q);
  const int column =
      cell_at_share((mouse.x - map.min.x) / (map.max.x - map.min.x), r.key_begin, r.key_end, r.n_k);
  int& dragged_head = ui_.memory.maps.label_head;
  const bool on_rows = hovered && panel.y_ticks.contains(mouse.x, mouse.y);
  const bool on_columns = hovered && panel.x_ticks.contains(mouse.x, mouse.y);
  if (on_rows || on_columns) {
    on_ = {on_rows ? row : -1, on_rows ? -1 : column};
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragged_head = panel.head;
    if (ui_.state.token_drag.begin < 0)
      on_rows ? label_tooltip(ui_, panel.y_ticks, ui_.memory.maps.look().rows()[row], ui_.shown->queries[row])
              : label_tooltip(ui_, panel.x_ticks, ui_.memory.maps.look().columns()[column],
                              ui_.shown->keys[column]);
  }
  if (panel.head == dragged_head) beside_ = {row, column};
  const TokenDrag& drag = ui_.state.token_drag;
  if (drag.begin < 0 || drag.begin == drag.last) return;
  const auto [first, last] = std::minmax(drag.begin, drag.last);
  const ImU32 color = with_alpha(palette(ui_.style.theme).accent, 0.35F);
  if (drag.keys)
    list.AddRectFilled({map.column_edge(first), map.min.y},
                       {map.column_edge(last + 1), pixels(panel.x_ticks.bottom())}, color);
  else
    list.AddRectFilled({pixels(panel.y_ticks.x), map.row_edge(first)}, {map.max.x, map.row_edge(last + 1)},
                       color);
}

void TokenLabels::finish() {
  drag_tokens(ui_, on_, beside_);
}

bool drag_tokens(Ui& ui, TokenPlace on, TokenPlace beside) {
  TokenDrag& drag = ui.state.token_drag;
  if (shows_long_text(ui) || ui.style.finger > 0) {  // a finger scrolls
    drag = TokenDrag{};
    return false;
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && (on.row >= 0 || on.column >= 0)) {
    drag.keys = on.row < 0;
    drag.begin = drag.last = drag.keys ? on.column : on.row;
    return false;
  }
  if (drag.begin < 0) return false;
  const int now = drag.keys ? beside.column : beside.row;
  if (now >= 0) drag.last = now;
  const bool moved = drag.last != drag.begin;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return moved;
  if (moved) keep_dragged(ui.state.view, *ui.shown, drag, ImGui::GetIO().KeyShift);
  drag = TokenDrag{};
  return moved;
}

bool is_dragged(const Ui& ui, bool keys, int place) {
  const TokenDrag& drag = ui.state.token_drag;
  if (drag.begin < 0 || drag.begin == drag.last || drag.keys != keys) return false;
  const auto [first, last] = std::minmax(drag.begin, drag.last);
  return place >= first && place <= last;
}

}  // namespace headscope

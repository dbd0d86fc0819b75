#include "app/panels/map/paint.h"

#include <algorithm>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/document/painting.h"

namespace headscope {
namespace {

/// The unit of the shown part of a map, in tokens.
CellUnit shown_unit(const Ui& ui) {
  const auto& part = ui.shown->part;
  return part ? CellUnit{part->query_pool, part->key_pool} : CellUnit{};
}

void apply(Ui& ui, int head, PaintCell from, PaintCell to, bool block) {
  const BlockTrace& tokens = painted_block(*ui.block);
  CellUnit unit = ui.state.stroke.on ? ui.state.stroke.unit : shown_unit(ui);
  if (ui.block->pooled()) {
    unit = unit_of(*ui.block);
    const auto first = [&](PaintCell group) {
      return PaintCell{group.query * static_cast<int>(unit.queries), group.key * static_cast<int>(unit.keys)};
    };
    from = first(from);
    to = first(to);
  }
  paint_stroke(ui.inputs, ui.state.brush, tokens, head, from, to, block, unit);
}

/// The cell at a point, regardless of which value is largest there; false outside of the map.
bool cell_below(const Ui& ui, const ScreenMap& map, ImVec2 point, PaintCell& cell) {
  if (!map.contains(point)) return false;
  const HeatmapRequest& r = map.request;
  const double x = (point.x - map.min.x) / (map.max.x - map.min.x),
               y = (point.y - map.min.y) / (map.max.y - map.min.y);
  const double row = std::floor(r.query_begin + y * (r.query_end - r.query_begin));
  const double column = std::floor(r.key_begin + x * (r.key_end - r.key_begin));
  if (row < 0 || column < 0 || row >= static_cast<double>(r.n_q) || column >= static_cast<double>(r.n_k))
    return false;
  cell = {ui.shown->queries[static_cast<std::size_t>(row)], ui.shown->keys[static_cast<std::size_t>(column)]};
  return true;
}

/// A translucent overlay that is visible however small the cells are.
void draw_veil(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) {
  constexpr float minimum = 3;
  const auto widen = [](float& begin, float& end) {
    const float missing = minimum - (end - begin);
    if (missing <= 0) return;
    begin -= missing / 2;
    end += missing / 2;
  };
  if (to.x - from.x < minimum || to.y - from.y < minimum) color = with_alpha(color, 0.8F);
  widen(from.x, to.x);
  widen(from.y, to.y);
  list.AddRectFilled(from, to, color);
}

/// A translucent overlay on the cells that a click would paint, on the maps they belong to.
void draw_preview(ImDrawList& list, const Ui& ui, const ScreenMap& map, PaintCell cell) {
  const Palette& theme = palette(ui.style.theme);
  const ImU32 color = with_alpha(ui.state.brush.free ? theme.accent : theme.error, 0.45F);
  list.PushClipRect(map.min, map.max, true);
  for (const PaintedRun& run : stroke_region(ui.state.brush, *ui.block, -1, cell, cell, shown_unit(ui))) {
    const int row = ui.shown->row(run.query);
    // One query represents all pooled ones.
    const bool first_of_row = row >= 0 && run.query == ui.shown->queries[row];
    if (!map.shows_row(row) || !first_of_row) continue;
    // Where tokens are hidden, a run is not contiguous on the screen.
    for (int key = run.key_begin; key < run.key_end; ++key) {
      const int first = ui.shown->column(key);
      if (first < 0) continue;
      int last = first;
      for (int next = first; key + 1 < run.key_end; ++key, last = next)
        if (next = ui.shown->column(key + 1); next != last && next != last + 1) break;
      draw_veil(list, {map.column_edge(first), map.row_edge(row)},
                {map.column_edge(last + 1), map.row_edge(row + 1)}, color);
    }
  }
  list.PopClipRect();
}

/// A weak overlay on pooled cells that are partly painted, since the other cells still have weights; and on
/// painted cells too small to be seen.
void draw_painted(ImDrawList& list, const Ui& ui, const ScreenMap& map, int head) {
  const BlockTrace& block = *ui.block;
  const bool groups = block.pooled();
  const CellUnit unit = groups ? unit_of(block) : shown_unit(ui);
  const Runs* painting = painting_of(ui.inputs, painted_block(block));
  const bool can_be_seen = unit == CellUnit{} && std::min(map.cell_width(), map.cell_height()) >= 3;
  if (can_be_seen || painting == nullptr) return;
  const ImU32 color = with_alpha(palette(ui.style.theme).error, 0.3F);
  const auto at = [&](int token, Index group) { return groups ? static_cast<int>(token / group) : token; };
  list.PushClipRect(map.min, map.max, true);
  PaintedRun last;  // last one drawn, in rows and columns
  for (const PaintedRun& run : *painting) {
    if (run.head >= 0 && run.head != head) continue;
    const auto& part = ui.shown->part;
    // A part shows only some of a run's keys.
    const int begin = part ? std::max(run.key_begin, static_cast<int>(part->key_begin)) : run.key_begin,
              end = part ? std::min(run.key_end, static_cast<int>(part->key_end)) : run.key_end;
    if (begin >= end) continue;
    const PaintedRun drawn{run.head, ui.shown->row(at(run.query, unit.queries)),
                           ui.shown->column(at(begin, unit.keys)),
                           ui.shown->column(at(end - 1, unit.keys)) + 1};
    if (drawn == last || drawn.query < 0 || drawn.key_begin < 0 || !map.shows_row(drawn.query)) continue;
    last = drawn;
    const ImVec2 from{map.column_edge(drawn.key_begin), map.row_edge(drawn.query)},
        to{map.column_edge(drawn.key_end), map.row_edge(drawn.query + 1)};
    // Parts outside the visible map are not drawn.
    if (to.x > map.min.x && from.x < map.max.x) draw_veil(list, from, to, color);
  }
  list.PopClipRect();
}

void whole_painting_buttons(Ui& ui) {
  const BlockTrace& block = painted_block(*ui.block);
  const int head = brush_head(ui.state, block.heads());
  if (ImGui::Button(ui.tr("Clear"))) clear_painting(ui.inputs, block, head);
  tooltip(head < 0 ? ui.tr("Removes all painted cells in all heads")
                   : ui.tr("Removes all painted cells in head {}", head + 1));
  ImGui::SameLine();
  if (ImGui::Button(ui.tr("Invert"))) invert_painting(ui.inputs, block, head);
  tooltip(head < 0 ? ui.tr("Blocks unpainted cells and unblocks painted ones in all heads")
                   : ui.tr("Blocks unpainted cells and unblocks painted ones in head {}", head + 1));
  if (ImGui::Button(ui.tr("Start from current masks"))) paint_present_masks(ui.inputs, block);
  tooltip(ui.tr("What is blocked now becomes the painting; the other mask parts are switched off."));
}

/// Where a button begins a stroke. A finger does once it has moved or is lifted: before that, a second one
/// may come to scroll.
std::optional<ImVec2> stroke_begin(const Ui& ui, ImGuiMouseButton button) {
  if (ui.style.finger <= 0)
    return ImGui::IsMouseClicked(button) ? std::optional(ImGui::GetIO().MousePos) : std::nullopt;
  const bool moves = ImGui::IsMouseDown(button) && ui.memory.finger.way != Finger::Way::none;
  return button == ImGuiMouseButton_Left && (moves || is_tapped(ui)) ? std::optional(ui.memory.finger.from)
                                                                     : std::nullopt;
}

}  // namespace

void follow_button(Ui& ui) {
  Stroke& stroke = ui.state.stroke;
  // The stroke extends to where the button is released, which may be a frame away from the last position.
  const bool held = ImGui::IsMouseDown(stroke.button) || ImGui::IsMouseReleased(stroke.button);
  if (!ui.state.brush.on || !held) stroke.on = false;
}

void paint_on_map(ImDrawList& list, Ui& ui, const ScreenMap& map, int head, bool hovered) {
  Stroke& stroke = ui.state.stroke;
  const Brush& brush = ui.state.brush;
  const std::optional<Cell>& focus = ui.state.last_hover;
  draw_painted(list, ui, map, head);
  if (focus && !stroke.on && (!brush.one_head || focus->head == head))
    draw_preview(list, ui, map, {focus->query, focus->key});
  PaintCell cell;
  if (!same_cells(painted_block(*ui.block), ui.inputs) || !cell_below(ui, map, ImGui::GetIO().MousePos, cell))
    return;
  const auto left = stroke_begin(ui, ImGuiMouseButton_Left);
  const auto begin = left ? left : stroke_begin(ui, ImGuiMouseButton_Right);
  if (PaintCell first; hovered && !stroke.on && begin && cell_below(ui, map, *begin, first)) {
    const ImGuiMouseButton button = left ? ImGuiMouseButton_Left : ImGuiMouseButton_Right;
    stroke = {true, button, brush.free != left.has_value(), head, cell, shown_unit(ui)};
    apply(ui, brush.one_head ? head : -1, first, cell, stroke.block);
  } else if (stroke.on && (stroke.head == head || !brush.one_head)) {
    // No line is drawn from one map to another.
    const PaintCell from = stroke.head == head ? stroke.last : cell;
    if (stroke.head != head || from.query != cell.query || from.key != cell.key)
      apply(ui, brush.one_head ? head : -1, from, cell, stroke.block);
    stroke.head = head;
    stroke.last = cell;
  }
}

Key paint_key(const Style& style) {
  return style.presented ? Key::enter : Key::space;
}

void paint_by_keys(Ui& ui, const std::optional<Cell>& from) {
  const std::optional<Cell> to = ui.lock();
  const Key key = paint_key(ui.style);
  if (!ui.state.brush.on || !to || !same_cells(painted_block(*ui.block), ui.inputs) || !key_down(key)) return;
  const bool pressed = key_pressed(key), moved = from && from != to && from->head == to->head;
  if (!pressed && !moved) return;
  const Brush& brush = ui.state.brush;
  const PaintCell end{to->query, to->key};
  const PaintCell begin = pressed || !moved ? end : PaintCell{from->query, from->key};
  apply(ui, brush.one_head ? to->head : -1, begin, end,
        brush.free == (ImGui::GetIO().KeyShift && !ui.style.presented));
}

void draw_paint_tools(Ui& ui) {
  Brush& brush = ui.state.brush;
  ImGui::PushID("paint");
  check("Paint on the maps", ui.tr("Paint on maps"), brush.on,
        ui.tr("Click or drag on cells to block or unblock them; the right button does the opposite. Space "
              "paints the locked cell, with Shift the opposite; hold it while using the arrow keys to draw a "
              "stroke. While this is on, clicks do not lock cells."));
  if (brush.on) {
    int action = brush.free ? 1 : 0, shape = static_cast<int>(brush.shape), heads = brush.one_head ? 1 : 0;
    if (choose("action", {{ui.tr("Block")}, {ui.tr("Unblock")}}, action)) brush.free = action == 1;
    if (choose("shape", {{ui.tr("Cells")}, {ui.tr("Rows")}, {ui.tr("Columns")}, {ui.tr("Diagonals")}}, shape))
      brush.shape = static_cast<Brush::Shape>(shape);
    if (brush.shape == Brush::Shape::cell) {
      label_field(ui.tr("Brush size"), ui.tr("Width in cells"));
      int size = 2 * brush.radius + 1;
      const int minimum = 1, maximum = 2 * Brush::largest_radius + 1;
      if (value_slider("###brush size", {ImGuiDataType_S32, &minimum, &maximum, "%d"}, &size))
        brush.radius = size / 2;
    }
    if (choose("heads", {{ui.tr("In all heads")}, {ui.tr("In one head"), ui.tr("The head being painted on")}},
               heads))
      brush.one_head = heads == 1;
    if (ui.block->words) hint(ui.style, ui.tr("Masks belong to the model's own tokens, not to words."));
    ImGui::BeginDisabled(ui.block->n_q() == 0 || ui.block->n_k() == 0 ||
                         !painted_block(*ui.block).of_tokens());
    whole_painting_buttons(ui);
    ImGui::EndDisabled();
  }
  ImGui::PopID();
}

}  // namespace headscope

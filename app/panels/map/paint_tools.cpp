#include "app/panels/map/paint.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/document/brush.h"

namespace headscope {
namespace {

void whole_painting_buttons(Ui& ui) {
  const BlockTrace& block = painted_block(*ui.block);
  const int head = brush_head(ui.state, block.heads());
  if (ImGui::Button(ui.tr("Clear"))) clear_painting(ui.inputs, block, head);
  tooltip(head < 0 ? ui.tr("Removes all painted cells in all heads")
                   : ui.tr.format("Removes all painted cells in head {}", head + 1));
  ImGui::SameLine();
  if (ImGui::Button(ui.tr("Invert"))) invert_painting(ui.inputs, block, head);
  tooltip(head < 0 ? ui.tr("Blocks unpainted cells and unblocks painted ones in all heads")
                   : ui.tr.format("Blocks unpainted cells and unblocks painted ones in head {}", head + 1));
  if (ImGui::Button(ui.tr("Start from current masks"))) paint_present_masks(ui.inputs, block);
  tooltip(ui.tr("What is blocked now becomes the painting; the other mask parts are switched off."));
}

}  // namespace

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

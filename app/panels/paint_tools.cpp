#include "app/panels/paint.h"
#include "app/panels/widgets.h"
#include "app/state/brush.h"

namespace headscope {
namespace {

void whole_painting_buttons(Ui& ui) {
  const BlockTrace& block = *ui.block;
  const int head = brush_head(ui.state, block.heads());
  const std::string where = head < 0 ? ui.tr("in all heads") : ui.tr.format("in head {}", head + 1);
  if (ImGui::Button(ui.tr("Clear"))) clear_painting(ui.inputs, block, head);
  tooltip(ui.tr("Frees every painted cell") + (" " + where));
  ImGui::SameLine();
  if (ImGui::Button(ui.tr("Invert"))) invert_painting(ui.inputs, block, head);
  tooltip(ui.tr("Blocks what is not painted and frees what is") + (" " + where));
  if (ImGui::Button(ui.tr("Start from the present masks"))) paint_present_masks(ui.inputs, block);
  tooltip(ui.tr("What is blocked now becomes the painting, and the other parts are switched off."));
}

}  // namespace

void draw_paint_tools(Ui& ui) {
  Brush& brush = ui.state.brush;
  ImGui::PushID("paint");
  check(
      "Paint on the maps", ui.tr("Paint on the maps"), brush.on,
      ui.tr("Click or drag on cells to block or free them. The right button does the opposite; the space "
            "bar paints "
            "the locked cell, with Shift the opposite; held while the arrow keys are used it draws a stroke. "
            "While this is on, clicks don't lock."));
  if (brush.on) {
    int action = brush.free ? 1 : 0, shape = static_cast<int>(brush.shape), heads = brush.one_head ? 1 : 0;
    if (choose("action", {{ui.tr("Block")}, {ui.tr("Free")}}, action)) brush.free = action == 1;
    if (choose("shape", {{ui.tr("Cells")}, {ui.tr("Rows")}, {ui.tr("Columns")}, {ui.tr("Diagonals")}}, shape))
      brush.shape = static_cast<Brush::Shape>(shape);
    if (brush.shape == Brush::Shape::cell) {
      label_field(ui.tr("Brush size"), ui.tr("How many cells wide"));
      int size = 2 * brush.radius + 1;
      if (ImGui::SliderInt("##size", &size, 1, 2 * Brush::largest_radius + 1, "%d",
                           ImGuiSliderFlags_AlwaysClamp))
        brush.radius = size / 2;
    }
    if (choose("heads",
               {{ui.tr("In all heads")}, {ui.tr("In one head"), ui.tr("The one that is painted on")}}, heads))
      brush.one_head = heads == 1;
    ImGui::BeginDisabled(ui.block->n_q() == 0 || ui.block->n_k() == 0);
    whole_painting_buttons(ui);
    ImGui::EndDisabled();
  }
  ImGui::PopID();
}

}  // namespace headscope

#include <algorithm>

#include "app/panels/map_pointer.h"
#include "app/panels/paint.h"
#include "app/panels/widgets.h"
#include "core/attention/painting.h"

namespace headscope {
namespace {

/// The painting of the inputs, to be changed as a whole; an empty one is taken out again.
template <typename Change>
void change_painting(Ui& ui, const Change& change) {
  const auto found = std::ranges::find(ui.inputs.mask, MaskKind::painted, &MaskPart::kind);
  MaskPart part;
  part.kind = MaskKind::painted;
  if (found != ui.inputs.mask.end()) part = *found;
  change(part.painted);
  std::erase_if(ui.inputs.mask, [](const MaskPart& p) { return p.kind == MaskKind::painted; });
  if (!part.painted.empty()) ui.inputs.mask.push_back(std::move(part));
}

/// What is blocked now, by whatever part, becomes the painting; the other parts are switched off.
void start_from_masks(Ui& ui) {
  const Runs present = painting_from(ui.trace->mask, ui.trace->inputs.heads);
  for (MaskPart& part : ui.inputs.mask) part.on = false;
  change_painting(ui, [&](Runs& painting) { painting = present; });
  for (MaskPart& part : ui.inputs.mask) part.on = part.on || part.kind == MaskKind::painted;
}

void whole_painting_buttons(Ui& ui) {
  const Trace& trace = *ui.trace;
  const Canvas canvas{static_cast<int>(trace.n_q()), static_cast<int>(trace.n_k()), trace.inputs.heads};
  const int own = ui.state.lock ? ui.state.lock->head : ui.state.view.head.value_or(0);
  const int head = ui.state.brush.one_head ? std::clamp(own, 0, canvas.heads - 1) : -1;
  const std::string where = head < 0 ? ui.tr("in all heads") : ui.tr.format("in head {}", head + 1);
  if (ImGui::Button(ui.tr("Clear")))
    change_painting(ui, [&](Runs& painting) { clear(painting, head, canvas); });
  tooltip(ui.tr("Frees every painted cell") + (" " + where));
  ImGui::SameLine();
  if (ImGui::Button(ui.tr("Invert")))
    change_painting(ui, [&](Runs& painting) { invert(painting, head, canvas); });
  tooltip(ui.tr("Blocks what is not painted and frees what is") + (" " + where));
  if (ImGui::Button(ui.tr("Start from the present masks"))) start_from_masks(ui);
  tooltip(ui.tr("What is blocked now becomes the painting, and the other parts are switched off."));
}

}  // namespace

void draw_paint_tools(Ui& ui) {
  Brush& brush = ui.state.brush;
  ImGui::PushID("paint");
  check(ui.tr("Paint on the maps"), brush.on,
        ui.tr("Click or drag on cells to block or free them. The right button does the opposite; the space "
              "bar paints "
              "the locked cell. While this is on, clicks don't lock."));
  if (brush.on) {
    int action = brush.free ? 1 : 0, shape = static_cast<int>(brush.shape), heads = brush.one_head ? 1 : 0;
    if (choose("action", {{ui.tr("Block")}, {ui.tr("Free")}}, action)) brush.free = action == 1;
    if (choose("shape", {{ui.tr("Cells")}, {ui.tr("Rows")}, {ui.tr("Columns")}, {ui.tr("Diagonals")}}, shape))
      brush.shape = static_cast<Brush::Shape>(shape);
    if (brush.shape == Brush::Shape::cell) {
      label_field(ui.tr("Brush size"), ui.tr("How many cells wide"));
      int size = 2 * brush.radius + 1;
      if (ImGui::SliderInt("##size", &size, 1, 31, "%d", ImGuiSliderFlags_AlwaysClamp))
        brush.radius = size / 2;
    }
    if (choose("heads",
               {{ui.tr("In all heads")}, {ui.tr("In one head"), ui.tr("The one that is painted on")}}, heads))
      brush.one_head = heads == 1;
    ImGui::BeginDisabled(ui.trace->n_q() == 0 || ui.trace->n_k() == 0);
    whole_painting_buttons(ui);
    ImGui::EndDisabled();
  }
  ImGui::PopID();
}

}  // namespace headscope

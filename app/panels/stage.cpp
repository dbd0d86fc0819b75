#include "app/panels/frame_parts.h"
#include "app/panels/grid.h"
#include "app/panels/head.h"
#include "app/panels/widgets.h"
#include "app/state/app.h"

namespace headscope {

void draw_stage(App& app, Ui& ui) {
  (void)app;
  const ImVec2 size = ImGui::GetContentRegionAvail();
  ui.state.shown_width = size.x;
  ui.state.shown_height = size.y;
  if (ui.trace->n_q() == 0 || ui.trace->n_k() == 0) {
    hint(ui.style, ui.tr("Type a sentence above: every head's map of it appears here."));
    return;
  }
  if (ui.state.view.kind == ViewKind::head)
    draw_head(ui);
  else
    draw_grid(ui);
}

}  // namespace headscope

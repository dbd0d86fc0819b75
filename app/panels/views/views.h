#pragma once
#include <imgui.h>

#include "app/panels/shell/ui.h"
#include "app/panels/views/head_table.h"
#include "app/panels/views/lines.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/steps_view.h"

namespace headscope {

// The views, each in the file of its name, in the remaining space of the current window.

/// Of the windows of maps, where the wheel zooms and the arrow keys move the cell.
inline constexpr ImGuiWindowFlags map_window_flags =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNavInputs;

/// All heads of the layer; hover, lock, titles that open a head.
void draw_grid(Ui& ui);
/// One head large (View::head; the locked cell's or the first if that is none): pan by drag, zoom by wheel,
/// an overview if only a part is visible, the row and the column of the marked cell as bars along the edges.
void draw_head(Ui& ui);
/// Every head of every layer at once: thumbnails, layers down and heads across. A click opens the head.
void draw_layers(Ui& ui);
/// A next to B and their signed difference, on common axes; the largest differences are listed. B begins as a
/// copy of A's inputs.
void draw_compare(Ui& ui);

struct ViewPanel {
  ViewKind kind;
  void (*draw)(Ui& ui);
};
inline constexpr ViewPanel view_panels[] = {
    {ViewKind::grid, draw_grid},
    {ViewKind::head, draw_head},
    {ViewKind::lines, draw_lines},
    {ViewKind::layers, draw_layers},
    {ViewKind::compare, draw_compare},
    {ViewKind::head_table, draw_head_table_view},
    {ViewKind::steps, draw_steps_view},
    {ViewKind::lens, draw_lens_view},
    {ViewKind::contributions, draw_contributions_view},
    {ViewKind::model, draw_model_view},
};

}  // namespace headscope

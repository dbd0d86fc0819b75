#include <algorithm>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/board.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/view_cache.h"
#include "core/figure/boards/circuits_board.h"

namespace headscope {
namespace {

void draw_controls(Ui& ui, const ShownCircuits* shown) {
  View& view = ui.state.view;
  framed_text(ui.tr("Head"));
  ImGui::SameLine();
  choose_any_head(ui, "circuit head");
  next_in_line(ui.style.font_size * 20);
  choose_circuit_token(ui, shown ? std::optional(shown->token) : std::nullopt);
  const std::vector<Choice> choices{{"Q", ui.tr("What the queries of later heads read")},
                                    {"K", ui.tr("What the keys of later heads read")},
                                    {"V", ui.tr("What the values of later heads read")}};
  next_in_line(width_of(choices) + ImGui::CalcTextSize(ui.tr("Composition")).x);
  ImGui::TextUnformatted(ui.tr("Composition"));
  ImGui::SameLine();
  int chosen = static_cast<int>(view.circuits.composition);
  if (choose("composition", choices, chosen)) view.circuits.composition = static_cast<Composition>(chosen);
}

}  // namespace

void draw_circuits_view(Ui& ui) {
  if (waits_for_model(ui)) return hint(ui.style, waiting_text(ui));
  if (const auto error = ui.trace ? error_of(*ui.trace) : std::nullopt) return hint(ui.style, ui.tr(*error));
  if (const char* none = nothing_predicted(ui, no_circuits(ui.trace.get())))
    return hint(ui.style, ui.tr(none));
  const auto shown = ui.view_cache.circuits(ui.trace, circuit_choice(ui.state.view));
  if (!ui.style.presented) draw_controls(ui, shown.get());
  if (!shown) return hint(ui.style, computing_text(ui));
  if (shown->refusal) return hint(ui.style, ui.tr(*shown->refusal));
  ImGui::BeginChild("circuits");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::min(ImGui::GetContentRegionAvail().x, 80 * ui.style.font_size);
  const Board board = circuits_board(*ui.scene, *shown, board_style(ui), static_cast<double>(width), ui.tr);
  draw_board(ui, board, at);
  anchor("circuits");
  note_regions(board, at);
  const BoardRegion* region = hovered_region(board, at);
  if (const auto* head = region ? region->of<HeadPlace>() : nullptr) {
    mark_region(ui, *region, at);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      ui.state.view.layer = head->layer;
      ui.state.view.head = head->head;
    }
    region_tooltip(*region, at);
  }
  draw_stale_mark(ui);
  ImGui::EndChild();
}

}  // namespace headscope

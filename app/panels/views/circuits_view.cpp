#include <algorithm>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/circuits_board.h"

namespace headscope {
namespace {

void choose_tokens(Ui& ui, const ShownCircuits* shown) {
  next_in_line(is_low_window() ? 0 : ui.style.font_size * 20);
  folded_in_low_window("circuit token", ui.tr("Token…"), [&] {
    choose_circuit_token(ui, shown ? std::optional(shown->token) : std::nullopt);
    if (!shown || !shown->rotary) return;
    next_in_line(ui.style.font_size * 4 + ImGui::CalcTextSize(ui.tr("Distance")).x);
    framed_text(ui.tr("Distance"));
    tooltip(
        ui.tr("Positions are rotary: scores of a query and a key depend on how far apart they are. Keys are "
              "this many tokens before the query."));
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ui.style.font_size * 3.5F);
    typed_int("###distance", ui.state.view.circuits.distance, 0, Limits::max_tokens - 1);
    anchor("circuit distance");
  });
}

void choose_logits(Ui& ui) {
  const char* const text = ui.tr("Centred logits");
  next_in_line(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(text).x);
  ImGui::Checkbox(text, &ui.state.view.circuits.center_logits);
  anchor("circuit centred");
  tooltip(ui.tr(
      "Logits minus their mean over the vocabulary: what raises all tokens alike changes no probability. "
      "Also for the copying scores of the table of heads."));
}

void choose_composition(Ui& ui) {
  const std::vector<Choice> choices{{"Q", ui.tr("What the queries of later heads read")},
                                    {"K", ui.tr("What the keys of later heads read")},
                                    {"V", ui.tr("What the values of later heads read")}};
  const char* const title = is_low_window() ? "" : ui.tr("Composition");
  next_in_line(width_of(choices) + ImGui::CalcTextSize(title).x);
  if (*title != '\0') {
    framed_text(title);
    ImGui::SameLine();
  }
  Composition& composition = ui.state.view.circuits.composition;
  int chosen = static_cast<int>(composition);
  if (choose("composition", choices, chosen)) composition = static_cast<Composition>(chosen);
}

void draw_controls(Ui& ui, const ShownCircuits* shown) {
  CircuitOptions& options = ui.state.view.circuits;
  framed_text(ui.tr("Head"));
  ImGui::SameLine();
  choose_any_head(ui, "circuit head");
  const std::vector<Choice> parts{
      {ui.tr("All")},
      {ui.tr("Tokens"), ui.tr("What the head copies, and what it matches")},
      {ui.tr("Composition"), ui.tr("How much heads read of each other's outputs")},
      {ui.tr("Directions"), ui.tr("Singular vectors, with the tokens along them")}};
  int part = static_cast<int>(options.part);
  if (choose_in_list("circuit part", parts, part)) options.part = static_cast<CircuitPart>(part);
  const auto has = [&](CircuitPart one) { return options.part == CircuitPart::all || options.part == one; };
  if (has(CircuitPart::tokens)) choose_tokens(ui, shown);
  if (has(CircuitPart::tokens) || has(CircuitPart::directions)) choose_logits(ui);
  if (has(CircuitPart::composition)) choose_composition(ui);
}

}  // namespace

void draw_circuits_view(Ui& ui) {
  const auto shown = ui.view_cache.circuits(ui.trace, circuit_choice(ui.view()));
  if (!ui.style.presented) draw_controls(ui, shown.get());
  if (!shown) return hint(ui.style, computing_text(ui));
  if (shown->refusal) return hint(ui.style, ui.tr(*shown->refusal));
  ImGui::BeginChild("circuits", {0, 0}, false, ui.style.presented ? ImGuiWindowFlags_NoScrollbar : 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::min(ImGui::GetContentRegionAvail().x, 80 * ui.style.font_size);
  const Board board = circuits_board(*ui.scene, *shown, board_style(ui), width, ui.tr);
  draw_board(ui, board, at);
  anchor("circuits");
  note_regions(board, at);
  const BoardRegion* region = hovered_region(board, at);
  if (const auto* head = region ? region->of<HeadPlace>() : nullptr) {
    mark_region(ui, *region, at);
    if (is_tapped(ui)) click_head(ui.state, *head);
    region_tooltip(*region, at);
  }
  draw_stale_mark(ui);
  ImGui::EndChild();
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_detail.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/analysis/expectations.h"
#include "core/figure/boards/causes_board.h"

namespace headscope {
namespace {

struct ChangeChoice {
  CauseChange change;
  const char* text;
};
constexpr ChangeChoice change_choices[] = {
    {CauseChange::zero, TR("Knock out: zero")},
    {CauseChange::mean, TR("Knock out: mean over the text")},
    {CauseChange::other, TR("Knock out: as in B")},
    {CauseChange::output, TR("Patch: head outputs")},
    {CauseChange::pattern, TR("Patch: attention weights")},
    {CauseChange::value, TR("Patch: values")},
    {CauseChange::stream, TR("Patch: residual stream")},
    {CauseChange::attention, TR("Patch: attention output")},
    {CauseChange::feed_forward, TR("Patch: feed-forward output")},
};

void choose_change(Ui& ui, CauseOptions& options) {
  const auto chosen = std::ranges::find(change_choices, options.change, &ChangeChoice::change);
  if (!is_low_window()) {
    framed_text(ui.tr("Change"));
    ImGui::SameLine();
  }
  const float em = ui.style.font_size;  // in a low window the places are on the same line
  ImGui::SetNextItemWidth(
      is_low_window() ? std::clamp(ImGui::GetContentRegionAvail().x - 8 * em, 8 * em, 15 * em) : 15 * em);
  const ChangeChoice* const taken = choose_row(
      "change", ui.tr(chosen->text), change_choices,
      [&](const ChangeChoice& each) { return each.change == options.change; },
      [&](const ChangeChoice& each) {
        return Choice{ui.tr(each.text), change_title(ui.tr, each.change, false), true,
                      fmt::format("change {}", to_name(each.change))};
      });
  if (taken != nullptr) options.change = taken->change;
}

struct PlacesChoice {
  CausePlaces places;
  const char* text;
  const char* help;
};
constexpr PlacesChoice places_choices[] = {
    {CausePlaces::all, TR("Whole text"), TR("At all positions at once")},
    {CausePlaces::position, TR("Each position"), TR("At one position after another")},
    {CausePlaces::edge, TR("Edges of a head"),
     TR("One edge of the head, from a query to a key, after another")},
    {CausePlaces::key, TR("Keys of a head"), TR("One key of the head after another")},
    {CausePlaces::path, TR("Paths between heads"),
     TR("The heads that matter most as a graph, with the paths between them")},
};

void choose_places(Ui& ui, CauseOptions& options) {
  std::vector<Choice> choices;
  std::vector<CausePlaces> places;
  for (const PlacesChoice& each : places_choices) {
    if (!has_places(options.change, each.places)) continue;
    choices.push_back({ui.tr(each.text), ui.tr(each.help)});
    places.push_back(each.places);
  }
  if (places.size() < 2) return;
  const auto found = std::ranges::find(places, options.places);
  int chosen = found == places.end() ? 0 : static_cast<int>(found - places.begin());
  next_in_line(width_of_list(choices[chosen].text));
  if (choose_in_list("cause places", choices, chosen)) options.places = places[chosen];
}

void choose_direction(Ui& ui, CauseOptions& options) {
  if (!is_patch(options.change)) return;
  const std::vector<Choice> choices{
      {ui.tr("A into B"), ui.tr("Denoising: how much of the answer a part of A brings back in B")},
      {ui.tr("B into A"), ui.tr("Noising: how much of the answer a part of B takes from A")}};
  int noise = options.noise ? 1 : 0;
  next_in_line(width_of(choices));
  if (choose("cause direction", choices, noise)) options.noise = noise == 1;
}

/// The head whose edges or keys are changed.
void choose_head(Ui& ui, const CauseOptions& options) {
  if (is_patch(options.change)) return;
  if (options.places != CausePlaces::edge && options.places != CausePlaces::key) return;
  next_in_line(ui.style.font_size * 8);
  choose_any_head(ui, "cause head");
}

void draw_controls(Ui& ui, const ShownCauses* shown) {
  CauseOptions& options = ui.state.view.causes;
  folded_in_low_window("question", ui.tr("Question…"), [&] {
    choose_answer(ui, shown ? std::optional(shown->request.question.answer) : std::nullopt);
    choose_against(ui, shown ? shown->request.question.against : std::nullopt);
  });
  if (is_low_window()) next_in_line(15 * ui.style.font_size);
  choose_change(ui, options);
  choose_places(ui, options);
  choose_direction(ui, options);
  choose_head(ui, options);
}

/// What the cells leave to the head of one of them, large.
struct Halves {
  ImVec2 cells;  ///< the room of the board
  Rect detail;
};

/// Beside the cells, if they still have room for their numbers, otherwise below them.
Halves halves_of(const Ui& ui, const ShownCauses& shown) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Rect area{at.x, at.y, room.x, room.y};
  if (!is_of_heads(shown.request.change) || shown.request.head || shown.paths) return {room, {}};
  const auto made = [&](double width, double height) {
    return causes_board(*ui.scene, shown, board_style(ui), {width, height, false}, ui.tr);
  };
  constexpr double share = 0.52;
  const Board narrow = made(share * room.x, room.y);
  const double numbers = 2.3 * ui.style.font_size;
  if (!narrow.regions.empty() && narrow.regions.front().rect.width >= numbers && narrow.height <= room.y)
    if (const Rect detail = room_for_detail(ui, area, narrow.width, room.y, 0.5); detail.width > 0)
      return {{pixels(narrow.width), room.y}, detail};
  const Board low = made(room.x, 0.5 * room.y);
  const Rect detail = room_for_detail(ui, area, room.x, low.height, 0.4);
  return {{room.x, detail.width > 0 ? pixels(low.height) : room.y}, detail};
}

void draw_board_of(Ui& ui, const ShownCauses& shown) {
  const Halves halves = halves_of(ui, shown);
  ImGui::BeginChild("causes", halves.cells, false, ui.style.presented ? ImGuiWindowFlags_NoScrollbar : 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Board board = draw_cell_board(ui, "causes", [&](const BoardStyle& style, BoardRoom room) {
    room.fill = room.fill && halves.detail.width <= 0;
    return causes_board(*ui.scene, shown, style, room, ui.tr);
  });
  const BoardRegion* region = hovered_region(board, at);
  if (const auto* target = region ? region->of<CauseTarget>() : nullptr) {
    mark_region(ui, *region, at);
    const OnScreen place(region->rect, at);
    if (target->head >= 0) {
      point_at_detail(ui, {target->block, target->layer, target->head});
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) show_block(ui.state, target->block);
      note_map(ui, {target->layer, target->head, ui.side, {}, {}}, place.min, place.max, true, false);
    }
    if (is_tapped(ui)) {
      open_cause(ui.state, ui.trace, *target, shown.request.question.position);
    } else if (begin_tooltip(place.min, place.max)) {
      ImGui::TextUnformatted(
          (region->help.empty() ? cause_text(*ui.scene, shown, *target, ui.tr) : region->help).c_str());
      muted_text(ui.style, target->head >= 0 ? ui.tr("Click to open the head; right-click to switch it off")
                                             : ui.tr("Click to show the layer"));
      ImGui::EndTooltip();
    }
  }
  draw_stale_mark(ui);
  ImGui::EndChild();
  draw_head_detail(ui, halves.detail);
}

}  // namespace

void draw_causes_view(Ui& ui) {
  const bool asks = needs_other(ui.view().causes.change);
  if (asks && !ui.compare) ui.compare = ui.inputs;
  std::shared_ptr<const ShownCauses> shown;
  if (!asks || (ui.other.trace && !ui.other.stale))
    shown = ui.view_cache.causes(ui.trace, asks ? ui.other.trace : nullptr,
                                 cause_choice(ui.view(), ui.block->shape.kind));
  if (!ui.style.presented) draw_controls(ui, shown.get());
  // Until B is written, it is a copy of A.
  if (asks && ui.compare && ui.compare->sentence == ui.inputs.sentence)
    return hint(ui.style,
                ui.tr("Write B above: a sentence with the same number of tokens, in which the answer "
                      "differs."));
  if (!shown) return hint(ui.style, computing_text(ui));
  if (!shown->refusal) return draw_board_of(ui, *shown);
  hint(ui.style, ui.tr(*shown->refusal));
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/map/paint.h"
#include "app/panels/ui/ui.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/steps_memory.h"
#include "app/panels/views/steps_view.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/steps.h"
#include "core/figure/boards/steps_board.h"

namespace headscope {

namespace {

/// The stages of that cell, from StepsMemory; computed if missing.
const std::vector<ArithmeticStage>& cell_stages(Ui& ui, const CellPlace& place) {
  if (!ui.memory.steps) ui.memory.steps = std::make_shared<StepsMemory>();
  StepsMemory& memory = *ui.memory.steps;
  const Scene& scene = *ui.scene;
  const StepsLook& look = ui.state.steps;
  const StepsMemory::StagesKey wanted{scene.trace, scene.block->shape.kind, place, look.component,
                                      look.output, ui.tr.language()};
  if (memory.stages_key != wanted) {
    memory.stages = arithmetic_stages(*scene.trace, *scene.block, place, look, ui.tr);
    memory.stages_key = wanted;
    memory.board_key.reset();
    memory.chain_key.reset();
  }
  return memory.stages;
}

constexpr int layout_place = 5;  // of MapMemory::layout()

/// The head's map with the cell marked; a click chooses another cell.
void draw_small_map(Ui& ui, int head, const CellPlace& place, ImVec2 room) {
  MapMemory& maps = ui.memory.maps;
  maps.update(ui.shown);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  // Readable labels take precedence over a larger map.
  LayoutRequest request = layout_request(ui, {from.x, from.y, room.x, room.y}, {head}, ui.style.font_size);
  request.maps_first = true;
  request.named_bars = false;
  const GridLayout& layout = maps.layout(layout_place, request, ui.style.fonts);
  const PanelLayout panel = layout.panels.front();
  invisible_button("small map", room);
  hear_nothing();  // its map is heard
  const bool hovered = ImGui::IsItemHovered(), clicked = hovered && is_tapped(ui);
  if (panel.map.width <= 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ColorRange range = maps.ranges(ui.view())[head];
  const ScreenMap map =
      place_map(ui.style, PainterSlots::others + 1, panel.map, head_picture(ui, head, range));
  note_place("map " + std::to_string(head + 1), map.min, map.max);
  hear_head(ui, ImGui::GetID("small map"), head, map.min, map.max);
  draw_picture(list, ui, map);
  const Cell shown{head, place.query, place.key};
  int row = -1, column = -1;
  if (!find_cell(*ui.shown, ui.state.last_hover.value_or(shown), row, column)) row = column = -1;
  AxisTexts texts{maps.look().rows(), maps.look().columns(), row, column};
  draw_axes(list, ui, layout, panel, map, texts);
  draw_marked_cells(list, ui, map, head);
  if (find_cell(*ui.shown, shown, row, column)) draw_lock(list, ui, map, row, column, true);
  if (const auto cell = point_at_map(ui, map, texts, head, hovered, true); cell && clicked)
    ui.state.lock = cell;
}

/// "Head 3 · it → animal"
std::string cell_title(const Ui& ui, const CellPlace& place) {
  const auto text = [](const std::vector<Token>& tokens, int i) { return shown_token(tokens[i].text); };
  return head_title(ui, place.head) + " · " +
         fmt::format("{} → {}", text(ui.block->tokens, place.query), text(ui.block->key_tokens, place.key));
}

/// The reductions tried on a card that is higher than the available space, in this order.
struct Fit {
  bool notes;
  Index max_terms = 9;
  double line_height = 1.45;
};
constexpr double close_lines = 1.12;
constexpr Fit fits[] = {{true},
                        {true, 9, close_lines},
                        {false},
                        {false, 9, close_lines},
                        {false, 5},
                        {false, 5, close_lines},
                        {false, 0, close_lines}};
/// A projector has no scroll bar: there lists of terms are left out before anything is below the edge.
std::span<const Fit> fits_of(bool presented) {
  return std::span(fits).first(std::size(fits) - (presented ? 0 : 1));
}
constexpr double scales[] = {1.8, 1.6, 1.4, 1.3, 1.2, 1.1, 1, 0.94, 0.88, 0.8, 0.7, 0.6};
constexpr std::size_t usual_scale = 6;
static_assert(scales[usual_scale] == 1);

/// In pixels: in smaller type, points and minus signs fade.
constexpr double min_type = 13;

bool can_be_read(double scale, const BoardStyle& style) {
  return scale == 1 || scale * style.font_size >= std::max(1.05 * style.minimum, min_type);
}

void use(StepsRequest& request, const Fit& fit) {
  request.notes = fit.notes;
  request.max_terms = fit.max_terms;
  request.line_height = fit.line_height;
}

bool fits_into(const Board& board, const StepsRequest& request) {
  return board.width <= request.width && (request.height <= 0 || board.height <= request.height);
}

/// Whether the present card alone fits, with its explanation or otherwise without.
bool is_whole(StepsRequest request, BoardStyle style, double scale, bool with_notes, bool presented,
              const Translator& tr) {
  style.font_size *= scale;
  request.first = request.present;
  return std::ranges::any_of(fits_of(presented), [&](const Fit& fit) {
    if (fit.notes != with_notes) return false;
    use(request, fit);
    return fits_into(steps_board(request, style, tr), request);
  });
}

/// The largest readable type size at which every card that can fit does: one for all, so that it does not
/// change between steps. Larger than usual only if all fit.
double scale_of_all(const StepsRequest& request, const BoardStyle& style, bool presented,
                    const Translator& tr) {
  StepsLook folded = request.look;
  folded.unfolded.clear();
  StepsRequest one{request.stages, 0, 0, folded, request.width, request.height};
  std::size_t chosen = presented ? usual_scale : 0;
  const auto place_of = [&](bool with_notes) {
    std::size_t place = chosen;
    while (place < std::size(scales) && can_be_read(scales[place], style) &&
           !is_whole(one, style, scales[place], with_notes, presented, tr))
      ++place;
    return place < std::size(scales) && can_be_read(scales[place], style) ? place : std::size(scales);
  };
  for (; one.present < one.stages.size(); ++one.present) {
    std::size_t place = place_of(true);
    if (place == std::size(scales)) place = place_of(false);
    chosen = place < std::size(scales) ? place : std::max(chosen, usual_scale);  // no size makes it fit
  }
  return scales[chosen];
}

/// On a projector a stage is a slide of its own: larger, where that one has the room. With its explanation if
/// it has one at `scale`.
double scale_of_slide(const StepsRequest& request, const BoardStyle& style, double scale,
                      const Translator& tr) {
  const bool with_notes = is_whole(request, style, scale, true, true, tr);
  for (std::size_t larger = std::size(scales); larger-- > 0;) {
    if (scales[larger] <= scale) continue;
    if (!is_whole(request, style, scales[larger], with_notes, true, tr)) break;
    scale = scales[larger];
  }
  return scale;
}

/// The stages up to the present one, reduced so that the present one fits if possible.
Board fitted_board(StepsRequest request, BoardStyle style, bool presented, bool& whole,
                   const Translator& tr) {
  if (request.look.unfolded.contains(request.stages[request.present].name)) request.height = 0;
  request.first = request.present;
  for (const Fit& fit : fits_of(presented)) {
    use(request, fit);
    whole = fits_into(steps_board(request, style, tr), request);
    if (whole) break;
  }
  if (!presented) {
    request.first = 0;
    return steps_board(request, style, tr);
  }
  // As many of the preceding ones as also fit.
  Board board = steps_board(request, style, tr);
  while (request.first > 0) {
    --request.first;
    Board more = steps_board(request, style, tr);
    if (!fits_into(more, request)) break;
    board = std::move(more);
  }
  return board;
}

/// Computes and lays out what is missing.
const StepsMemory& prepare(Ui& ui, const CellPlace& place, double width, double height) {
  cell_stages(ui, place);
  StepsMemory& memory = *ui.memory.steps;
  const StepsLook& look = ui.state.steps;
  std::vector<std::string> names;
  for (const ArithmeticStage& stage : memory.stages) names.push_back(stage.name);
  const StepsMemory::BoardKey wanted{stage_place(names, ui.view().steps.stage),
                                     look,
                                     width,
                                     height,
                                     ui.style.font_size,
                                     ui.style.presented,
                                     ui.style.theme,
                                     ui.style.fonts};
  if (memory.board_key != wanted) {
    const StepsRequest request{memory.stages, wanted.present, 0, look, width, height};
    BoardStyle style = steps_style(ui);
    const BlockShape& shape = ui.block->shape;
    const StepsMemory::TypeKey type{
        names,
        {ui.block->n_q(), ui.block->n_k(), shape.d_model, shape.d_k_of(place.layer)},
        look.matrices,
        width,
        height,
        style.font_size,
        ui.style.presented,
        ui.tr.language(),
        wanted.fonts};
    if (memory.type_key != type) {
      memory.type_scale = scale_of_all(request, style, ui.style.presented, ui.tr);
      memory.type_key = type;
    }
    style.font_size *=
        ui.style.presented ? scale_of_slide(request, style, memory.type_scale, ui.tr) : memory.type_scale;
    memory.board = fitted_board(request, style, ui.style.presented, memory.whole, ui.tr);
    memory.board_key = wanted;
  }
  return memory;
}

/// Of the present stage.
const BoardRegion* region_of_present(const StepsMemory& shown, StagePlace::Part part) {
  return region_of(shown.board, StagePlace{part, shown.stages[shown.board_key->present].name});
}

/// Where the list of the present stage begins on the board, otherwise its card.
double list_top(const StepsMemory& shown) {
  const BoardRegion* found = region_of_present(shown, StagePlace::list);
  if (found == nullptr) found = region_of_present(shown, StagePlace::card);
  return found == nullptr ? 0 : found->rect.y;
}

/// An unfolded list stays where it was clicked, however the card around it changes.
void keep_list(Ui& ui) {
  StepsMemory& memory = *ui.memory.steps;
  if (!memory.list_at) return;
  const double scroll = list_top(memory) - *std::exchange(memory.list_at, std::nullopt);
  ImGui::SetScrollY(pixels(std::max(0.0, scroll)));
}

/// Pointer interaction with the cards.
void point(Ui& ui, const Board& board, ImVec2 at) {
  const BoardRegion* const region = hovered_region(board, at);
  if (region == nullptr) return;
  StepsLook& look = ui.state.steps;
  const auto* number = region->of<StageNumber>();
  const auto* place = region->of<StagePlace>();
  const bool folds =
      place != nullptr && (place->part == StagePlace::fold || place->part == StagePlace::unfold);
  if (number == nullptr && !folds) return region_tooltip(*region, at);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!is_tapped(ui)) return region_tooltip(*region, at);
  if (number != nullptr) {
    (number->of_output ? look.output : look.component) = static_cast<int>(number->at);
    return;
  }
  ui.memory.steps->list_at = list_top(*ui.memory.steps) - ImGui::GetScrollY();
  if (place->part == StagePlace::unfold)
    look.unfolded.insert(place->stage);
  else
    look.unfolded.erase(place->stage);
}

/// Scrolls the present stage into view when it, the available size or the cell has changed. If it is too
/// high, its result if `result_first`, otherwise its beginning. `end`: of what is to be visible with it.
void follow_present(Ui& ui, const StepsMemory& shown, bool result_first, double end) {
  const std::string& stage = shown.stages[shown.board_key->present].name;
  const BoardRegion* const found = region_of_present(shown, StagePlace::card);
  if (found == nullptr) return;
  const Rect* const card = &found->rect;
  // Of several sums the last one is the result of the stage.
  double result = card->bottom();
  for (const BoardRegion& one : shown.board.regions)
    if (one.target == BoardTarget(StagePlace{StagePlace::result, stage})) result = one.rect.bottom();
  const StepsMemory::Scrolled now{
      "stage " + stage,         shown.stages_key->place,        shown.board_key->width,
      ImGui::GetWindowHeight(), shown.board_key->look.matrices, card->y};
  const bool anew = shown.scrolled != now;
  ui.memory.steps->scrolled = now;
  follow_part(ui, shown.board, {card->y, std::max(card->bottom(), end), result_first ? result : card->y},
              anew);
}

double present_height(const StepsMemory& shown) {
  const BoardRegion* const card = region_of_present(shown, StagePlace::card);
  return card == nullptr ? shown.board.height : card->rect.height;
}

/// Below them.
float margin_of_cards(const Style& style) {
  return style.font_size * (style.presented ? 0.25F : 0.5F);
}

/// `height`: 0: to the lower edge. `checks`: the checks of the shapes are shown nowhere else.
void draw_cards(Ui& ui, const CellPlace& place, float height, bool checks) {
  // A scroll bar that comes and goes would change the width that decides whether it is needed.
  const ImGuiWindowFlags bars =
      ui.style.presented ? ImGuiWindowFlags_NoScrollbar
                         : ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysVerticalScrollbar;
  const bool pinned = height > 0;
  ImGui::BeginChild("cards", {0, height}, false, bars | ImGuiWindowFlags_NoNavInputs);
  // The same for the horizontal bar and the height that the cards are laid out for.
  const ImVec2 room{ImGui::GetContentRegionAvail().x,
                    ImGui::GetWindowHeight() - (ui.style.presented ? 0 : ImGui::GetStyle().ScrollbarSize)};
  const StepsMemory& shown = prepare(ui, place, room.x, room.y - margin_of_cards(ui.style));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_scrolled_board(ui, shown.board, at);
  const bool hovered = ImGui::IsItemHovered();
  note_regions(shown.board, at);
  // The strip is fully visible with the stage or, if it does not fit, begins below the visible part.
  const std::optional<Board> strip = pinned ? std::nullopt : shape_strip_below(ui, checks);
  const float below = ui.style.font_size, height_of_strip = strip ? pixels(strip->height) + below : 0;
  const auto card = pixels(present_height(shown));
  const bool with_it = strip && !ui.style.presented && card + height_of_strip + below <= room.y;
  follow_present(ui, shown, !pinned, with_it ? shown.board.height + height_of_strip : 0);
  keep_list(ui);
  if (strip) {
    const float rest = room.y - (ui.style.presented ? 0 : card);
    ImGui::Dummy({1, with_it ? below : std::max(below, rest)});
    draw_shape_strip(ui, *strip);
  }
  if (hovered) point(ui, shown.board, at);
  ImGui::EndChild();
}

/// The strip that a lesson points to, along the lower edge, from `at` on.
void draw_pinned_strip(Ui& ui, const Board& strip, ImVec2 at, float space) {
  ImGui::SetCursorScreenPos({at.x + space, at.y + space});
  draw_shape_strip(ui, strip);
  outline({at.x + 2, at.y},
          {at.x + pixels(strip.width) + 2 * space - 3, at.y + pixels(strip.height) + 1.5F * space});
}

/// The map, the cards next to it, and below both the strip that a lesson points to.
void draw_cell(Ui& ui, const CellPlace& place) {
  const float em = ui.style.font_size, space = em * 0.5F;
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const std::optional<Board> pinned = shape_strip_to_pin(ui, room);
  const float height = pinned ? std::floor(std::max(4 * em, room.y - pixels(pinned->height) - 3 * space)) : 0;
  // Little of the stage beside it would say nothing, and a projector shows nothing partially: the strip
  // alone, and after moving on, the stage.
  if (pinned && (ui.style.presented || height < 8 * em) &&
      !prepare(ui, place, room.x, height - margin_of_cards(ui.style)).whole) {
    ui.state.steps_room.below = !ui.style.presented;  // its keys turn the lesson's steps
    return draw_pinned_strip(ui, shape_strip_alone(ui, room), from, space);
  }
  // On a projector the cards take the full width.
  const auto wide = static_cast<float>(ui.style.presented ? 0 : steps_map_width(room.x, room.y, em));
  bool checked = false;
  if (wide > 0) {
    ImGui::BeginGroup();
    ImGui::TextUnformatted(fit_text(drawn_text(cell_title(ui, place)), wide).c_str());
    const float below_title = pinned ? height - 2 * em : ImGui::GetContentRegionAvail().y;
    draw_small_map(ui, *ui.scene->head, place, {wide, std::min(below_title, wide * 1.1F)});
    if (!pinned) checked = draw_shape_checks(ui, wide);
    ImGui::EndGroup();
    ImGui::SameLine();
  }
  draw_cards(ui, place, height, !checked);
  if (pinned) draw_pinned_strip(ui, *pinned, {from.x, from.y + height + space / 2}, space);
}

void go_by_keys(Ui& ui, int head, const CellPlace& place) {
  const bool ctrl = ImGui::GetIO().KeyCtrl;
  const auto [right, down] = map_arrows(ui.style);
  if (ctrl && right != 0) show_head(ui.state, neighbour_head(ui.scene->heads, head, right));
  if (ctrl && down != 0) change_layer(ui.state, down, *ui.block);
  if (ctrl || (right == 0 && down == 0)) return;
  if (!ui.state.lock) ui.state.lock = Cell{head, place.query, place.key};
  move_lock(ui.state, *ui.shown, head, down, right);
}

void keys(Ui& ui, int head, const CellPlace& place) {
  const std::optional<Cell> before = ui.lock();
  go_by_keys(ui, head, place);
  paint_by_keys(ui, before);
}

/// From StepsMemory; laid out again when something has changed.
const std::optional<Board>& chain_of(Ui& ui, const std::vector<ArithmeticStage>& stages, std::size_t present,
                                     float width) {
  StepsMemory& memory = *ui.memory.steps;
  const StepsMemory::ChainKey wanted{present, width, ui.style.font_size, ui.style.theme, ui.style.fonts};
  if (memory.chain_key != wanted) {
    memory.chain = steps_chain(stages, present, board_style(ui), width);
    memory.chain_key = wanted;
  }
  return memory.chain;
}

}  // namespace

void draw_cell_steps(Ui& ui) {
  ImGui::BeginChild(
      "cell steps", {0, 0}, false,
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNavInputs);
  const bool has_keys = maps_have_keys(ui) || (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) &&
                                               !ImGui::GetIO().WantTextInput);
  if (!draw_instead_of_maps(ui)) {
    const Scene& scene = *ui.scene;
    if (scene.trace == nullptr || !has_arithmetic(*scene.block, scene.view.layer)) {
      hint(ui.style, steps_are_unknown(ui));
    } else {
      const CellPlace place = steps_cell(scene);
      draw_cell(ui, place);
      if (has_keys) keys(ui, *scene.head, place);
    }
  }
  ImGui::EndChild();
}

bool draw_steps_chain(Ui& ui, const std::vector<std::string>& steps, int& chosen) {
  constexpr float lines_left = 22;  // below it, for the cards
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.y < lines_left * ui.style.font_size || ui.view().steps.page != StepsPage::cell) return false;
  if (ui.scene->trace == nullptr || !has_arithmetic(*ui.scene->block, ui.scene->view.layer)) return false;
  const CellPlace cell = steps_cell(*ui.scene);
  const std::vector<ArithmeticStage>& stages = cell_stages(ui, cell);
  if (stages.size() != steps.size()) return false;
  const std::optional<Board>& laid_out = chain_of(ui, stages, chosen, room.x);
  if (!laid_out) return false;
  const Board& flow = *laid_out;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_board(ui, flow, at);
  const bool hovered = ImGui::IsItemHovered();
  note_regions(flow, at, &flow.regions[chosen]);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < flow.regions.size(); ++i) {
    const auto [min, max] = OnScreen(flow.regions[i].rect, at);
    if (!hovered || mouse.x < min.x || mouse.x >= max.x) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (is_tapped(ui)) chosen = static_cast<int>(i);
    if (begin_tooltip(min, max)) {
      ImGui::TextUnformatted((std::to_string(i + 1) + "  " + flow.regions[i].help).c_str());
      ImGui::EndTooltip();
    }
  }
  return true;
}

}  // namespace headscope

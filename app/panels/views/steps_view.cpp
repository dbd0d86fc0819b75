#include "app/panels/views/steps_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/map/board.h"
#include "app/panels/views/steps_memory.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/available_views.h"
#include "app/state/view/steps.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/attention_cost.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/boards/steps_board.h"
#include "core/figure/boards/steps_page.h"

namespace headscope {
namespace {

constexpr const char* capture_has_no_steps = TR("A capture holds attention, not the layer that made it.");

/// The scroll position that brings the part into view. `edge`: border of a card, which is not worth scrolling
/// for.
double place_of(const PagePart& part, bool from_top, double at, double room, double margin, double edge) {
  const double height = part.bottom - part.top - edge;
  if (part.top >= at && part.bottom <= at + room) return at;
  if (height <= room) return std::min(part.top, part.bottom - 0.95 * room);
  if (from_top || part.result - part.top <= room) return part.top;
  return part.result + margin - room;
}

/// The part of a board that a projector shows at scroll position `top`, without cutting anything.
struct Sight {
  double top = 0, bottom = 0;
};
constexpr double max_left_out = 0.6;  // of the height
constexpr double min_shown = 0.1;     // of the height, above what the next page shows in full

/// Where a section begins that would be cut at `bottom`, if nothing beside it is cut there; else `bottom`.
double before_cut_section(const Board& board, double first, double bottom) {
  const auto is_section = [](const BoardRegion& region) { return region.name.starts_with("section "); };
  for (const BoardRegion& region : board.regions)
    if (is_section(region) && region.rect.y > first && region.rect.y < bottom &&
        region.rect.bottom() > bottom) {
      const double line = region.rect.y;
      if (std::ranges::none_of(board.regions, [&](const BoardRegion& other) {
            return is_section(other) && other.rect.y < line - 1 && other.rect.bottom() > line + 1;
          }))
        return line;
    }
  return bottom;
}

Sight in_sight(const Board& board, double top, double room) {
  const BoardGaps gaps(board, max_left_out * room, room);
  const double first = top <= 0 ? 0 : gaps.after(top, top + max_left_out * room);
  const bool to_its_end = board.height <= top + room;
  const double last = first + min_shown * room;
  return {first, to_its_end ? top + room : before_cut_section(board, last, gaps.before(top + room, last))};
}

/// Where the last page of a part begins: it is full, no lines alone, unless a picture that is cut there would
/// leave it empty. `next`: where the page before it ends.
double last_page(const Board& board, const PagePart& part, double next, double room) {
  constexpr double max_empty = 0.25;  // of the height
  const double full = std::max(part.top, part.bottom - room);
  const double top = in_sight(board, full, room).top;
  return top - full > max_empty * room ? std::min(next, top) : full;
}

double next_page(const Board& board, const PagePart& part, double at, double room) {
  const double next = in_sight(board, at, room).bottom;
  return part.bottom <= next + room ? std::max(at + 1, last_page(board, part, next, room)) : next;
}

/// Lays out the page and returns the part of the present step: in smaller type if that does not fit.
PagePart lay_out_page(const Ui& ui, ImVec2 room, Board& board) {
  BoardStyle style = steps_style(ui);
  const double full = style.font_size;
  PagePart part;
  for (const double scale : {1.0, 0.9, 0.8, 0.7}) {
    if (scale * full < style.minimum) break;
    style.font_size = scale * full;
    board = steps_page_board(*ui.scene, style, room.x, ui.tr);
    const auto found = std::ranges::find(board.regions, std::string(present_region), &BoardRegion::name);
    part = {0, board.height, board.height};
    if (found == board.regions.end()) break;  // from its beginning
    const auto result = std::ranges::find(board.regions, std::string(result_region), &BoardRegion::name);
    part = {found->rect.y, found->rect.bottom(), result->rect.bottom()};
    if (found->rect.height <= room.y) break;
  }
  // A page without steps is read from there to its end.
  if (ui.view().steps.page == StepsPage::cost) part.bottom = board.height, part.result = part.top;
  return part;
}

bool has_layer(const Ui& ui) {
  // A capture contains nothing about the layer that produced it.
  return ui.shown->layer < ui.block->layer_count() && !ui.block->maps->given();
}

Board make_shape_strip(Ui& ui, const BoardStyle& style, float width, StripParts parts) {
  const auto sums = ui.view_cache.row_sums(ui.block, ui.shown->layer);
  parts.marked = shape_mark_of_stage(ui.view().steps.stage);
  for (const char* mark : shape_marks)
    if (is_outlined(mark)) parts.marked = mark;
  if (ui.scene->block) parts.token = steps_cell(*ui.scene).query;
  return shape_strip(*ui.block, ui.shown->layer, sums.get(), style, width, ui.tr, parts);
}

/// What a layer costs, or the softmax block by block: takes the remaining space and scrolls in it.
void draw_steps_page(Ui& ui) {
  ImGui::BeginChild(
      "steps page", {0, 0}, false,
      ImGuiWindowFlags_NoNavInputs |
          (ui.style.presented ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_AlwaysVerticalScrollbar));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  Board board;
  const PagePart part = lay_out_page(ui, room, board);
  if (board.height <= 0) hint(ui.style, steps_are_unknown(ui));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_scrolled_board(ui, board, at);
  anchor("steps page");
  note_regions(board, at);
  if (!ui.memory.steps) ui.memory.steps = std::make_shared<StepsMemory>();
  const StepsMemory::Scrolled now{
      fmt::format("page {} {}", static_cast<int>(ui.view().steps.page), ui.view().steps.stage),
      {},
      room.x,
      room.y,
      {},
      0};
  const bool anew = std::exchange(ui.memory.steps->scrolled, now) != now;
  follow_part(ui, board, part, anew);
  if (ui.style.presented) ImGui::Dummy({1, room.y});  // so that its last part can be scrolled to the top
  ImGui::EndChild();
}

/// A page of the view. Texts are English, to be translated.
struct PageRow {
  StepsPage page;
  const char* text;
  const char* help;
  void (*draw)(Ui& ui);
};
constexpr PageRow pages[] = {
    {StepsPage::cell, TR("One cell"), TR("How one weight and its query's output are computed"),
     draw_cell_steps},
    {StepsPage::cost, TR("Cost"), TR("Parameters, multiply–adds and memory of the layer"), draw_steps_page},
    {StepsPage::streaming, TR("Streamed softmax"), TR("The same softmax, computed block by block"),
     draw_steps_page},
};

/// Whether every line that the controls free is needed for the arithmetic.
bool has_little_room(const Ui& ui) {
  return ImGui::GetContentRegionAvail().y < 20 * ui.style.font_size;
}

void choose_page(Ui& ui, bool in_list) {
  std::vector<Choice> choices;
  const char* const of_seeded = ui.tr("This page is about a layer from a seed.");
  for (const PageRow& row : pages) {
    const bool has = has_page(ui.inputs, row.page);
    const char* const none =
        row.page == StepsPage::cost ? why_no_cost(ui.block->shape, ui.shown->layer) : nullptr;
    const char* const why = !ui.inputs.about().computes ? ui.tr(capture_has_no_steps)
                            : has && none != nullptr    ? ui.tr(none)
                                                        : of_seeded;
    const bool can = has && none == nullptr;
    choices.push_back({ui.tr(row.text), can ? ui.tr(row.help) : why, can});
  }
  int chosen = static_cast<int>(ui.view().steps.page);
  if (!(in_list ? choose_in_list("steps pages", choices, chosen) : choose("steps pages", choices, chosen)))
    return;
  ui.state.view.steps.page = static_cast<StepsPage>(chosen);
  // On a manual change of page it starts at its beginning.
  if (ui.state.view.steps.page == StepsPage::streaming) ui.state.view.steps.stage = "block 1";
  ui.state.next_step.reset();
  // It is already drawn in this frame, scrolled to its beginning.
  auto scene = std::make_shared<Scene>(*ui.scene);
  scene->view.steps.page = ui.view().steps.page;
  scene->view.steps.stage = ui.view().steps.stage;
  ui.scene = std::move(scene);
}

/// "3  q · k, term by term"
std::string listed(const Ui& ui, const std::string& step, std::size_t place) {
  const char* title = stage_title(step, *ui.trace, *ui.block);
  return std::to_string(place + 1) + (title == nullptr ? "" : std::string("  ") + ui.tr(title));
}

/// The steps as a chain, by their numbers if they do not fit, and the buttons to move through them.
void draw_stepper(Ui& ui, bool in_list) {
  const std::vector<std::string> steps = steps_of(*ui.scene);
  if (steps.empty()) return;
  const char* const play = ui.state.next_step ? ui.tr("Pause") : ui.tr("Play");
  next_in_line(ui.style.font_size * (in_list ? 4 : 10));
  if (icon_button("step before", Icon::left, ui.tr("Previous step (Shift+Space, PgUp)")))
    change_step(ui.state, steps, -1);
  anchor("step before");
  ImGui::SameLine();
  if (icon_button("step next", Icon::right, ui.tr("Next step (Space, PgDn)")))
    change_step(ui.state, steps, 1);
  anchor("step next");
  next_in_line(ImGui::CalcTextSize(play).x + 2 * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button((std::string(play) + "###play").c_str())) play_steps(ui.state, steps, ImGui::GetTime());
  anchor("play");
  const auto present = static_cast<int>(present_step(ui.view().steps, steps));
  int chosen = present;
  if (!in_list && draw_steps_chain(ui, steps, chosen)) {
    if (chosen != present) change_step(ui.state, steps, chosen - present);
    return;
  }
  ImGui::SameLine();
  // A long row has too many blocks for buttons.
  constexpr std::size_t max_buttons = 40;
  if (steps.size() > max_buttons) {
    int number = present + 1;
    const std::string of_all = "%d / " + std::to_string(steps.size());
    ImGui::SetNextItemWidth(std::min(14 * ui.style.font_size, ImGui::GetContentRegionAvail().x));
    if (ImGui::SliderInt("###step", &number, 1, static_cast<int>(steps.size()), of_all.c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
      change_step(ui.state, steps, number - 1 - present);
    hear_value(HeardRole::slider, fmt::format("{} / {}", number, steps.size()));
    anchor("step slider");
    return;
  }
  std::vector<Choice> choices;
  std::vector<std::string> numbers;
  const auto fill_in = [&](bool whole) {
    numbers.clear();
    choices.clear();
    for (std::size_t i = 0; i < steps.size(); ++i)
      numbers.push_back(whole ? listed(ui, steps[i], i) : std::to_string(i + 1));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const char* title = stage_title(steps[i], *ui.trace, *ui.block);
      choices.push_back({numbers[i].c_str(), title == nullptr ? "" : ui.tr(title)});
    }
  };
  fill_in(in_list);
  // Buttons in several lines at the end of this one would take the view's room.
  if (!in_list && width_of(choices) > ImGui::GetContentRegionAvail().x) fill_in(in_list = true);
  const std::string place = std::to_string(present + 1) + " / " + std::to_string(steps.size());
  if (in_list ? choose_in_list("steps", choices, chosen, place.c_str()) : choose("steps", choices, chosen))
    change_step(ui.state, steps, chosen - present);
}

void choose_matrices(Ui& ui, bool in_list) {
  int chosen = static_cast<int>(ui.state.steps.matrices);
  if (!in_list) next_in_line(ui.style.font_size * 13);
  const std::vector<Choice> choices{
      {ui.tr("Auto"), ui.tr("Small matrices as digits, large ones as colours")},
      {ui.tr("Digits"), ui.tr("All matrices as digits")},
      {ui.tr("Colour"), ui.tr("All matrices as colours: blue below 0, red above")}};
  if (in_list ? choose_in_list("matrices", choices, chosen) : choose("matrices", choices, chosen))
    ui.state.steps.matrices = static_cast<StepsLook::Matrices>(chosen);
}

}  // namespace

void draw_scrolled_board(Ui& ui, const Board& board, ImVec2 at) {
  if (!ui.style.presented) return draw_board(ui, board, at);
  const Sight sight = in_sight(board, ImGui::GetScrollY(), ImGui::GetWindowHeight());
  ImGui::PushClipRect({at.x, at.y + pixels(sight.top)},
                      {at.x + ImGui::GetWindowWidth(), at.y + pixels(sight.bottom)}, true);
  draw_board(ui, board, at);
  ImGui::PopClipRect();
  // A projector has no scroll bar: says whether there is more.
  const float em = ui.style.font_size;
  const ImVec2 top = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const auto sign = [&](bool more, Icon icon, float y) {
    if (more)
      draw_icon(ImGui::GetWindowDrawList(), icon, {top.x + size.x - em, y}, 0.4F * em,
                palette(ui.style.theme).accent);
  };
  sign(sight.top > em, Icon::up, top.y + 0.6F * em);
  sign(sight.bottom < board.height - em, Icon::down, top.y + size.y - 0.6F * em);
}

void follow_part(Ui& ui, const Board& board, const PagePart& part, bool anew) {
  constexpr double of_a_room = 0.8;
  StepsRoom& state = ui.state.steps_room;
  const double room = ImGui::GetWindowHeight(), before = ImGui::GetScrollY();
  const double edge = ui.style.font_size;
  const double margin = 0.3 * ui.style.font_size;
  double at = before;
  if (anew || state.anew)
    at = place_of(part, state.from_top, at, room, margin, edge);
  else if (state.wanted > 0)
    at = ui.style.presented ? next_page(board, part, at, room)
                            : std::min(at + of_a_room * room, std::max(at, part.bottom + margin - room));
  else if (state.wanted < 0)
    at = std::max(at - of_a_room * room, part.top);
  at = std::max(0.0, at);
  state.wanted = 0;
  // The run of a lesson's step is still pending.
  if (!ui.stale) state.anew = false;
  const bool moved = std::abs(at - before) >= 1;
  ui.state.layout_moved |= moved;
  if (moved) ImGui::SetScrollY(pixels(at));
  const Sight sight = ui.style.presented ? in_sight(board, at, room) : Sight{at, at + room};
  state.above = part.top < sight.top - edge;
  state.below = part.bottom > sight.bottom + edge && part.top < at + room;
}

BoardStyle steps_style(const Ui& ui) {
  // In type smaller than any font is made for, thin strokes fall between pixels; what does not fit is
  // scrolled.
  BoardStyle style = board_style(ui);
  style.minimum = std::max(style.minimum, static_cast<double>(ui.style.small));
  return style;
}

std::string steps_are_unknown(const Ui& ui) {
  if (ui.stale) return computing_text(ui);
  const char* const why =
      why_no_view({ui.inputs, ui.trace.get(), *ui.block, ui.model.get()}, ui.view().row());
  return ui.tr(why == nullptr ? TR("The arithmetic is not known here") : why);
}

std::optional<Board> shape_strip_below(Ui& ui, bool checks) {
  if (!has_layer(ui)) return {};
  return make_shape_strip(ui, steps_style(ui), ImGui::GetContentRegionAvail().x, {.checks = checks});
}

std::optional<Board> shape_strip_to_pin(Ui& ui, ImVec2 room) {
  StepsRoom& state = ui.state.steps_room;
  if (!is_outlined("shapes") || !has_layer(ui) || state.from_top) return std::nullopt;
  // When the user moves on in the stages, they get all of the space.
  if (std::exchange(state.wanted, 0) > 0) {
    state.from_top = state.anew = true;
    return std::nullopt;
  }
  constexpr double maximum = 0.45, stage = 9, min_type = 13;  // of the height; em; pixels
  const float width = room.x - ui.style.font_size;
  BoardStyle style = steps_style(ui);
  const double full = style.font_size, height = room.y;
  Board strip;
  for (const StripParts& parts : {StripParts{},
                                  {.note = false},
                                  {.note = false, .checks = false},
                                  {.note = false, .checks = false, .chain = false},
                                  {.note = false, .checks = false, .chain = false, .items = 4}})
    for (const double scale : {1.0, 0.9, 0.8, 0.7, 0.6}) {
      if (scale * full < std::max(style.minimum, scale < 0.7 ? min_type : 0)) continue;
      style.font_size = scale * full;
      strip = make_shape_strip(ui, style, width, parts);
      // The shapes belong to the stage: it keeps some lines.
      const double rest = height - stage * full;
      if (strip.height <=
          (parts.note ? maximum * height : std::max(maximum * height, std::min(0.62 * height, rest))))
        return strip;
    }
  return strip;
}

Board shape_strip_alone(Ui& ui, ImVec2 room) {
  const double margin = 2 * static_cast<double>(ui.style.font_size);
  BoardStyle style = steps_style(ui);
  const double full = style.font_size;
  Board strip;
  const auto fits = [&](const StripParts& parts, double scale) {
    style.font_size = scale * full;
    strip = make_shape_strip(ui, style, room.x - ui.style.font_size, parts);
    return strip.height <= room.y - margin && strip.width <= room.x;
  };
  constexpr std::array larger{2.0, 1.8, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1};
  constexpr std::array smaller{1.0, 0.92, 0.84};
  for (const double scale : larger)
    if (fits({}, scale)) return strip;
  for (const StripParts& parts : {StripParts{}, {.checks = false}})
    for (const double scale : smaller)
      if (fits(parts, scale)) return strip;
  // A picture shows more heads and tokens first, and then is as large as there is room.
  for (const StripParts& parts : {StripParts{.note = false, .checks = false, .chain = false},
                                  {.note = false, .checks = false, .chain = false, .items = 5}})
    for (const double scale : smaller) {
      if (!fits(parts, scale)) continue;
      const std::size_t shown = strip.texts.size();
      for (const double grown : larger)
        if (fits(parts, grown) && strip.texts.size() >= shown) return strip;
      fits(parts, scale);
      return strip;
    }
  return strip;
}

void draw_shape_strip(Ui& ui, const Board& board) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_board(ui, board, at);
  anchor("shape strip");
  if (const BoardRegion* region = ImGui::IsItemHovered() ? hovered_region(board, at) : nullptr)
    region_tooltip(*region, at);
}

bool draw_shape_checks(Ui& ui, float width) {
  if (!has_layer(ui)) return false;
  const int layer = ui.shown->layer;
  const auto sums = ui.view_cache.row_sums(ui.block, layer);
  const Board board = shape_checks(*ui.block, layer, sums.get(), board_style(ui), width, ui.tr);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (at.y + pixels(board.height) > ImGui::GetWindowPos().y + ImGui::GetWindowHeight()) return false;
  draw_board(ui, board, at);
  anchor("shape checks");
  return true;
}

void draw_steps_view(Ui& ui) {
  const auto in_view = [&] { return std::ranges::find(pages, ui.view().steps.page, &PageRow::page); };
  ui.state.steps_room.above = ui.state.steps_room.below = false;
  // Above a phone's sheet the room is the arithmetic's; a lesson there has turns of its own.
  if (ui.style.presented || (ui.style.finger > 0 && ui.memory.sheet.up)) return in_view()->draw(ui);
  const bool in_list = has_little_room(ui);
  choose_page(ui, in_list);
  const auto row = in_view();
  if (in_list) draw_stepper(ui, true);
  if (row->page == StepsPage::cell) choose_matrices(ui, in_list);
  if (!in_list) draw_stepper(ui, false);
  row->draw(ui);
}

}  // namespace headscope

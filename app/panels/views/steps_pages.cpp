#include "app/panels/views/steps_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/panels/views/steps_memory.h"
#include "app/panels/views/steps_scroll.h"
#include "app/panels/widgets/board.h"
#include "app/panels/widgets/widgets.h"
#include "core/figure/boards/draw_steps_page.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/boards/steps_board.h"

namespace headscope {

namespace {

/// Lays out the page and returns the part of the present step: in smaller type if that does not fit.
PagePart lay_out_page(const Ui& ui, ImVec2 room, Board& board) {
  BoardStyle style = board_style(ui);
  const double full = style.font_size;
  PagePart part;
  for (const double scale : {1.0, 0.9, 0.8, 0.7}) {
    if (scale * full < style.minimum) break;
    style.font_size = scale * full;
    board = steps_page_board(*ui.scene, style, static_cast<double>(room.x), ui.tr);
    const auto found = std::ranges::find(board.regions, std::string(present_region), &BoardRegion::name);
    part = {0, board.height, board.height};
    if (found == board.regions.end()) break;  // from its beginning
    const auto result = std::ranges::find(board.regions, std::string(result_region), &BoardRegion::name);
    part = {found->rect.y, found->rect.bottom(), result->rect.bottom()};
    if (found->rect.height <= static_cast<double>(room.y)) break;
  }
  // A page without steps is read from there to its end.
  if (ui.state.view.page == StepsPage::cost) part.bottom = board.height, part.result = part.top;
  return part;
}

}  // namespace

std::string steps_are_unknown(const Ui& ui) {
  if (ui.stale) return computing_text(ui);
  if (ui.block->words)
    return ui.tr("The arithmetic is that of the model's own tokens; switch “Pieces as words” off to see it.");
  if (ui.inputs.trained() && ui.state.view.page != StepsPage::cell)
    return ui.tr("This page is about a layer from a seed; “One cell” shows the steps of a trained model.");
  if (ui.inputs.captured() && ui.state.view.page != StepsPage::cell) return ui.tr(capture_has_no_steps);
  if (ui.inputs.captured())
    return ui.tr("This capture has no arrays q and k, so the arithmetic of its cells cannot be shown.");
  if (ui.inputs.trained())
    return ui.tr(
        "The steps of a trained model's cell are not known yet; the inspector shows the way from its "
        "score to its weight.");
  return ui.tr("The arithmetic is not known here");
}

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
  note_regions(ui, board, at);
  if (!ui.memory.steps) ui.memory.steps = std::make_shared<StepsMemory>();
  const StepsMemory::Scrolled now{
      fmt::format("page {} {}", static_cast<int>(ui.state.view.page), ui.state.view.stage),
      {},
      static_cast<double>(room.x),
      room.y,
      {},
      0};
  const bool anew = std::exchange(ui.memory.steps->scrolled, now) != now;
  follow_part(ui, board, part, anew);
  if (ui.style.presented) ImGui::Dummy({1, room.y});  // so that its last part can be scrolled to the top
  ImGui::EndChild();
}

namespace {

bool has_layer(const Ui& ui) {
  // A capture contains nothing about the layer that produced it.
  return ui.shown->layer < ui.block->layer_count() && !ui.block->maps->given();
}

Board make_shape_strip(Ui& ui, const BoardStyle& style, float width, StripParts parts) {
  const auto sums = ui.view_cache.row_sums(ui.block, ui.shown->layer);
  for (const char* mark : shape_marks)
    if (is_outlined(mark)) parts.marked = mark;
  if (ui.scene->block) parts.token = steps_cell(*ui.scene).query;
  return shape_strip(*ui.block, ui.shown->layer, sums.get(), style, static_cast<double>(width), ui.tr, parts);
}

}  // namespace

std::optional<Board> shape_strip_below(Ui& ui, bool checks) {
  if (!has_layer(ui)) return {};
  return make_shape_strip(ui, board_style(ui), ImGui::GetContentRegionAvail().x, {.checks = checks});
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
  BoardStyle style = board_style(ui);
  const double full = style.font_size, height = static_cast<double>(room.y);
  Board strip;
  for (const StripParts& parts : {StripParts{},
                                  {.note = false},
                                  {.note = false, .checks = false},
                                  {.note = false, .checks = false, .chain = false}})
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
  BoardStyle style = board_style(ui);
  const double full = style.font_size;
  Board strip;
  for (const StripParts& parts : {StripParts{}, {.note = false, .checks = false, .chain = false}})
    for (const double scale : {2.0, 1.8, 1.6, 1.4, 1.2, 1.0}) {
      style.font_size = scale * full;
      strip = make_shape_strip(ui, style, room.x - ui.style.font_size, parts);
      if (strip.height <= static_cast<double>(room.y) - margin) return strip;
    }
  return strip;
}

void draw_shape_strip(Ui& ui, const Board& board) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_board(ui, board, at);
  anchor("shape strip");
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const BoardRegion* region =
      region_at(board, static_cast<double>(mouse.x - at.x), static_cast<double>(mouse.y - at.y));
  if (region == nullptr || region->help.empty()) return;
  const auto place = [&](double x, double y) {
    return ImVec2(at.x + static_cast<float>(x), at.y + static_cast<float>(y));
  };
  if (begin_tooltip(place(region->rect.x, region->rect.y),
                    place(region->rect.right(), region->rect.bottom()))) {
    wrapped_text(region->help, std::min(ImGui::GetFontSize() * 24, ImGui::GetIO().DisplaySize.x * 0.9F));
    ImGui::EndTooltip();
  }
}

bool draw_shape_checks(Ui& ui, float width) {
  if (!has_layer(ui)) return false;
  const int layer = ui.shown->layer;
  const auto sums = ui.view_cache.row_sums(ui.block, layer);
  const Board board =
      shape_checks(*ui.block, layer, sums.get(), board_style(ui), static_cast<double>(width), ui.tr);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (at.y + static_cast<float>(board.height) > ImGui::GetWindowPos().y + ImGui::GetWindowHeight())
    return false;
  draw_board(ui, board, at);
  anchor("shape checks");
  return true;
}

}  // namespace headscope

#include "app/panels/steps_pages.h"

#include <algorithm>

#include "app/panels/board.h"
#include "app/panels/widgets.h"
#include "core/figure/draw_steps_page.h"
#include "core/figure/shape_strip.h"

namespace headscope {

void draw_steps_page(Ui& ui) {
  ImGui::BeginChild("steps page", {0, 0}, false);
  const BoardStyle style = board_style(ui);
  const Board board =
      steps_page_board(*ui.scene, style, static_cast<double>(ImGui::GetContentRegionAvail().x), ui.tr);
  draw_board(ui, board, ImGui::GetCursorScreenPos());
  anchor("steps page");
  ImGui::EndChild();
}

void draw_shape_strip(Ui& ui) {
  const int layer = ui.shown->layer;
  if (static_cast<std::size_t>(layer) >= ui.block->layers.size()) return;
  const auto sums = ui.view_cache.row_sums(ui.block, layer);
  const BoardStyle style = board_style(ui);
  const Board board = shape_strip(*ui.block, layer, sums.get(), style,
                                  static_cast<double>(ImGui::GetContentRegionAvail().x), ui.tr);
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

void draw_shape_checks(Ui& ui, float width) {
  const int layer = ui.shown->layer;
  if (static_cast<std::size_t>(layer) >= ui.block->layers.size()) return;
  const auto sums = ui.view_cache.row_sums(ui.block, layer);
  const Board board =
      shape_checks(*ui.block, layer, sums.get(), board_style(ui), static_cast<double>(width), ui.tr);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (at.y + static_cast<float>(board.height) > ImGui::GetWindowPos().y + ImGui::GetWindowHeight()) return;
  draw_board(ui, board, at);
  anchor("shape checks");
}

}  // namespace headscope

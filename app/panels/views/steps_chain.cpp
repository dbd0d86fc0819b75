#include "app/panels/views/steps_chain.h"

#include <algorithm>

#include "app/panels/views/steps_memory.h"
#include "app/panels/widgets/board.h"
#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/widgets.h"
#include "core/figure/boards/steps_board.h"
#include "core/figure/boards/steps_flow.h"

namespace headscope {

namespace {

std::optional<Board> lay_out_chain(const std::vector<ArithmeticStage>& stages, std::size_t present,
                                   BoardStyle style, double width) {
  Board flow = steps_flow(stages, present, style);
  // May be smaller than numbers without pictures, as long as it stays readable; larger if there is space.
  constexpr double smallest = 0.75, largest = 1.25;
  const double fits = 0.99 * width / flow.width;
  if (fits < smallest) return {};
  style.font_size *= std::min(fits, largest);
  return steps_flow(stages, present, style);
}

/// From StepsMemory; laid out again when something has changed.
const std::optional<Board>& chain_of(Ui& ui, const std::vector<ArithmeticStage>& stages, std::size_t present,
                                     float width) {
  StepsMemory& memory = *ui.memory.steps;
  const StepsMemory::ChainKey wanted{present, width, ui.style.font_size, ui.style.theme,
                                     ui.style.regular->Glyphs.Size};
  if (memory.chain_key != wanted) {
    memory.chain = lay_out_chain(stages, present, board_style(ui), static_cast<double>(width));
    memory.chain_key = wanted;
  }
  return memory.chain;
}

}  // namespace

bool draw_steps_chain(Ui& ui, const std::vector<std::string>& steps, int& chosen) {
  constexpr float lines_left = 22;  // below it, for the cards
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.y < lines_left * ui.style.font_size || ui.state.view.page != StepsPage::cell) return false;
  if (ui.scene->trace == nullptr || !has_arithmetic(*ui.scene->block, ui.scene->view.layer)) return false;
  const CellPlace cell = steps_cell(*ui.scene);
  const std::vector<ArithmeticStage>& stages = cell_stages(ui, cell);
  if (stages.size() != steps.size()) return false;
  const std::optional<Board>& laid_out = chain_of(ui, stages, static_cast<std::size_t>(chosen), room.x);
  if (!laid_out) return false;
  const Board& flow = *laid_out;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_board(ui, flow, at);
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < flow.regions.size(); ++i) {
    const Rect& r = flow.regions[i].rect;
    const ImVec2 min(at.x + static_cast<float>(r.x), at.y + static_cast<float>(r.y)),
        max(at.x + static_cast<float>(r.right()), at.y + static_cast<float>(r.bottom()));
    if (ui.ui_anchors) ui.ui_anchors->add(flow.regions[i].name, min, max);
    if (!hovered || mouse.x < min.x || mouse.x >= max.x) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) chosen = static_cast<int>(i);
    if (begin_tooltip(min, max)) {
      ImGui::TextUnformatted((std::to_string(i + 1) + "  " + flow.regions[i].help).c_str());
      ImGui::EndTooltip();
    }
  }
  return true;
}

}  // namespace headscope

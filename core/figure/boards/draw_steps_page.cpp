#include "core/figure/boards/draw_steps_page.h"

#include <algorithm>
#include <cmath>

#include "core/figure/boards/board.h"
#include "core/figure/boards/cost_board.h"
#include "core/figure/boards/steps_board.h"
#include "core/figure/boards/streaming_board.h"

namespace headscope {
Board steps_page_board(const Scene& scene, const BoardStyle& style, double width, const Translator& tr) {
  if (scene.view.page == StepsPage::cost) {
    if (scene.trace == nullptr) return {};
    Board board = cost_board(*scene.trace, *scene.block, style, width, tr);
    const auto section = std::ranges::find(board.regions, cost_section(scene.view.stage), &BoardRegion::name);
    if (section != board.regions.end()) {
      const Rect rect = section->rect;
      board.regions.push_back({rect, present_region, ""});
      board.regions.push_back({rect, result_region, ""});
    }
    return board;
  }
  // A source with maps only has nothing to stream.
  if (static_cast<std::size_t>(scene.view.layer) >= scene.block->layers.size()) return {};
  const CellPlace cell = steps_cell(scene);
  const int blocks = blocks_of_stage(scene.view.stage, streamed_blocks(*scene.block));
  return streaming_board(*scene.block, {cell.layer, cell.head, cell.query}, blocks, style, width, tr);
}

void draw_steps_page(const FigurePen& pen, const Scene& scene, const Rect& area) {
  BoardStyle style = board_style(pen.style, pen.shaper);
  // Smaller text breaks lines differently: there is no formula for the size that fits. A page with spare room
  // gets larger text.
  style.font_size *= 1.35;
  Board board = steps_page_board(scene, style, area.width, pen.tr);
  for (int tries = 0; tries < 60 && board.height > area.height; ++tries) {
    style.font_size *= std::clamp(std::sqrt(area.height / board.height), 0.7, 0.97);
    board = steps_page_board(scene, style, area.width, pen.tr);
  }
  draw_board(pen.canvas, board, area.x, area.y);
}

}  // namespace headscope

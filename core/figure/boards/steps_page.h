#pragma once
#include <optional>
#include <string>

#include "core/base/translate.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_parts.h"
#include "core/source/trace.h"

namespace headscope {

/// A row of the run whose softmax is streamed.
struct StreamedPlace {
  int layer = 0, head = 0, query = 0;
};

/// The row's softmax block by block: the running state after each of the first `blocks` blocks and, after the
/// last one, that the result equals the softmax of the whole row.
Board streaming_board(const BlockTrace& block, const StreamedPlace& place, int blocks,
                      const BoardStyle& style, double width, const Translator& tr);

/// How many blocks the row has.
int streamed_blocks(const BlockTrace& block);

/// The names of its steps, for StepsOptions::stage: the number of blocks shown. Any other name shows all.
std::string streaming_stage(int blocks);
std::optional<int> streaming_blocks(const std::string& stage);
/// The same for a row that has `maximum` of them.
int blocks_of_stage(const std::string& stage, int maximum);
/// Whether there is a stage of that name, of a cell's arithmetic or of a streamed row.
bool is_stage(const std::string& name);

/// The pages of the steps of the arithmetic other than one cell's: cost and streamed softmax. The parts that
/// StepsOptions::stage names are the regions `present_region` and `result_region`; none: all of the page.
inline constexpr const char* present_region = "present part";
inline constexpr const char* result_region = "present result";
Board steps_page_board(const Scene& scene, const BoardStyle& style, double width, const Translator& tr);
/// Draws such a page in `area`, with smaller text if it would not fit.
void draw_steps_page(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope

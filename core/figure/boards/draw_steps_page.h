#pragma once
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_parts.h"

namespace headscope {

/// The pages of the steps of the arithmetic other than one cell's: cost and streamed softmax. The parts that
/// View::stage names are the regions `present_region` and `result_region`; none: all of the page.
inline constexpr const char* present_region = "present part";
inline constexpr const char* result_region = "present result";
Board steps_page_board(const Scene& scene, const BoardStyle& style, double width, const Translator& tr);
/// Draws such a page in `area`, with smaller text if it would not fit.
void draw_steps_page(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope

#pragma once
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_parts.h"

namespace headscope {

/// The pages of the steps of the arithmetic that are not one cell's way: cost and streamed softmax. What of
/// them View::stage is about has the regions `present_region` and `result_region`; none: all of the page.
inline constexpr const char* present_region = "present part";
inline constexpr const char* result_region = "present result";
Board steps_page_board(const Scene& scene, const BoardStyle& style, double width, const Translator& tr);
/// Such a page in `area`, with text that is smaller where it would not have room.
void draw_steps_page(const FigurePen& pen, const Scene& scene, const Rect& area);

}  // namespace headscope

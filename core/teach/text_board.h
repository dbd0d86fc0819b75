#pragma once
#include <functional>
#include <span>
#include <string>

#include "core/figure/boards/board.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// The displayed text of a live number.
using ShowNumber = std::function<std::string(const TextSpan& number)>;

/// A text of a lesson at this width, as screen and handout show it. Lines break at blanks and between Chinese
/// characters, but not before their punctuation; anything that is wider by itself is scaled down. Regions
/// "number" are live numbers, "link" are links, with the target in `help`.
Board text_board(std::span<const TextBlock> blocks, const BoardStyle& style, double width,
                 const ShowNumber& show);
inline Board text_board(const LessonText& text, const BoardStyle& style, double width,
                        const ShowNumber& show) {
  return text_board(text.blocks, style, width, show);
}

}  // namespace headscope

#pragma once
#include <functional>
#include <string>

#include "core/figure/boards/board.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// What a live number is shown as.
using ShowNumber = std::function<std::string(const TextSpan& number)>;

/// A text of a lesson in a room so wide, as screen and handout show it. Lines break at blanks and between
/// Chinese characters, but not before their punctuation; what is wider than the room alone is made smaller.
/// Regions "number" are the live ones, "link" what leads elsewhere, `help` to where.
Board text_board(const LessonText& text, const BoardStyle& style, double width, const ShowNumber& show);

}  // namespace headscope

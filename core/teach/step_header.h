#pragma once
#include "core/teach/lesson.h"
#include "core/teach/text_board.h"

namespace headscope {

/// A step of a lesson, from 0, and the stage of the arithmetic that it shows; no stages: it shows none.
struct LessonPlace {
  int step = 0;
  std::size_t stage = 0, stages = 0;
};

/// What an audience always sees of a lesson's step, on one line: the lesson's title, the step's number and
/// its claim, or its title if it has none. If that is too wide, the lesson's title ends at its colon, then
/// earlier, and then the claim gets smaller. Regions "title" and "claim".
Board step_header(const Lesson& lesson, const LessonPlace& place, const BoardStyle& style, double width,
                  const ShowNumber& show, const Translator& tr);

}  // namespace headscope

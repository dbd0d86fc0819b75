#pragma once
#include "core/teach/lesson.h"
#include "core/teach/text_board.h"

namespace headscope {

/// A step of a lesson and a part of it, from 0.
struct LessonPlace {
  int step = 0, part = 0;
  bool ended = false;  ///< the last step has been left
};

/// What an audience always sees of a lesson's step, on one line: the lesson's title, the step's number, a dot
/// for each of its parts and its claim, or its title if it has none. If that is too wide, the lesson's title
/// ends at its colon, then earlier, and then the claim gets smaller. Regions "title" and "claim". `now`: what
/// is shown of the claim, or nothing of it; nullptr: all.
Board step_header(const Lesson& lesson, const LessonPlace& place, const BoardStyle& style, double width,
                  const ShowNumber& show, const Translator& tr, const LessonText* now = nullptr);

}  // namespace headscope

#pragma once
#include <string>

#include "core/figure/text/text_shaper.h"
#include "core/picture/picture.h"
#include "core/teach/step_header.h"

namespace headscope {

/// What whoever presents a lesson sees and the audience does not: the step with its notes (its text, if it
/// has none), the next one, and the time.
struct PresenterPage {
  const Lesson& lesson;
  LessonPlace place;
  std::string time, since;  ///< "14:05", and how long it has lasted
};

/// The page in pixels; `scale` of type that is otherwise as on a laptop's screen. `show`: the step's live
/// numbers. Those of the next step, which has not been run, are "…".
Picture presenter_page(const PresenterPage& page, int width, int height, double scale, TextShaper& shaper,
                       const ShowNumber& show, const Translator& tr);

}  // namespace headscope

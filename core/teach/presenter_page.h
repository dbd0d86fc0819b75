#pragma once
#include <set>
#include <string>
#include <utility>

#include "core/figure/canvas/canvas.h"
#include "core/figure/text/text_shaper.h"
#include "core/picture/picture.h"
#include "core/teach/step_header.h"

namespace headscope {

/// What whoever presents a lesson sees and the audience does not: the step with its notes (its text, if it
/// has none), its questions with their answers, the next step, and the time.
struct PresenterPage {
  const Lesson& lesson;
  LessonPlace place;
  std::string time, since;                   ///< "14:05", and how long it has lasted
  std::set<std::pair<int, int>> right = {};  ///< question and choice, of those that are
};

/// The page in pixels; `em`: the size of its type, which is smaller only where not all fits, and no smaller
/// than three quarters of it. `show`: the step's live numbers. Those of the next step, which has not been
/// run, are "…".
void draw_presenter_page(Canvas& canvas, const PresenterPage& page, int width, int height, double em,
                         TextShaper& shaper, const ShowNumber& show, const Translator& tr);
Picture presenter_page(const PresenterPage& page, int width, int height, double em, TextShaper& shaper,
                       const ShowNumber& show, const Translator& tr);

}  // namespace headscope

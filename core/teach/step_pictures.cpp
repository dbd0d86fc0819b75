#include "core/teach/step_pictures.h"

#include "core/base/stopped.h"
#include "core/figure/figure.h"
#include "core/teach/handout.h"

namespace headscope {
namespace {

/// What it shows, without its texts and what is to be checked.
LessonStep picture_of(const LessonStep& step) {
  LessonStep shown;
  shown.session = step.session;
  shown.cell = step.cell;
  shown.component = step.component;
  return shown;
}

}  // namespace

StepPictures step_pictures(const Lesson& lesson, const StepPicturesLook& look, Engine& engine,
                           const std::stop_token& stop,
                           const std::function<void(const StepPictures& so_far)>& drawn) {
  constexpr double pixels_per_inch = 50;  // a label of 11 points is as high as a row of small type
  FigureOptions options;
  options.width = look.width / pixels_per_inch;
  options.height = look.height / pixels_per_inch;
  options.dpi = pixels_per_inch;
  options.language = look.language;
  StepPictures pictures(lesson.steps.size());
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    check_stop(stop);
    Lesson one;
    one.steps.push_back(picture_of(lesson.steps[i]));
    try {
      const Handout handout = make_handout(one, "", look.language, engine, false, stop);
      if (const auto& scene = handout.steps.front().figure.scene) {
        Scene shown = *scene;
        shown.view.theme = look.theme;
        pictures[i] = std::make_shared<const Picture>(figure_picture(shown, options));
      }
    } catch (const Error&) {
      // A step whose model or capture is missing has no picture; it says why when it is played.
    }
    drawn(pictures);
  }
  return pictures;
}

}  // namespace headscope

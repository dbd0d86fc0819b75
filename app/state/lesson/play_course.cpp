#include "app/state/lesson/play_course.h"

#include <algorithm>

#include "app/state/app.h"
#include "core/teach/course.h"

namespace headscope {
namespace {

/// The same however the course's list is changed.
std::string name_of(const LessonStep& step) {
  return step.lesson_name + " " + std::to_string(step.lesson_step);
}

}  // namespace

bool plays_course(const LessonPlayer& player) {
  return player.playing() && !player.lesson->parts.empty();
}

void note_course(App& app) {
  const LessonPlayer& player = app.lesson;
  CoursePage& page = app.dialogs.course;
  page.pictures.note_frame(!page.open);
  page.pictures.settle();
  if (!plays_course(player)) {
    page.open = false;
    page.of.clear();
    return;
  }
  if (page.of != player.path) {
    page.of = player.path;
    page.open = page.begins = player.step == 0 && !player.resuming;
    page.step = player.step;
    page.noted = -1;
  }
  page.open = page.open && page.step == player.step;
  page.begins = page.begins && page.open;
  page.step = player.step;
  if (page.open || !player.shown || page.noted == player.step) return;
  page.noted = player.step;
  app.settings.courses[player.path].insert(name_of(player.at()));
}

bool was_shown(const App& app, int step) {
  const auto shown = app.settings.courses.find(app.lesson.path);
  return shown != app.settings.courses.end() &&
         shown->second.contains(name_of(app.lesson.lesson->steps[step]));
}

int next_of_course(const App& app) {
  const int end = all_steps(*app.lesson.lesson).end;
  int step = 0;
  while (step < end && was_shown(app, step)) ++step;
  return step == end ? 0 : step;
}

std::shared_ptr<const StepPictures> pictures_of_course(App& app, const StepPicturesLook& look) {
  const CoursePage::Drawn wanted{app.lesson.lesson, look};
  return app.dialogs.course.pictures.get_partial(
      wanted, [wanted, wake = app.wake](const std::stop_token& stop, WorkProgress& /*progress*/,
                                        Partial<std::shared_ptr<const StepPictures>>& partial) {
        Engine engine;
        return std::make_shared<const StepPictures>(
            step_pictures(*wanted.course, wanted.look, engine, stop, [&](const StepPictures& so_far) {
              partial.show([&] { return std::make_shared<const StepPictures>(so_far); });
              if (wake) wake();
            }));
      });
}

}  // namespace headscope

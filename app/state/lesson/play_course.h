#pragma once
#include <memory>

#include "core/teach/step_pictures.h"

namespace headscope {

struct App;
struct LessonPlayer;

/// Whether a course is played.
bool plays_course(const LessonPlayer& player);
/// Once a frame: opens the page of a course that has just been opened, and notes in the settings which steps
/// have been shown.
void note_course(App& app);
/// Whether a step of the course that is played has been shown, in this or an earlier session.
bool was_shown(const App& app, int step);
/// The first step that has not been, otherwise the first of all.
int next_of_course(const App& app);
/// Their pictures, as far as they are drawn; nullptr: none yet.
std::shared_ptr<const StepPictures> pictures_of_course(App& app, const StepPicturesLook& look);

}  // namespace headscope

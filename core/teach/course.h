#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/teach/lesson.h"

namespace headscope {

/// A lesson by the name that a course has for it. Throws Error if there is none.
using LessonOfCourse = std::function<Lesson(const std::string& name)>;

/// A course is a list of lessons' steps in parts, with minutes: it is played as a lesson made of these steps.
/// core/teach/COURSE.md documents the format. Reads all that can be read; mistakes are at the course's lines,
/// also those of its lessons. Throws Error as read_lesson().
ReadLesson read_course(std::string_view markdown, const std::string& path, const LessonOfCourse& lesson);

/// The steps [first, end) of a part.
struct StepsOfPart {
  int first = 0, end = 0;
};
StepsOfPart all_steps(const Lesson& course);
StepsOfPart steps_of(const Lesson& course, std::size_t part);
/// The part that a step is in. Requires a course.
std::size_t part_of(const Lesson& course, int step);
/// What steps take together.
double minutes_of(const Lesson& course, const StepsOfPart& steps);
/// To be read: whole, or a half of one: "7", "2.5".
std::string minutes_text(double minutes);

}  // namespace headscope

#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/teach/course.h"

namespace headscope {

/// A built-in lesson, or a course.
struct BuiltInLesson {
  std::string name;  ///< its file in assets/lessons, without the extension
  InLanguages<std::string> title;
  bool course = false;
};
/// In the order of the menu, which is that of assets/lessons/contents.txt: courses last.
std::span<const BuiltInLesson> built_in_lessons();
std::vector<std::string> built_in_lesson_names();
bool is_built_in_lesson(std::string_view name);

/// Whether it is a course's file by its extension, or the name of a built-in course.
bool is_course(std::string_view path);
/// Those that a course in a file at that path may name: built-in ones, and files beside it.
LessonOfCourse lessons_beside(const std::string& course);

/// Whether it is a lesson's file by its extension, or the name of a built-in lesson and not a file.
bool is_lesson(const std::string& path);

/// The lesson or the course in a file, or the built-in one of that name. Throws Error as read_lesson_file().
ReadLesson open_lesson(const std::string& path);

}  // namespace headscope

#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/teach/lesson.h"

namespace headscope {

/// A lesson that comes with the program.
struct BuiltInLesson {
  std::string name;  ///< of its file in assets/lessons, without the ending
  InLanguages<std::string> title;
};
/// In the order of the menu, which is that of assets/lessons/contents.txt.
std::span<const BuiltInLesson> built_in_lessons();
std::vector<std::string> built_in_lesson_names();
bool is_built_in_lesson(std::string_view name);

/// Whether it is the file of a lesson by its ending, or the name of one that comes with the program and no
/// file.
bool is_lesson(const std::string& path);

/// The lesson in a file, or the one of that name. Throws Error as read_lesson_file().
ReadLesson open_lesson(const std::string& path);

/// How a lesson is written, LESSON.md: in that language, else in English.
std::string_view lesson_format(Language language);

}  // namespace headscope

#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/teach/lesson.h"

namespace headscope {

/// The lessons that come with the program (assets/lessons), by name, in their order.
std::vector<std::string> built_in_lessons();
bool is_built_in_lesson(std::string_view name);

/// Whether it is the file of a lesson by its ending, or the name of one that comes with the program and no
/// file.
bool is_lesson(const std::string& path);

/// The lesson in a file, or the one of that name. Throws Error as read_lesson_file().
ReadLesson open_lesson(const std::string& path);

}  // namespace headscope

#include "core/teach/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/utf8.h"
#include "core/io/file.h"

namespace headscope {
namespace {

constexpr std::string_view course_ending = ".course.md";

}  // namespace

namespace lessons {
std::string_view find(std::string_view file_name);
}  // namespace lessons

std::span<const BuiltInLesson> built_in_lessons() {
  static const std::vector<BuiltInLesson> list = [] {
    std::vector<BuiltInLesson> all;
    std::string_view names = lessons::find("contents.txt");
    while (!names.empty()) {
      const std::size_t end = std::min(names.find('\n'), names.size());
      const std::string_view file = names.substr(0, end);
      const std::string_view name = file.substr(0, file.find('.'));
      names.remove_prefix(std::min(end + 1, names.size()));
      all.push_back(
          {std::string(name), lesson_title(lessons::find(std::string(file) + ".md")), name != file});
    }
    return all;
  }();
  return list;
}

std::vector<std::string> built_in_lesson_names() {
  std::vector<std::string> names;
  for (const BuiltInLesson& lesson : built_in_lessons()) names.emplace_back(lesson.name);
  return names;
}

bool is_built_in_lesson(std::string_view name) {
  return std::ranges::find(built_in_lessons(), name, &BuiltInLesson::name) != built_in_lessons().end();
}

bool is_lesson(const std::string& path) {
  if (ending(path) == ".md") return true;
  std::error_code ignored;
  return is_built_in_lesson(path) && !std::filesystem::exists(path, ignored);
}

bool is_course(std::string_view path) {
  const auto built_in = std::ranges::find(built_in_lessons(), path, &BuiltInLesson::name);
  return path.ends_with(course_ending) || (built_in != built_in_lessons().end() && built_in->course);
}

LessonOfCourse lessons_beside(const std::string& course) {
  return [folder = std::filesystem::path(course).parent_path()](const std::string& name) {
    if (is_course(name)) throw input_error("{} is a course; expected a lesson", cut_off(printable(name), 60));
    const bool built_in = is_built_in_lesson(name);
    if (!built_in && ending(name) != ".md")
      throw input_error("{} is not a lesson; expected a file (.md) or one of: {}",
                        cut_off(printable(name), 60),
                        fmt::format("{}", fmt::join(built_in_lesson_names(), ", ")));
    const std::string path = built_in ? name : (folder / name).string();
    if (!built_in) readable_size(path);  // do not block on a pipe
    ReadLesson read = open_lesson(path);
    if (!read.mistakes.empty()) throw in_file(read.mistakes.front(), name);
    return std::move(read.lesson);
  };
}

ReadLesson open_lesson(const std::string& path) {
  const bool course = is_course(path);
  if (!is_built_in_lesson(path))
    return course ? read_course(read_file(path, max_lesson_bytes), path, lessons_beside(path))
                  : read_lesson_file(path);
  return course ? read_course(lessons::find(path + std::string(course_ending)), path, lessons_beside(path))
                : read_lesson(lessons::find(path + ".md"), path);
}

}  // namespace headscope

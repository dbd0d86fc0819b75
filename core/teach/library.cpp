#include "core/teach/library.h"

#include <algorithm>
#include <filesystem>

#include "core/io/file.h"

namespace headscope {

namespace lessons {
std::string_view find(std::string_view file_name);
}  // namespace lessons

std::span<const BuiltInLesson> built_in_lessons() {
  static const std::vector<BuiltInLesson> list = [] {
    std::vector<BuiltInLesson> all;
    std::string_view names = lessons::find("contents.txt");
    while (!names.empty()) {
      const std::size_t end = std::min(names.find('\n'), names.size());
      const std::string name(names.substr(0, end));
      names.remove_prefix(std::min(end + 1, names.size()));
      all.push_back({name, lesson_title(lessons::find(name + ".md"))});
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

ReadLesson open_lesson(const std::string& path) {
  return is_built_in_lesson(path) ? read_lesson(lessons::find(path + ".md"), path) : read_lesson_file(path);
}

}  // namespace headscope

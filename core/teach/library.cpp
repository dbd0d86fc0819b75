#include "core/teach/library.h"

#include <algorithm>
#include <filesystem>

#include "core/io/file.h"

namespace headscope {

namespace lessons {
std::string_view find(std::string_view file_name);
std::string_view names();
}  // namespace lessons

namespace {

std::string_view text_of(std::string_view name) {
  return lessons::find(std::string(name) + ".md");
}

}  // namespace

std::vector<std::string> built_in_lessons() {
  std::vector<std::string> list;
  for (std::string_view left = lessons::names(); !left.empty(); left.remove_prefix(left.find('\n') + 1))
    list.emplace_back(left.substr(0, left.find(".md\n")));
  return list;
}

bool is_built_in_lesson(std::string_view name) {
  return !text_of(name).empty();
}

bool is_lesson(const std::string& path) {
  if (ending(path) == ".md") return true;
  std::error_code ignored;
  return is_built_in_lesson(path) && !std::filesystem::exists(path, ignored);
}

ReadLesson open_lesson(const std::string& path) {
  return ending(path) != ".md" && is_built_in_lesson(path) ? read_lesson(text_of(path), path)
                                                           : read_lesson_file(path);
}

}  // namespace headscope

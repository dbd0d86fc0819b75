#include "core/teach/library.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/io/file.h"

namespace headscope {

namespace lessons {
std::string_view find(std::string_view file_name);
}  // namespace lessons

namespace {

constexpr std::array list{
    BuiltInLesson{"why-many-heads", TR("Why many heads")},
    BuiltInLesson{"by-hand", TR("The equation by hand")},
    BuiltInLesson{"shapes", TR("Shapes")},
    BuiltInLesson{"temperature", TR("√d_k and temperature")},
    BuiltInLesson{"masks", TR("Masks")},
    BuiltInLesson{"cross-attention", TR("One sentence asks another")},
    BuiltInLesson{"encoder-decoder", TR("Encoder and decoder, word by word")},
    BuiltInLesson{"what-heads-learn", TR("What heads learn, and what that proves")},
    BuiltInLesson{"long-sentences", TR("Long sentences")},
    BuiltInLesson{"long-texts", TR("Sixty-five thousand tokens")},
    BuiltInLesson{"cost", TR("What it costs")},
};

}  // namespace

std::span<const BuiltInLesson> built_in_lessons() {
  return list;
}

std::vector<std::string> built_in_lesson_names() {
  std::vector<std::string> names;
  for (const BuiltInLesson& lesson : built_in_lessons()) names.emplace_back(lesson.name);
  return names;
}

bool is_built_in_lesson(std::string_view name) {
  return std::ranges::any_of(list, [&](const BuiltInLesson& lesson) { return lesson.name == name; });
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

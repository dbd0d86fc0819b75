// The rules of the house that a compiler cannot see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/core/source_files.h"

namespace headscope {
namespace {

using testing::IsEmpty;

// "file: line" of each line below `folder` that the pattern is found in.
std::vector<std::string> lines_with(const std::string& folder, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (const SourceFile& file : source_files(folder)) {
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);)
      if (std::regex_search(line, expression)) found.push_back(file.name + ": " + line);
  }
  return found;
}

TEST(Architecture, the_core_knows_nothing_of_windows) {
  ASSERT_FALSE(source_files("core").empty());
  EXPECT_THAT(lines_with("core", R"(#\s*include\s*[<"](imgui|GLFW|glfw|GL/|GLES|EGL|epoxy|app/))"),
              IsEmpty());
}

TEST(Architecture, the_core_never_prints_and_never_exits) {
  EXPECT_THAT(
      lines_with(
          "core",
          R"(\b(std::cout|std::cerr|printf|fprintf|puts|fmt::print|_?exit|abort|quick_exit)\s*(\(|<<))"),
      IsEmpty());
}

TEST(Architecture, the_state_of_the_window_is_apart_from_how_it_is_drawn) {
  ASSERT_FALSE(source_files("app/state").empty());
  EXPECT_THAT(lines_with("app/state", R"(#\s*include\s*[<"](imgui|GLFW|GL/|GLES|EGL|epoxy))"), IsEmpty());
  EXPECT_THAT(lines_with("app/state", R"(\bImGui\w*::|\bIm(Vec2|Font|U32)\b)"), IsEmpty());
}

TEST(Architecture, panels_know_neither_opengl_nor_the_windows_system) {
  EXPECT_THAT(lines_with("app/panels", R"(#\s*include\s*[<"](GLFW|GL/|GLES|EGL|epoxy))"), IsEmpty());
  EXPECT_THAT(lines_with("app/cli", R"(#\s*include\s*[<"](imgui|GLFW|GL/|epoxy))"), IsEmpty());
}

TEST(Architecture, headers_that_are_slow_to_read_stay_out_of_headers) {
  std::vector<std::string> found;
  for (const std::string& line :
       lines_with("core", R"(#\s*include\s*<(nlohmann/json\.hpp|CLI/|pango|cairo|unicode/|imgui_internal))"))
    if (line.find(".h: ") != std::string::npos) found.push_back(line);
  EXPECT_THAT(found, IsEmpty());
}

// A folder includes only itself and folders before it.
const std::vector<std::string> core_folders{"base",   "io",       "text",  "inputs", "attention", "model",
                                            "source", "analysis", "scene", "figure", "session",   "teach"};
// The command line and what the window is made of share nothing but the core.
const std::vector<std::string> window_folders{"state", "panels", "gl", "window"};

// "file includes …" for each include of `top` that points to a later folder, or to none of these.
std::vector<std::string> backward_includes(const std::string& top, const std::vector<std::string>& folders) {
  const auto rank = [&](const std::string& path) {
    return std::ranges::find(folders, path.substr(0, path.find('/'))) - folders.begin();
  };
  const std::regex include("#\\s*include\\s*\"" + top + "/([^\"]+)\"");
  std::vector<std::string> found;
  for (const std::string& folder : folders)
    for (const SourceFile& file : source_files(top + "/" + folder)) {
      for (std::sregex_iterator it(file.text.begin(), file.text.end(), include), end; it != end; ++it) {
        const std::string other = (*it)[1];
        if (rank(other) > rank(folder) || rank(other) == std::ssize(folders))
          found.push_back(file.name + " includes " + top + "/" + other);
      }
    }
  return found;
}

TEST(Architecture, folders_of_the_core_depend_one_way) {
  EXPECT_THAT(backward_includes("core", core_folders), IsEmpty());
}

TEST(Architecture, folders_of_the_app_depend_one_way) {
  EXPECT_THAT(backward_includes("app", window_folders), IsEmpty());
  EXPECT_THAT(backward_includes("app", {"cli"}), IsEmpty());
}

}  // namespace
}  // namespace headscope

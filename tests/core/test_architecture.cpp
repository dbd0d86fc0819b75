// The rules of the house that a compiler cannot see.

#include <regex>

#include "tests/support/source_files.h"

namespace headscope::tests {

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

TEST(Architecture, what_no_line_below_a_folder_holds) {
  ASSERT_FALSE(source_files("core").empty());
  const std::string include = R"(#\s*include\s*[<"])";
  const std::pair<const char*, std::string> forbidden[] = {
      // The core knows nothing of windows, never prints and never exits.
      {"core", include + "(imgui|GLFW|glfw|GL/|GLES|EGL|epoxy|app/)"},
      {"core", R"(\b(std::cout|std::cerr|printf|fprintf|puts|fmt::print|_?exit|abort|quick_exit)\s*(\(|<<))"},
      // Panels know neither OpenGL nor the window's system.
      {"app/panels", include + "(GLFW|GL/|GLES|EGL|epoxy|app/gl|app/window)"},
      {"app/cli", include + "(imgui|GLFW|GL/|epoxy|app/panels|app/gl|app/window)"}};
  for (const auto& [folder, pattern] : forbidden) EXPECT_THAT(lines_with(folder, pattern), IsEmpty());
}

TEST(Architecture, headers_that_are_slow_to_read_stay_out_of_headers) {
  EXPECT_THAT(
      lines_with("core", R"(#\s*include\s*<(nlohmann/json\.hpp|CLI/|pango|cairo|unicode/|imgui_internal))"),
      testing::Each(Not(HasSubstr(".h: "))));
}

// A folder includes only itself and folders before it.
constexpr std::array core_folders{"base",   "io",       "text",  "inputs", "attention", "model",
                                  "source", "analysis", "scene", "figure", "session",   "teach"};

// "file includes …" for each include of core that points to a later folder, or to none of these.
std::vector<std::string> backward_includes() {
  const auto rank = [](const std::string& path) {
    return std::ranges::find(core_folders, path.substr(0, path.find('/'))) - core_folders.begin();
  };
  const std::regex include(R"re(#\s*include\s*"core/([^"]+)")re");
  std::vector<std::string> found;
  for (const SourceFile& file : source_files("core")) {
    const std::string name = file.name.substr(std::string("core/").size());
    for (std::sregex_iterator it(file.text.begin(), file.text.end(), include), end; it != end; ++it) {
      const std::string other = (*it)[1];
      if (rank(other) > rank(name) || rank(other) == std::ssize(core_folders))
        found.push_back(file.name + " includes core/" + other);
    }
  }
  return found;
}

TEST(Architecture, folders_of_the_core_depend_one_way) {
  EXPECT_THAT(backward_includes(), IsEmpty());
}

}  // namespace headscope::tests

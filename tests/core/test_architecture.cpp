// Architecture rules that a compiler cannot check.

#include <regex>

#include "tests/support/source_files.h"

namespace headscope::tests {

// "file: line" of each line below `folder` that matches the pattern.
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
  for (const char* folder : {"core", "app/state"}) ASSERT_FALSE(source_files(folder).empty());
  const std::string include = R"(#\s*include\s*[<"])";
  const std::pair<const char*, std::string> forbidden[] = {
      // The core does not depend on windows, never prints and never exits.
      {"core", include + "(imgui|GLFW|glfw|GL/|GLES|EGL|epoxy|app/)"},
      {"core", R"(\b(std::cout|std::cerr|printf|fprintf|puts|fmt::print|_?exit|abort|quick_exit)\s*(\(|<<))"},
      // The state of the window is independent of how it is drawn.
      {"app/state", include + "(imgui|GLFW|GL/|GLES|EGL|epoxy)"},
      {"app/state", R"(\bImGui\w*::|\bIm(Vec2|Font|U32)\b)"},
      // Panels depend neither on OpenGL nor on the window system.
      {"app/panels", include + "(GLFW|GL/|GLES|EGL|epoxy)"},
      {"app/cli", include + "(imgui|GLFW|GL/|epoxy)"}};
  for (const auto& [folder, pattern] : forbidden) EXPECT_THAT(lines_with(folder, pattern), IsEmpty());
}

TEST(Architecture, what_a_view_is_stands_in_its_row) {
  // Others ask for its traits: kinds are named to open a view, not to tell one from another.
  const std::string asks = R"([!=]=\s*ViewKind::|case\s+ViewKind::)";
  for (const char* folder : {"core", "app"}) EXPECT_THAT(lines_with(folder, asks), IsEmpty());
}

TEST(Architecture, what_differs_between_operating_systems_is_in_one_folder) {
  const std::string system =
      R"(#\s*include\s*<(sys/|unistd|fcntl|poll\.h|sched\.h|signal\.h|fnmatch|windows|io\.h))";
  for (const char* folder : {"core", "app/cli", "app/state", "app/panels"})
    EXPECT_THAT(lines_with(folder, system), testing::Each(StartsWith("core/system/")));
  for (const char* folder : {"core", "app"})
    EXPECT_THAT(lines_with(folder, R"(\bgetenv\b)"), testing::Each(StartsWith("core/system/")));
}

TEST(Architecture, what_older_imgui_needs_is_in_one_folder) {
  const std::string older = "app/before_imgui_1_92/", version = "IMGUI_VERSION_NUM";
  EXPECT_THAT(lines_with("app", version), testing::Each(StartsWith(older)));
  EXPECT_THAT(
      lines_with("app", "#\\s*include.*before_imgui_1_92"),
      testing::Each(testing::AnyOf(StartsWith(older), StartsWith("app/panels/widgets/imgui_calls.h: "))));
  for (const char* folder : {"core", "tests"})
    EXPECT_THAT(lines_with(folder, "if " + version),
                testing::Each(StartsWith("tests/ui/imgui_versions.h: ")));
}

TEST(Architecture, headers_that_are_slow_to_read_stay_out_of_headers) {
  EXPECT_THAT(
      lines_with("core", R"(#\s*include\s*<(nlohmann/json\.hpp|CLI/|pango|cairo|unicode/|imgui_internal))"),
      testing::Each(Not(HasSubstr(".h: "))));
}

// A folder includes only itself and preceding folders.
const std::vector<std::string> core_folders{"system", "base",      "io",      "picture", "text",
                                            "inputs", "attention", "model",   "source",  "analysis",
                                            "scene",  "figure",    "session", "teach"};
// The command line and the window share nothing but the core.
const std::vector<std::string> window_folders{"state", "panels", "gl", "window"};

// "file includes …" for each include within `top` that points to a later room, or to none of these. A room is
// a folder of `top`; "." is the files beside them.
std::vector<std::string> backward_includes(const std::string& top, const std::vector<std::string>& rooms) {
  const auto rank = [&](const std::string& path) {
    const std::size_t end = path.find('/');
    return std::ranges::find(rooms, end == std::string::npos ? "." : path.substr(0, end)) - rooms.begin();
  };
  const std::regex include("#\\s*include\\s*\"" + top + "/([^\"]+)\"");
  std::vector<std::string> found;
  for (const SourceFile& file : source_files(top)) {
    const auto own = rank(file.name.substr(top.size() + 1));
    if (own == std::ssize(rooms)) continue;
    for (std::sregex_iterator it(file.text.begin(), file.text.end(), include), end; it != end; ++it) {
      const std::string other = (*it)[1];
      if (other.starts_with("before_imgui_1_92/")) continue;  // replaces files of several folders
      if (rank(other) > own || rank(other) == std::ssize(rooms))
        found.push_back(file.name + " includes " + top + "/" + other);
    }
  }
  return found;
}

TEST(Architecture, folders_of_the_core_depend_one_way) {
  EXPECT_THAT(backward_includes("core", core_folders), IsEmpty());
}

TEST(Architecture, rooms_in_folders_of_the_core_depend_one_way) {
  EXPECT_THAT(backward_includes("core/model",
                                {"rows", "config", "steps", "seeded", "weights", "layer", "run", "effects"}),
              IsEmpty());
  EXPECT_THAT(
      backward_includes("core/source", {".", "maps", "seeded", "model", "capture", "write", "engine"}),
      IsEmpty());
  EXPECT_THAT(backward_includes("core/figure", {"text", "canvas", "boards", ".", "animation"}), IsEmpty());
}

TEST(Architecture, folders_of_the_app_depend_one_way) {
  EXPECT_THAT(backward_includes("app", window_folders), IsEmpty());
  EXPECT_THAT(backward_includes("app", {"cli"}), IsEmpty());
}

TEST(Architecture, rooms_in_folders_of_the_app_depend_one_way) {
  EXPECT_THAT(backward_includes("app/state", {"jobs", "derived", "text", ".", "view", "lesson", "document",
                                              "actions", "frame"}),
              IsEmpty());
  EXPECT_THAT(backward_includes("app/panels", {"widgets", "ui", "map", "views", "sentence", "inputs",
                                               "dialogs", "lesson", "shell"}),
              IsEmpty());
}

}  // namespace headscope::tests

// What scripts/build and scripts/setup print, with other programs in place of those that they call.

#include <sys/wait.h>

#include <fstream>

#include "tests/cli/cli_fixture.h"

namespace headscope::tests {
namespace {

class Scripts : public CliTest {
 protected:
  struct Ended {
    int status = -1;
    std::string out;
  };
  Scripts() { fs::create_directory("bin"); }
  /// A program that scripts find before the machine's own.
  static void program(const std::string& name, const std::string& lines) {
    const std::string path = "bin/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << lines;
    fs::permissions(path, fs::perms::owner_all);
  }
  /// Runs a line of the shell; `out` has both standard output and error.
  static Ended shell(const std::string& line, const std::string& path) {
    const int status = std::system(("{ PATH=" + path + " " + line + "; } > out 2>&1").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file("out")};
  }
  static Ended script(const std::string& line, const std::string& path = "$PWD/bin:$PATH") {
    return shell(SOURCE_DIR "/scripts/" + line, path);
  }
  /// CMake's `configure` and `build` as lines of the shell.
  static void cmake(const std::string& configure, const std::string& build) {
    program("cmake", "case $1 in\n--preset) " + configure + " ;;\n--build) " + build + " ;;\nesac\n");
  }
  /// A clock that goes on by so many seconds whenever somebody looks.
  void clock(int seconds) {
    program("date",
            fmt::format(
                "cd {}; time=$(cat clock 2>/dev/null || echo 0); echo $time; echo $((time + {})) >clock\n",
                folder.path.string(), seconds));
  }
  /// A system without apt-get, which has only these programs and modules of these versions.
  static void other_system(const std::string& cmake, const std::string& imgui) {
    for (const char* tool : {"bash", "sed", "sort", "fold"})
      fs::create_symlink(std::string("/usr/bin/") + tool, std::string("bin/") + tool);
    program("cmake", "echo cmake version " + cmake + "\n");
    program("ninja", "");
    program("clang++",
            "[ $1 = --version ] && echo clang version 14.0.6 || echo '#define _GLIBCXX_RELEASE 12'\n");
    program("pkg-config",
            "case $* in *--modversion*imgui) echo " + imgui + " ;; *--modversion*) echo 3.4.1 ;; esac\n");
  }
};

TEST_F(Scripts, a_configuration_that_fails_ends_the_build_with_its_error_last) {
  cmake("echo -- Found clang; echo CMake Error: no Eigen >&2; exit 1", "echo built");
  const Ended ended = script("build test headscope");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "CMake Error: no Eigen\n");
}

TEST_F(Scripts, a_build_that_fails_says_what_failed_and_no_more) {
  cmake("true", R"(cat <<'END'
[1/4] Building a.o
a.cpp:1: warning: w
FAILED: b.o
clang++ -c b.cpp
b.cpp:2: error: e
  1 | here
[2/4] Building c.o
c.cpp:3: warning: w
ninja: build stopped: subcommand failed.
END
exit 1)");
  const Ended ended = script("build test headscope");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "FAILED: b.o\nb.cpp:2: error: e\n  1 | here\n");
}

TEST_F(Scripts, a_build_that_fails_in_another_way_says_all_that_it_said) {
  cmake("true", "echo ninja: fatal: out of memory; exit 1");
  const Ended ended = script("build test headscope");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "ninja: fatal: out of memory\n");
}

TEST_F(Scripts, a_build_says_how_far_it_is_and_how_long_it_takes) {
  clock(100);
  cmake("true", R"(printf '[%d/103] Building a.o\n' 31 32 60 103)");
  const Ended ended = script("build test headscope");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out,
            "building: 31 of 103, about 4 minutes\nbuilding: 32 of 103, about 7 minutes\n"
            "building: 60 of 103, about 4 minutes\nbuilding: 103 of 103\n");
}

TEST_F(Scripts, a_pipe_gets_a_line_every_half_minute) {
  clock(10);
  cmake("true", R"(printf '[%d/8] Building a.o\n' 1 2 3 4 5 6 7 8)");
  EXPECT_EQ(script("build test headscope").out,
            "building: 1 of 8, about a minute\nbuilding: 4 of 8, less than a minute\nbuilding: 7 of 8, less "
            "than a minute\n");
}

TEST_F(Scripts, a_terminal_has_one_line_that_is_gone_at_the_end) {
  clock(2);
  cmake("true", R"(printf '[%d/3] Building a.o\n' 1 2 3)");
  const Ended ended =
      shell("script -qec '" SOURCE_DIR "/scripts/build test headscope' typed", "$PWD/bin:$PATH");
  EXPECT_THAT(ended.out, HasSubstr("\rbuilding: 1 of 3\033[K\rbuilding: 2 of 3\033[K"));
  EXPECT_TRUE(ended.out.ends_with("\r\033[K")) << ended.out;
}

TEST_F(Scripts, a_build_with_nothing_to_do_says_nothing) {
  clock(0);
  cmake("echo -- Found clang", "echo '[1/1] commit'");
  const Ended ended = script("build test headscope");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "");
}

TEST_F(Scripts, versions_that_are_too_old_are_named_with_what_is_expected) {
  other_system("3.18.4", "1.85");
  const Ended ended = script("setup run", "$PWD/bin");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(
      ended.out,
      "setup: CMake is 3.18.4; expected 3.21 or newer\nsetup: Dear ImGui is 1.85; expected 1.86 or newer\n");
}

TEST_F(Scripts, versions_that_are_new_enough_are_not_mentioned) {
  other_system("3.21", "1.92.2b");
  const Ended ended = script("setup run", "$PWD/bin");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "");
}

TEST_F(Scripts, versions_that_nobody_tried_are_mentioned) {
  other_system("4.3.4", "1.93.1");
  const Ended ended = script("setup run", "$PWD/bin");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "setup: Dear ImGui is 1.93.1; expected 1.86 to 1.92, which were tried; going on\n");
}

}  // namespace
}  // namespace headscope::tests

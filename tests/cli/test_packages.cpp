// What a package needs of the program.

#include <sys/wait.h>

#include <fstream>
#include <regex>

#include "tests/cli/cli_fixture.h"

namespace headscope::tests {
namespace {

/// What a process printed, and its exit status.
struct Done {
  int status = 0;
  std::string out, err;
};

class Packages : public CliTest {
 protected:
  /// Runs a line of the shell in the folder.
  static Done shell(const std::string& line) {
    const int status = std::system(("(" + line + ") > out 2> err").c_str());
    Done done{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file("out"), read_file("err")};
    fs::remove("out");
    fs::remove("err");
    return done;
  }
  /// Runs the program on a machine that has no font.
  static Done without_fonts(const std::string& line) {
    std::ofstream("fonts.conf")
        << "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>"
           "<cachedir>none</cachedir></fontconfig>";
    return shell("LC_ALL=C.UTF-8 FONTCONFIG_FILE=$PWD/fonts.conf " HEADSCOPE_BINARY " " + line);
  }
};

TEST_F(Packages, the_program_holds_no_path_of_the_machine_that_built_it) {
  const std::string program = read_file(HEADSCOPE_BINARY);
  ASSERT_GT(program.size(), 1000000U);
  if (program.find(".debug_info") != std::string::npos)
    GTEST_SKIP() << "a build for debugging names its sources";
  EXPECT_EQ(program.find(SOURCE_DIR "/"), std::string::npos);
}

TEST_F(Packages, the_version_names_the_libraries_that_the_program_runs_with) {
  const std::string version = shell(HEADSCOPE_BINARY " --version").out;
  const std::regex first(R"(headscope [0-9.]+( \([0-9a-f]+\+?\))?)");
  EXPECT_TRUE(std::regex_match(version.substr(0, version.find('\n')), first)) << version;
  for (const char* library : {"Cairo", "ICU", "Pango", "zlib"})
    EXPECT_THAT(version, HasSubstr(std::string("\n  ") + library + " "));
}

TEST_F(Packages, shells_complete_every_option_of_the_help) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    SCOPED_TRACE(name);
    const CliResult script = run({"--completion", name});
    EXPECT_EQ(script.status, 0) << script.err;
    for (const Arguments& command : {Arguments{"export"}, {"tensors"}, {"bench"}, {}}) {
      std::istringstream help(run(command + Arguments{"--help"}).out);
      for (std::string line; std::getline(help, line);) {
        const std::size_t at = line.find("--");
        if (!line.starts_with("  -") || at == std::string::npos) continue;
        std::string option = line.substr(at, line.find_first_of(" ,", at) - at);
        if (std::string_view(name) == "fish") option = "-l " + option.substr(2);
        EXPECT_THAT(script.out, HasSubstr(option));
      }
    }
  }
  expect_refused({"--completion", "tcsh"}, "--completion is tcsh; expected bash, zsh or fish");
}

TEST_F(Packages, bash_completes_subcommands_options_and_values) {
  std::ofstream("completion") << run({"--completion", "bash"}).out;
  const auto completed = [](const std::string& words, int at) {
    return shell("bash -c 'source ./completion; COMP_WORDS=(" + words +
                 "); COMP_CWORD=" + std::to_string(at) + "; _headscope; echo ${COMPREPLY[*]}'")
        .out;
  };
  EXPECT_EQ(completed("headscope exp", 1), "export\n");
  EXPECT_EQ(completed("headscope export --dp", 2), "--dpi\n");
  EXPECT_EQ(completed("headscope tensors --dp", 2), "\n");
  EXPECT_EQ(completed("headscope export --theme d", 3), "dark\n");
  EXPECT_EQ(completed("headscope export --mask-fill -i", 3), "-inf\n");
}

TEST_F(Packages, a_session_may_end_in_what_file_managers_open_with_the_program) {
  std::ofstream("s.headscope") << R"({"version": 1, "sentence": "a b", "heads": 2, "d_model": 8})";
  expect_done({"export", "-o", "f.png", "s.headscope"});
  EXPECT_EQ(session_of({"s.headscope"}).inputs.sentence, "a b");
}

TEST_F(Packages, software_centres_and_menus_can_read_what_it_says_of_itself) {
  const std::string id = SOURCE_DIR "/assets/io.github.headscope.Headscope";
  const Done metainfo = shell("appstreamcli validate --no-net " + id + ".metainfo.xml");
  if (metainfo.status == 127) GTEST_SKIP() << "appstreamcli is not installed";
  EXPECT_EQ(metainfo.status, 0) << metainfo.out << metainfo.err;
  const Done entry = shell("desktop-file-validate " + id + ".desktop");
  EXPECT_EQ(entry.status, 0) << entry.out << entry.err;
}

TEST_F(Packages, without_any_font_the_programs_own_draws_latin_letters) {
  const Done done =
      without_fonts("export -o f.png --heads 2 --d-model 8 --sentence 'the naïve café −1 → Ω Ж'");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.err, "");
  EXPECT_TRUE(fs::exists("f.png"));
}

TEST_F(Packages, without_a_font_for_its_letters_no_figure_is_written) {
  for (const char* file : {"f.png", "f.pdf"}) {
    const Done done = without_fonts("export --heads 2 --d-model 8 --sentence 猫坐 -o " + std::string(file));
    EXPECT_EQ(done.status, 1);
    EXPECT_EQ(
        done.err,
        "headscope: no font on this machine has 坐猫; install one that does (for Chinese: fonts-noto-cjk)\n");
    EXPECT_FALSE(fs::exists(file));
  }
  EXPECT_EQ(without_fonts("export -o f.gif --heads 2 --d-model 8 --sentence 猫坐 --sweep seed=1:2:2").status,
            1);
  EXPECT_EQ(without_fonts("export -o f.pdf --lesson masks --language zh").status, 1);
}

TEST_F(Packages, an_svg_is_written_with_a_note_as_its_reader_may_have_the_font) {
  const Done done = without_fonts("export --heads 2 --d-model 8 --sentence 猫坐 -o f.svg");
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.err, HasSubstr("No font on this machine has 坐猫: boxes are drawn in their place"));
  EXPECT_TRUE(fs::exists("f.svg"));
}

}  // namespace
}  // namespace headscope::tests

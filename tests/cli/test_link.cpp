#include "core/session/session_link.h"
#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

using CliLink = CliTest;
const std::string page = "https://example.org/headscope.html";

TEST_F(CliLink, is_printed_and_opens_the_session_again) {
  const CliResult result =
      run({"link", "--address", page, "--sentence", "猫 sat", "--view", "lines", "--heads", "4"});
  EXPECT_EQ(result.status, 0) << result.err;
  ASSERT_THAT(result.out, StartsWith(page + "#s="));
  const std::string link = result.out.substr(0, result.out.size() - 1);
  EXPECT_EQ(session_in_link(link).inputs.sentence, "猫 sat");
  EXPECT_EQ(session_in_link(link).view.kind, ViewKind::lines);
  const CliResult window = run({link});
  ASSERT_TRUE(window.window) << window.err;
  EXPECT_EQ(window.window->file, link);
  EXPECT_EQ(session_of({link, "--seed", "7"}).inputs.sentence, "猫 sat") << "with options it is a session";
  EXPECT_THAT(run({"info", link}).out, HasSubstr("4"));
  expect_done({"export", "--session", link, "-o", "f.png"});
  EXPECT_THAT(run({"link", "--heads", "4"}).out, StartsWith("#s="));
}

TEST_F(CliLink, is_written_as_a_code) {
  for (const char* file : {"code.svg", "code.png"}) {
    const CliResult result = run({"link", "--address", page, "-o", file});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith(page));
    EXPECT_GT(fs::file_size(file), 100U);
  }
  expect_refused({"link", "--address", page, "-o", "code.pdf"}, "code.pdf ends in .pdf; expected .svg");
  expect_refused({"link", "-o", "code.svg"}, "--address is missing");
}

TEST_F(CliLink, is_refused_with_a_reason) {
  expect_refused({"link", "--address", "example.org"},
                 "the address of the page is example.org; expected one such as");
  fs::create_directory("gpt2");
  std::ofstream("mask.npy") << npy_bytes("|b1", "(1, 1)", std::string(1, '\0'));
  expect_refused({"link", "--mask", "file:mask.npy"}, "the session needs \"mask.npy\"");
  for (const Arguments& line : {Arguments{page + "#s=broken"}, {"info", page + "#s=broken"}})
    expect_refused(line, "the link is damaged");
  const std::string lesson = link_from_json(
      R"({"path":"","session":{"version":1},"lesson":{"path":"masks","step":1,"located":{}}})");
  EXPECT_TRUE(run({lesson}).window) << "the window plays it";
  expect_refused({"info", lesson}, "the link leads to a step of a lesson");
  expect_refused({lesson, "--heads", "4"}, "the link leads to a step of a lesson");
}

}  // namespace headscope::tests

#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

using CliHandout = CliTest;

TEST_F(CliHandout, is_written_as_pages_and_as_html) {
  expect_done({"export", "--lesson", "by-hand", "--language", "zh", "-o", "handout.pdf"});
  expect_done({"export", "--lesson", "masks", "--paper", "letter", "-o", "handout.html"});
  expect_done({"export", "--lesson", "masks", "--no-answers", "-o", "questions.html"});
  EXPECT_THAT(read_file("handout.html"), HasSubstr("<h2>Answers</h2>"));
  EXPECT_THAT(read_file("questions.html"), Not(HasSubstr("<h2>Answers</h2>")));
  std::ofstream("own.md") << "# Own\n\n## One\n\n### English\n\nIt has {heads} heads.\n";
  expect_done({"export", "--lesson", "own.md", "-o", "own.html"});
  EXPECT_TRUE(read_file("handout.pdf").starts_with("%PDF-"));
  expect_done({"export", "--lesson", "own.md", "-o", "own.webp"});
  const std::string animation = read_file("own.webp");
  EXPECT_EQ(animation.substr(8, 8), "WEBPVP8X");
  std::size_t frames = 0;
  for (std::size_t at = animation.find("ANMF"); at != std::string::npos; at = animation.find("ANMF", at + 1))
    ++frames;
  EXPECT_EQ(frames, 2U) << "the view and its text";
  EXPECT_THAT(read_file("handout.html"), HasSubstr("<h1>Masks: causal, padding"));
  EXPECT_THAT(read_file("own.html"), HasSubstr("It has 8 heads."));
}

TEST_F(CliHandout, is_refused_with_a_reason) {
  const Arguments lesson{"export", "--lesson", "masks"};
  expect_refused(lesson, "-o is missing; expected a file such as handout.pdf");
  expect_refused(lesson + Arguments{"-o", "a.png"}, "a.png ends in .png; expected .pdf, .html");
  expect_refused(lesson + Arguments{"-o", "a.pdf", "--heads", "2"},
                 "--lesson and --heads are both given; expected one of them");
  expect_refused(lesson + Arguments{"-o", "a.pdf", "--paper", "a5"},
                 "--paper is \"a5\"; expected one of: a4, letter");
  expect_refused(lesson + Arguments{"-o", "none/a.pdf"}, "its folder does not exist", 1);
  expect_refused(lesson + Arguments{"-o", "/dev/full"}, "the disk is full", 1);
  expect_refused(
      {"export", "--lesson", "maths", "-o", "a.pdf"},
      "--lesson is \"maths\"; expected a file such as lesson.md, or one of: why-many-heads, tutorials");
  expect_refused({"export", "--lesson", "none.md", "-o", "a.pdf"}, "none.md does not exist");
  expect_refused({"export", "--paper", "a4", "-o", "a.pdf"},
                 "--paper is given without a lesson; expected --lesson");
  expect_refused({"export", "-o", "a.html"}, "a.html ends in .html; expected .png, .svg, .pdf");
  std::ofstream("wrong.md") << "# Own\n\n## One\n\n### English\n\n{head}\n";
  expect_refused({"export", "--lesson", "wrong.md", "-o", "a.pdf"}, "wrong.md: line 7: ");
  std::ofstream("formula.md") << "# Own\n\n## One\n\n### English\n\nIt is $\\foo{$.\n";
  expect_refused({"export", "--lesson", "formula.md", "-o", "a.pdf"}, "formula.md: line 7: ");
  EXPECT_THAT(run({"info", "formula.md"}).err, HasSubstr("formula.md: line 7: "));
  std::ofstream("value.md") << "# Own\n\n## One\n\n### English\n\n{1/0}\n";
  expect_refused({"export", "--lesson", "value.md", "-o", "a.pdf"},
                 "value.md: line 7: 1/0 has no value here");
  std::ofstream("place.md") << "# Own\n\n## One\n\n### English\n\n{weight(99, 0)}\n";
  expect_refused({"export", "--lesson", "place.md", "-o", "a.pdf"}, "place.md: line 7: ");
}

TEST_F(CliHandout, is_refused_where_info_refuses_the_lesson_with_the_same_line) {
  const std::string head = "# Own\n\n## One\n\n```state\n{\"sentence\": \"a b\", \"heads\": 4, ";
  const std::pair<const char*, const char*> cases[] = {
      {"\"cell\": {\"head\": 9, \"query\": 0, \"key\": 0}}\n```\n",
       "line 5: cell.head is 9; expected 0 to 3"},
      {"\"view\": {\"layer\": 9}}\n```\n", "line 5: view.layer is 9; expected 0"},
      {"\"model\": \"gone\"}\n```\n", "line 5: "},
      {"\"seed\": 1}\n```\n```claims\nkeys = 3\n```\n", "line 9: keys = 3 does not hold"},
      {"\"seed\": 1}\n```\n```question\nen: a\ncheck: keys = 3\nsolution: {\"seed\": 2}\n```\n",
       "line 11: the solution does not make"},
  };
  for (const auto& [state, line] : cases) {
    std::ofstream("own.md") << head << state;
    const std::string reported = run({"info", "own.md"}).err;
    EXPECT_THAT(reported, HasSubstr(line));
    expect_refused({"export", "--lesson", "own.md", "-o", "a.pdf"}, reported);
    EXPECT_THAT(run({"info", "own.md", "--language", "zh"}).err, HasSubstr("own.md：第 "));
  }
}

}  // namespace headscope::tests

#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

using CliMark = CliTest;

TEST_F(CliMark, writes_a_table_and_sums_up_by_question) {
  std::ofstream("own.md") << "# T\n## S\n### English\nt\n```question\nen: Cool it.\ncheck: temperature < 1\n"
                             "solution: {\"temperature\": 0.5}\n```\n"
                             "```question\nen: Heads?\nnumber: heads ± 0\n```\n";
  fs::create_directory("in");
  Session session;
  session.answers = {LessonAnswer{"own.md", 0, 1, {}, 8}};
  save_session("in/ann.json", session);
  session.answers = {LessonAnswer{"own.md", 0, 1, {}, 7}};
  save_session("in/bob.json", session);
  std::ofstream("in/broken.json") << "{";
  const CliResult result = run({"mark", "own.md", "in", "-o", "marks.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Step 1, question 1 (Cool it.): 0 right of 0 answered, 2 sessions\n"
                                    "Step 1, question 2 (Heads?): 1 right of 2 answered, 2 sessions\n"
                                    "1 file could not be read"));
  EXPECT_THAT(read_file("marks.csv"), HasSubstr("ann.json,1,2,Heads?,8,yes,1,\n"));
  EXPECT_THAT(read_file("marks.csv"), HasSubstr("bob.json,1,2,Heads?,7,no,1,\n"));
  EXPECT_THAT(run({"mark", "own.md", "in"}).out, HasSubstr("bob.json,1,2,Heads?,7,no,1,\n"));
}

TEST_F(CliMark, titles_have_their_numbers_and_answers_are_of_the_kind_asked_for) {
  std::ofstream("own.md") << "# T\n## S\n### English\nt\n"
                             "```question\nen: Of {heads} heads?\n- [x] right\n- [ ] wrong\n```\n";
  fs::create_directory("in");
  Session session;
  session.answers = {LessonAnswer{"own.md", 0, 0, {0}, 77}};
  save_session("in/ann.json", session);
  const CliResult result = run({"mark", "own.md", "in"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ann.json,1,1,Of 8 heads?,1,yes,1,\n"));
}

TEST_F(CliMark, is_refused_with_a_reason) {
  expect_refused({"mark", "masks"}, "there is no folder of sessions; expected mark LESSON FOLDER");
  expect_refused({"mark", "masks", "none"}, "none: cannot be read", 1);
  expect_refused({"mark", "figure.png", "."}, "figure.png is not a lesson; expected a file (.md) or a name");
  expect_refused({"mark", "masks", ".", "-o", "a.png"}, "a.png ends in .png; expected .csv");
  fs::create_directory("empty");
  expect_refused({"mark", "masks", "empty"}, "empty has no session");
}

}  // namespace headscope::tests

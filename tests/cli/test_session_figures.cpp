#include "core/figure/figure.h"
#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

class SessionFigures : public CliTest {};

TEST_F(SessionFigures, a_session_whose_mask_names_tokens_that_are_not_there_is_refused_by_name) {
  Session session;
  session.inputs.sentence = "a b c";
  session.compare = session.inputs;
  session.compare->mask = {parse_mask_part("painted:0:1,7:0-3;head=9,0:0")};
  session.view.kind = ViewKind::compare;
  save_session("compare.json", session);
  session.inputs.mask = {parse_mask_part("padding:2,9")};
  save_session("s.json", session);
  const std::string reported = "s.json: the mask \"padding:2,9\" names token 9; there are only 3 tokens";
  for (const char* target : {"o.svg", "o.png", "o.pdf"})
    expect_refused({"export", "s.json", "-o", target}, reported);
  expect_refused({"tensors", "s.json", "-o", "o.npz"}, reported);
  expect_refused({"heads", "s.json", "-o", "o.csv"}, reported);
  expect_refused({"info", "s.json"}, reported);
  expect_refused({"export", "compare.json", "-o", "o.svg"}, "B: compare.json: the painted mask has cell 7:3");
  expect_refused({"heads", "s.json", "-o", "o.csv", "--mask", "padding:9"}, "names token 9");
  EXPECT_EQ(run({"heads", "s.json", "-o", "o.csv", "--mask", "none"}).status, 0);
  EXPECT_EQ(run({"heads", "s.json", "-o", "o.csv", "--sentence", "a b c d e f g h i j"}).status, 0);
  EXPECT_TRUE(run({"s.json", "--theme", "dark"}).window) << "where it can be mended";
}

TEST_F(SessionFigures, a_figure_has_the_title_that_is_requested) {
  const auto text_of = [&](const Arguments& options) {
    EXPECT_EQ(run(Arguments{"export", "-o", "o.svg", "--language", "en"} + options).status, 0);
    return read_file("o.svg");
  };
  EXPECT_THAT(text_of({}), HasSubstr(">Attention of 8 heads<"));
  EXPECT_THAT(text_of({"--title", "Mine"}), HasSubstr(">Mine<"));
  EXPECT_THAT(text_of({"--title", ""}), Not(HasSubstr("Attention of 8 heads")));
}

}  // namespace headscope::tests

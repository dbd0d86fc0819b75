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

TEST_F(SessionFigures, a_cell_is_marked_in_every_view_or_refused) {
  expect_refused({"export", "-o", "o.svg", "--view", "table", "--query", "1"},
                 "--query is given with the view");
  for (const char* view : {"grid", "head", "lines", "layers"}) {
    SCOPED_TRACE(view);
    const auto svg = [&](const Arguments& cell) {
      EXPECT_EQ(run(Arguments{"export", "-o", "o.svg", "--no-session", "--view", view} + cell).status, 0);
      return read_file("o.svg");
    };
    EXPECT_NE(svg({}), svg({"--query", "2", "--key", "3"}));
  }
}

TEST_F(SessionFigures, a_cell_that_is_marked_is_not_said_to_have_no_effect) {
  for (const char* view : {"layers", "steps"}) {
    const auto done =
        run({"export", "-o", "o.svg", "--view", view, "--head", "1", "--query", "2", "--key", "3"});
    EXPECT_EQ(done.status, 0);
    EXPECT_THAT(done.err, Not(HasSubstr("no effect"))) << view;
  }
  EXPECT_THAT(run({"export", "-o", "o.svg", "--view", "layers", "--head", "1"}).err,
              HasSubstr("--head has no effect"));
  expect_refused({"export", "-o", "o.gif", "--sweep", "temperature=1:2:2", "--view", "table", "--key", "1"},
                 "--key is given with the view");
}

TEST_F(SessionFigures, marks_of_the_session_are_in_every_format_unless_left_out) {
  Session session;
  session.marks = {{MarkKind::box, TokenRange{1, 2}, {}, {}, {}, "look here"}};
  save_session("s.json", session);
  const auto file_of = [&](const std::string& name, const Arguments& options) {
    EXPECT_EQ(run(Arguments{"export", "s.json", "--no-session", "-o", name} + options).status, 0);
    return read_file(name);
  };
  EXPECT_THAT(file_of("o.svg", {}), HasSubstr(">look here<"));
  EXPECT_THAT(file_of("o.svg", {"--no-marks"}), Not(HasSubstr("look here")));
  for (const char* name : {"o.png", "o.pdf"})
    EXPECT_NE(file_of(name, {}), file_of(name, {"--no-marks"})) << name;
  expect_done({"export", "s.json", "-o", "o.svg"});
  expect_done({"export", "o.svg", "-o", "again.svg"});
  EXPECT_EQ(read_file("again.svg"), read_file("o.svg")) << "the figure's session has them";
}

TEST_F(SessionFigures, a_font_is_one_that_is_installed) {
  expect_refused({"export", "-o", "o.svg", "--font", "No Such Family"},
                 "--font is \"No Such Family\"; expected");
  expect_done({"export", "-o", "o.svg", "--language", "en", "--font", "DejaVu Sans"});
  EXPECT_THAT(read_file("o.svg"), HasSubstr("font-family=\"'DejaVu Sans',"));
}

TEST_F(SessionFigures, an_effect_needs_two_sides_that_predict) {
  expect_refused({"export", "-o", "o.svg", "--effect"}, "--effect is given without two sides");
}

TEST_F(SessionFigures, a_small_map_in_a_pdf_is_no_image) {
  expect_done({"export", "-o", "o.pdf", "--language", "en", "--no-session"});
  EXPECT_THAT(read_file("o.pdf"), Not(HasSubstr("/Subtype /Image")));
}

}  // namespace headscope::tests

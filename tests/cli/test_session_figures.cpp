#include "core/figure/figure.h"
#include "core/io/file.h"
#include "tests/cli/cli_fixture.h"

namespace headscope {
namespace {

class SessionFigures : public CliTest {};

TEST_F(SessionFigures, ASessionWhoseMaskNamesTokensThatAreGoneRunsWithoutThem) {
  Session session;
  session.inputs.sentence = "a b c";
  session.inputs.mask = {parse_mask_part("padding:2,9"), parse_mask_part("painted:0:1,7:0-3;head=9,0:0")};
  session.compare = session.inputs;
  session.view.kind = ViewKind::compare;
  save_session("s.json", session);
  for (const char* command : {"export", "tensors", "heads"}) {
    const std::string target = command == std::string("export")    ? "o.svg"
                               : command == std::string("tensors") ? "o.npz"
                                                                   : "o.csv";
    const CliResult result = run({command, "s.json", "-o", target});
    EXPECT_EQ(result.status, 0) << command << result.err;
    EXPECT_TRUE(result.one_line()) << result.err;
    EXPECT_NE(result.err.find("s.json: the mask \"padding:2,9\" names token 9, but there are only 3 tokens"),
              std::string::npos)
        << result.err;
  }
  EXPECT_EQ(session_from_figure("o.svg"), session) << "the figure keeps what it was given";
  EXPECT_EQ(run({"info", "s.json"}).status, 0);
  EXPECT_TRUE(run({"s.json", "--theme", "dark"}).window) << "and the window opens with it";
  expect_refused({"heads", "s.json", "-o", "p.csv", "--mask", "padding:9"}, "names token 9");
}

TEST_F(SessionFigures, AFigureHasTheTitleThatIsAskedFor) {
  const auto text_of = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"export", "-o", "o.svg", "--language", "en"});
    EXPECT_EQ(run(options).status, 0);
    return read_file("o.svg");
  };
  const auto has = [](const std::string& svg, const char* text) {
    return svg.find(text) != std::string::npos;
  };
  EXPECT_TRUE(has(text_of({}), ">Attention of 8 heads<"));
  EXPECT_TRUE(has(text_of({"--title", "Mine"}), ">Mine<"));
  EXPECT_FALSE(has(text_of({"--title", ""}), "Attention of 8 heads"));
}

}  // namespace
}  // namespace headscope

// That the command line which the window's page copies makes the very same file.

#include <cstdlib>

#include "app/state/document/figure_export.h"
#include "app/state/document/figure_moves.h"
#include "core/figure/figure_size.h"
#include "core/inputs/mask_part.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class ExportCommandTest : public StateFixture {
 protected:
  ExportCommandTest() {
    setenv("LC_ALL", "C", 1);
    app.inputs.sentence = "the cat sat on the mat";
    app.inputs.d_model = 32;
    app.inputs.heads = 4;
    app.state.shown_width = 640;
    app.state.shown_height = 480;
    app.state.shown_text = 13;
    wait_until_idle();
    open_export(app, ExportDialog::What::figure);
  }
  /// A PDF notes when it was written.
  static std::string without_moment(const std::string& file) {
    constexpr std::string_view date = "/CreationDate (D:";
    constexpr std::size_t length = 15;
    std::string without = file;
    if (const std::size_t at = without.find(date); at != std::string::npos)
      without.erase(at + date.size(), length);
    return without;
  }
  ExportDialog& dialog() { return app.dialogs.figure; }
  void choose(const char* size) {
    choose_export_size(dialog(), find_figure_size(size));
    fit_export_size(app, dialog());
  }
  /// Of the window, and then of the command that it copies. Whether that reads a session.
  bool expect_same(const std::string& name) {
    SCOPED_TRACE(name);
    const std::string path = folder.at(name);
    dialog().open = true;
    dialog().path = path;
    fit_export_size(app, dialog());
    start_export(app, dialog());
    wait_until_idle();
    EXPECT_TRUE(fs::exists(path)) << dialog().problem;
    if (!fs::exists(path)) return false;
    const std::string of_window = read_file(path);
    fs::remove(path);
    copy_command(app);
    EXPECT_THAT(clipboard, StartsWith("headscope export "));
    const std::string rest = clipboard.substr(std::string("headscope").size());
    EXPECT_EQ(std::system((std::string(HEADSCOPE_BINARY) + rest + " 2> " + folder.at("err")).c_str()), 0)
        << clipboard << read_file(folder.at("err"));
    EXPECT_TRUE(fs::exists(path) && without_moment(read_file(path)) == without_moment(of_window))
        << clipboard;
    return clipboard.find("--session") != std::string::npos;
  }

  TempFolder folder;
};

TEST_F(ExportCommandTest, options_say_what_a_seeded_layer_is_and_how_it_is_shown) {
  for (const FigureSize& size : figure_sizes()) {
    choose(size.name);
    EXPECT_FALSE(expect_same(std::string(size.name) + ".pdf"));
  }
  choose("column");
  EXPECT_FALSE(expect_same("a.svg"));
  EXPECT_FALSE(expect_same("it's one.png")) << clipboard;
  EXPECT_THAT(clipboard, HasSubstr("--size column"));
  dialog().look = {true, Range::head, Theme::dark};
  dialog().extras.letters = Letters::bold;
  dialog().tight = true;
  dialog().font_size = 7.5;
  dialog().keep_session = false;
  EXPECT_FALSE(expect_same("b.pdf"));
  EXPECT_THAT(clipboard, AllOf(HasSubstr("--auto-title"), HasSubstr("--range head"),
                               HasSubstr("--text-size 7.5pt"), HasSubstr("--no-session")));
  choose_export_size(dialog(), nullptr);
  dialog().width = 120 / 25.4;
  EXPECT_FALSE(expect_same("c.pdf"));
  EXPECT_THAT(clipboard, HasSubstr("--width 120mm"));
  app.inputs.seed = 7;
  app.inputs.temperature = 0.3;
  app.inputs.scale = false;
  app.inputs.mask = {parse_mask_part("causal"), parse_mask_part("window:2")};
  app.inputs.key_sentence = "a dog's \"own\" bone";
  app.state.view.colormap = Colormap::magma;
  app.state.view.range = {Range::fixed, {0.1, 0.5}};
  app.state.view.title = "What it sees";
  wait_until_idle();
  choose("two-columns");
  dialog().look.titled = true;
  EXPECT_FALSE(expect_same("d.pdf"));
  app.state.view.kind = ViewKind::lines;
  app.state.view.head = 2;
  wait_until_idle();
  expect_same("e.svg");
  app.state.view.kind = ViewKind::head;
  wait_until_idle();
  EXPECT_FALSE(expect_same("f.svg"));
}

TEST_F(ExportCommandTest, the_rest_is_in_a_session_beside_the_figure) {
  app.marks = {{MarkKind::box, TokenRange{0, 1}, TokenRange{1, 2}, 0, 0, "here"}};
  app.inputs.mask = {parse_mask_part("painted:0:1-2")};
  wait_until_idle();
  choose("two-columns");
  export_preview(app, dialog(), 40);
  dialog().preview.wait();
  export_preview(app, dialog(), 40);
  for (const FigureHandle& part : std::vector(dialog().findings.handles)) move_part(app, part, 3, 2);
  EXPECT_TRUE(expect_same("moved.pdf"));
  EXPECT_TRUE(fs::exists(folder.at("moved.session.json")));
  app.state.lock = Cell{2, 1, 3};
  frames(2);
  EXPECT_TRUE(expect_same("locked.pdf")) << "the head of a framed cell is the session's";
  for (const ViewKind kind : {ViewKind::head, ViewKind::layers, ViewKind::head_table, ViewKind::lines}) {
    app.state.view.kind = kind;
    wait_until_idle();
    choose("screen");
    EXPECT_TRUE(expect_same(std::string(view_kind(kind).name) + ".pdf"));
  }
}

TEST_F(ExportCommandTest, no_session_of_another_line_is_replaced) {
  app.inputs.mask = {parse_mask_part("painted:0:1-2")};
  app.marks = {{MarkKind::box, TokenRange{0, 1}, TokenRange{1, 2}, 0, 0, "here"}};
  wait_until_idle();
  choose("column");
  EXPECT_TRUE(expect_same("a.pdf"));
  const std::string first = read_file(folder.at("a.session.json"));
  fs::remove(folder.at("a.pdf"));
  EXPECT_TRUE(expect_same("a.pdf"));
  EXPECT_FALSE(fs::exists(folder.at("a.session-2.json"))) << "the same session";
  app.marks.front().text = "there";
  wait_until_idle();
  fs::remove(folder.at("a.pdf"));
  EXPECT_TRUE(expect_same("a.pdf"));
  EXPECT_EQ(read_file(folder.at("a.session.json")), first);
  EXPECT_THAT(clipboard, HasSubstr("a.session-2.json"));
}

TEST_F(ExportCommandTest, colours_and_heads_are_those_of_the_page) {
  choose("column");
  dialog().look.colormap = Colormap::magma;
  EXPECT_FALSE(expect_same("a.pdf"));
  EXPECT_THAT(clipboard, HasSubstr("--colormap magma"));
  dialog().look.hidden = {0, 2};
  expect_same("b.pdf");
  EXPECT_EQ(figure_scene(app, dialog()).heads.size(), 2U);
  EXPECT_EQ(app.scene(app.block()).heads.size(), 4U) << "the window keeps its own";
}

TEST_F(ExportCommandTest, a_trained_model_is_opened_by_its_session) {
  app.inputs.model = SOURCE_DIR "/assets/models/induction";
  app.inputs.sentence = "one red fox ran over my old bridge one red fox";
  app.compare = app.inputs;
  app.compare->ablated_heads = {{BlockKind::self, 0, 1}};
  app.state.view.kind = ViewKind::compare;
  app.state.view.layer = 1;
  wait_until_idle();
  choose("column");
  EXPECT_TRUE(expect_same("compared.pdf"));
  app.state.view.kind = ViewKind::contributions;
  wait_until_idle();
  EXPECT_TRUE(expect_same("contributions.svg"));
}

}  // namespace headscope::tests

#include "app/state/actions/actions.h"
#include "app/state/document/figure_export.h"
#include "app/state/document/figure_moves.h"
#include "app/state/document/undo_steps.h"
#include "core/figure/figure_size.h"
#include "core/io/npy.h"
#include "core/scene/head_table.h"
#include "core/scene/source_title.h"
#include "core/session/session_figure.h"
#include "tests/state/state_fixture.h"
#include "tests/support/file_texts.h"
#include "tests/support/png.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {

using What = ExportDialog::What;

class ExportTest : public StateFixture {
 protected:
  ExportTest() {
    app.inputs.sentence = "secret words of mine";
    app.inputs.heads = 2;
    app.inputs.d_model = 16;
    app.inputs.layers = 2;
    app.state.shown_width = 960;
    app.state.shown_height = 480;
    frames(3);
  }
  ExportDialog& open(What what) {
    open_export(app, what);
    frame();
    return app.dialogs.figure;
  }
  std::string at(const std::string& name) const { return home.at(name); }
  /// Whether it was written; the dialog shows why not.
  bool write(const std::string& name) {
    app.dialogs.figure.path = at(name);
    start_export(app, app.dialogs.figure);
    wait_until_idle();
    return fs::exists(at(name)) && !app.dialogs.figure.open;
  }
  std::shared_ptr<const FigurePreview> preview(double dpi) {
    export_preview(app, app.dialogs.figure, dpi);
    app.dialogs.figure.preview.wait();
    return export_preview(app, app.dialogs.figure, dpi);
  }

  OwnHome home;
};

TEST_F(ExportTest, a_size_brings_its_page_and_resolution) {
  ExportDialog& dialog = open(What::figure);
  const double on_screen = std::round(100 * (5 + 1.7 * 13 / 72)) / 100;  // with the title above it
  const struct {
    const char* size;
    double width, height, dpi;
  } cases[] = {{"notebook", 16, 8, 100},      {"slide", 40.0 / 3, 7.5, 288},
               {"column", 85 / 25.4, 0, 300}, {"two-columns", 178 / 25.4, 0, 300},
               {"poster", 20, 13, 150},       {"screen", 10, on_screen, 300}};
  for (const auto& [size, width, height, dpi] : cases) {
    choose_export_size(dialog, find_figure_size(size));
    fit_export_size(app, app.dialogs.figure);
    EXPECT_EQ(std::pair(dialog.width, dialog.dpi), std::pair(width, dpi));
    const FigureOptions options = export_options(app, dialog);
    EXPECT_NEAR(dialog.height, height > 0 ? height : figure_height(figure_scene(app, dialog), options), 1e-9);
    EXPECT_EQ(options.height.has_value(), height > 0);
    EXPECT_EQ(options.extras.as_on_screen, std::string_view(size) == "screen");
  }
  dialog.dpi = 72;
  fit_export_size(app, app.dialogs.figure);
  choose_export_size(dialog, find_figure_size("screen"));
  EXPECT_EQ(dialog.dpi, 72) << "what somebody typed stays";
  choose_export_size(dialog, nullptr);
  fit_export_size(app, app.dialogs.figure);
  EXPECT_EQ(std::pair(dialog.width, dialog.dpi), std::pair(10.0, 72.0));
  EXPECT_FALSE(export_options(app, dialog).height) << "as high as it needs, until somebody types one";
  dialog.typed_height = 3;
  fit_export_size(app, app.dialogs.figure);
  EXPECT_EQ(export_options(app, dialog).height, 3);
}

TEST_F(ExportTest, each_kind_of_file_has_its_ending_and_keeps_the_one_chosen_last) {
  ExportDialog& dialog = open(What::figure);
  dialog.path = at("a.png");
  choose_what_to_export(app.dialogs.figure, What::arrays);
  EXPECT_EQ(dialog.path, at("a.npz"));
  dialog.ask_overwrite = true;
  choose_what_to_export(app.dialogs.figure, What::heads);
  EXPECT_EQ(dialog.path, at("a.csv"));
  EXPECT_FALSE(dialog.ask_overwrite) << "that was another file";
  ASSERT_TRUE(write("a.json"));
  open(What::arrays);
  ASSERT_TRUE(write("b.safetensors"));
  open(What::heads);
  EXPECT_EQ(dialog.path, at("b.json"));
  open(What::arrays);
  EXPECT_EQ(dialog.path, at("b.safetensors"));
}

TEST_F(ExportTest, menus_open_it_on_their_kind) {
  for (const auto& [id, what] :
       {std::pair{"export arrays", What::arrays}, {"export heads", What::heads}, {"export", What::figure}}) {
    find_action(app, id)->run(app);
    EXPECT_TRUE(app.dialogs.figure.open);
    EXPECT_EQ(app.dialogs.figure.what, what);
  }
}

TEST_F(ExportTest, writes_the_arrays_of_all_layers_or_of_the_one_in_view) {
  open(What::arrays);
  ASSERT_TRUE(write("all.json")) << app.dialogs.figure.problem;
  const auto all = nlohmann::json::parse(read_file(at("all.json")));
  ASSERT_EQ(all["attention"].size(), 2U);
  const auto& maps = *app.block()->maps;
  EXPECT_EQ(all["attention"][1][1][2][3].get<float>(), maps.weight(1, 1, 2, 3));
  EXPECT_TRUE(all.contains("stack_output")) << "the window's own run leaves it out";
  EXPECT_EQ(session_from_json(all["session"].dump(), "x").inputs, app.inputs);
  app.state.view.layer = 1;
  frame();
  open(What::arrays).one_layer = true;
  ASSERT_TRUE(write("one.json"));
  const auto one = nlohmann::json::parse(read_file(at("one.json")));
  EXPECT_EQ(one["attention"], nlohmann::json::array({all["attention"][1]}));
}

TEST_F(ExportTest, writes_the_numbers_of_causes_where_they_are_shown) {
  app.inputs.model = SOURCE_DIR "/assets/models/induction";
  app.inputs.sentence = "one red fox ran over my old bridge one red fox ran over my";
  app.state.view.kind = ViewKind::causes;
  app.state.view.predictions.token = "old";
  wait_until_idle();
  open(What::arrays);
  ASSERT_TRUE(write("causes.json")) << app.dialogs.figure.problem;
  const auto causes = nlohmann::json::parse(read_file(at("causes.json")));
  EXPECT_LT(causes["change"][0][1].get<double>(), -5);
  EXPECT_FALSE(causes.contains("attention"));
  EXPECT_EQ(causes["about"]["question"]["answer"]["token"], "old");
  app.state.view.causes.change = CauseChange::output;
  open(What::arrays);
  EXPECT_FALSE(write("patch.json")) << "there is no B";
  EXPECT_FALSE(std::filesystem::exists(at("patch.json")));
}

TEST_F(ExportTest, writes_the_numbers_of_circuits_where_they_are_shown) {
  app.inputs.model = SOURCE_DIR "/assets/models/induction";
  app.inputs.sentence = "one red fox";
  app.state.view.kind = ViewKind::circuits;
  app.state.view.layer = 1;
  app.state.view.head = 2;
  wait_until_idle();
  open(What::arrays);
  ASSERT_TRUE(write("head.json")) << app.dialogs.figure.problem;
  const auto about = nlohmann::json::parse(read_file(at("head.json")))["about"];
  EXPECT_EQ(about["head"], "1.2");
  EXPECT_EQ(about["token"], "fox") << "the last of the text";
  EXPECT_EQ(about["ov_raises"][0]["token"], "fox");
  app.state.view.circuits.part = CircuitPart::composition;
  open(What::arrays);
  ASSERT_TRUE(write("composition.npz")) << app.dialogs.figure.problem;
  EXPECT_EQ(read_arrays(at("composition.npz")).at("composition").shape, (std::vector<Index>{2, 4, 2, 4}));
}

TEST_F(ExportTest, writes_the_table_of_heads_in_the_order_of_the_view) {
  app.state.view.sort.by = "entropy";
  app.labels = {{1, 0, "mine", {}}};
  open(What::heads);
  ASSERT_TRUE(write("h.csv")) << app.dialogs.figure.problem;
  const auto statistics = block_statistics(*app.block(), {});
  const auto rows = sorted_rows(*app.block(), statistics.get(), app.state.view.sort, app.labels, nullptr);
  EXPECT_EQ(read_file(at("h.csv")),
            with_origin("h.csv", heads_csv(rows, {app.labels, nullptr}), *app.trace()));
  app.state.view.table.groups = 2;
  open(What::heads);
  ASSERT_TRUE(write("g.csv"));
  EXPECT_THAT(read_file(at("g.csv")), StartsWith("layer,head,layer_shown,head_shown,name,group,"));
}

TEST_F(ExportTest, without_the_session_no_file_keeps_the_sentence) {
  ExportDialog& dialog = app.dialogs.figure;
  app.state.view.title = app.inputs.sentence;  // as a user may do
  app.state.view.show_title = false;
  for (const bool keep : {true, false}) {
    dialog.keep_session = keep;
    const std::string name = keep ? "with" : "without";
    for (const char* ending : {".png", ".svg", ".pdf"}) {
      open(What::figure);
      ASSERT_TRUE(write(name + ending)) << dialog.problem;
      EXPECT_EQ(keeps(at(name + ending), app.inputs.sentence), keep) << ending;
    }
    for (const char* ending : {".npz", ".safetensors", ".json"}) {
      open(What::arrays);
      ASSERT_TRUE(write(name + ending)) << dialog.problem;
      EXPECT_EQ(keeps(at(name + ending), app.inputs.sentence), keep) << ending;
    }
  }
  // A drawn title is visible, but not stored in the metadata of a bitmap.
  app.state.view.show_title = true;
  open(What::figure);
  ASSERT_TRUE(write("titled.png"));
  EXPECT_FALSE(keeps(at("titled.png"), app.inputs.sentence));
  EXPECT_FALSE(nlohmann::json::parse(read_file(at("without.json"))).contains("session"));
  EXPECT_EQ(read_arrays(at("without.npz")).at("attention").shape[0], 2);
}

TEST_F(ExportTest, says_in_the_dialog_what_is_wrong) {
  ExportDialog& dialog = open(What::figure);
  const struct {
    What what;
    const char *name, *reported;
  } cases[] = {{What::figure, "a.jpg", "ends in .jpg; expected .png, .svg or .pdf"},
               {What::figure, "none/a.png", "none/a.png"},
               {What::arrays, "a.png", "ends in .png; expected .npz, .safetensors, .csv or .json"},
               {What::arrays, "a", "has no extension; expected .npz, .safetensors, .csv or .json"},
               {What::heads, "a.npz", "ends in .npz; expected .csv or .json"}};
  for (const auto& [what, name, reported] : cases) {
    open(what);
    EXPECT_FALSE(write(name));
    EXPECT_TRUE(dialog.open);
    EXPECT_THAT(dialog.problem, AllOf(HasSubstr(reported), Not(HasSubstr("\n"))));
  }
  EXPECT_EQ(fs::exists(at("none")), false);
}

TEST_F(ExportTest, the_preview_is_the_figure_at_another_resolution) {
  ExportDialog& dialog = open(What::figure);
  choose_export_size(dialog, find_figure_size("slide"));
  fit_export_size(app, app.dialogs.figure);
  const auto shown = preview(30);
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(shown->picture->width, 400);
  EXPECT_EQ(shown->picture->height, 225);
  EXPECT_EQ(std::pair(shown->width, shown->height), std::pair(40.0 / 3, 7.5));
  dialog.dpi = 30;
  ASSERT_TRUE(write("small.png"));
  const Pixels written = decoded(read_file(at("small.png")));
  ASSERT_EQ(std::pair(written.width, written.height),
            std::pair(shown->picture->width, shown->picture->height));
  for (int y = 0; y < written.height; ++y)
    for (int x = 0; x < written.width; ++x) {
      const std::uint8_t* pixel = &shown->picture->rgba[4 * static_cast<std::size_t>(y * written.width + x)];
      ASSERT_EQ((Rgb{pixel[0], pixel[1], pixel[2]}), written.at(x, y)) << x << ":" << y;
    }
}

TEST_F(ExportTest, the_preview_follows_and_keeps_the_last_picture_meanwhile) {
  ExportDialog& dialog = open(What::figure);
  const auto first = preview(30);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(export_preview(app, app.dialogs.figure, 30), first) << "nothing changed";
  dialog.tight = true;
  EXPECT_EQ(export_preview(app, app.dialogs.figure, 30), first) << "until the new one is there";
  EXPECT_TRUE(is_busy(app));
  const auto tight = preview(30);
  EXPECT_NE(tight, first);
  EXPECT_LT(tight->width * tight->height, first->width * first->height);
  dialog.language = Language::zh;
  const auto chinese = preview(30);
  EXPECT_NE(chinese->picture->rgba, tight->picture->rgba);
  app.settings.theme = Theme::dark;
  EXPECT_NE(preview(30)->picture->rgba.front(), chinese->picture->rgba.front());
  app.inputs.seed = 5;
  frames(3);
  EXPECT_NE(preview(30), chinese);
  dialog.open = false;
  frames(2);
  EXPECT_FALSE(is_busy(app));
}

TEST_F(ExportTest, a_column_has_no_title_and_one_colour_bar_unless_somebody_wants_them) {
  ExportDialog& dialog = open(What::figure);
  app.settings.theme = Theme::dark;
  const auto look = [&] {
    const View view = figure_scene(app, dialog).view;
    return std::tuple(view.show_title, view.range.kind, view.theme);
  };
  EXPECT_EQ(look(), std::tuple(true, Range::head, Theme::dark)) << "as on screen";
  choose_export_size(dialog, find_figure_size("column"));
  EXPECT_EQ(look(), std::tuple(false, Range::shared, Theme::light)) << "paper is white";
  dialog.look = {true, Range::head, Theme::dark};
  EXPECT_EQ(look(), std::tuple(true, Range::head, Theme::dark));
  app.state.view.range.kind = Range::unit;
  choose_export_size(dialog, find_figure_size("nature"));
  EXPECT_EQ(look(), std::tuple(false, Range::unit, Theme::light)) << "what all heads share stays";
  EXPECT_EQ(app.settings.theme, Theme::dark);
}

TEST_F(ExportTest, the_preview_has_a_caption_and_says_how_small_the_text_is) {
  ExportDialog& dialog = open(What::figure);
  choose_export_size(dialog, find_figure_size("column"));
  fit_export_size(app, dialog);
  ASSERT_NE(preview(50), nullptr);
  EXPECT_THAT(dialog.caption,
              AllOf(HasSubstr("Layer 1: attention of 2 heads"), HasSubstr("secret words of mine"),
                    HasSubstr("Rows are queries"), HasSubstr("Headscope")));
  EXPECT_GE(dialog.findings.smallest_text, 6);
  EXPECT_EQ(small_text(app.tr, dialog.findings), "");
  dialog.font_size = 5;
  ASSERT_NE(preview(50), nullptr);
  EXPECT_THAT(small_text(app.tr, dialog.findings), HasSubstr("5.0 pt"));
}

TEST_F(ExportTest, parts_are_dragged_and_put_back) {
  app.marks = {{MarkKind::box, TokenRange{0, 1}, TokenRange{1, 2}, 0, 0, "here"}};
  ExportDialog& dialog = open(What::figure);
  choose_export_size(dialog, find_figure_size("two-columns"));
  fit_export_size(app, dialog);
  const auto part = [&](FigureHandle::Of of) {
    preview(50);
    const auto& parts = dialog.findings.handles;
    const auto found = std::ranges::find(parts, of, &FigureHandle::of);
    if (found == parts.end()) throw std::runtime_error("no such part");
    return *found;
  };
  using Of = FigureHandle::Of;
  const auto apart = [](const FigureHandle& a, const FigureHandle& b) {
    return std::pair(std::lround(b.place.x - a.place.x), std::lround(b.place.y - a.place.y));
  };
  const FigureHandle label = part(Of::label), title = part(Of::title), mark = part(Of::mark);
  move_part(app, label, 10, 12);
  EXPECT_EQ(apart(label, part(Of::label)), std::pair(10L, 12L));
  move_part(app, title, 4, -3);
  EXPECT_EQ(apart(title, part(Of::title)), std::pair(4L, -3L));
  move_part(app, mark, 1.2 * mark.column, 2.1 * mark.row);
  EXPECT_EQ(app.marks[0].keys, (TokenRange{2, 3})) << "by whole cells";
  EXPECT_EQ(app.marks[0].queries, (TokenRange{2, 3}));
  move_part(app, part(Of::mark), 1000, 0);
  EXPECT_EQ(app.marks[0].keys, (TokenRange{3, 4})) << "it stays in its map";
  frames(3);
  undo(app);
  put_back(app, part(Of::label));
  put_back(app, part(Of::title));
  EXPECT_FALSE(app.marks.empty() || app.marks[0].place);
  EXPECT_TRUE(app.labels.empty());
}

TEST(Export, is_stopped_when_the_window_closes) {
  bool stopped = false;
  {
    App app;
    write_beside(app.dialogs.figure, app.wake, "a.pdf", [&](const std::stop_token& stop, WorkProgress&) {
      while (!stop.stop_requested()) std::this_thread::yield();
      stopped = true;
    });
  }
  EXPECT_TRUE(stopped);
}

}  // namespace headscope::tests

#include "app/state/document/figure_export.h"
#include "app/state/document/open_model.h"
#include "core/session/session_figure.h"
#include "tests/support/model_folder.h"
#include "tests/support/recording_canvas.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class ExportDialogTest : public AppFixture {
 protected:
  ExportDialogTest() { frames(2); }
  ExportDialog& open() {
    press(Key::e, true);
    return app.dialogs.figure;
  }
  void wait() { wait_until_idle(); }
  /// Into the field for the path.
  void type_path(const std::string& name) {
    click("export path");
    press(Key::a, true);
    const std::string path = home.at(name);
    type(std::u32string(path.begin(), path.end()));
  }

  OwnHome home;
};

TEST_F(ExportDialogTest, enter_exports_out_of_the_field_that_is_typed_into) {
  ExportDialog& dialog = open();
  type_path("a.svg");
  press(Key::enter);
  wait();
  EXPECT_FALSE(dialog.open);
  EXPECT_EQ(session_from_figure(home.at("a.svg")).inputs, app.inputs);
}

TEST_F(ExportDialogTest, enter_takes_a_number_that_is_being_typed) {
  ExportDialog& dialog = open();
  dialog.path = home.at("b.png");
  click("dpi");
  press(Key::a, true);
  type(U"40");
  press(Key::enter);
  wait();
  EXPECT_EQ(dialog.dpi, 40);
  EXPECT_TRUE(fs::exists(home.at("b.png")));
}

TEST_F(ExportDialogTest, enter_answers_whether_to_overwrite_only_when_it_was_requested) {
  ExportDialog& dialog = open();
  write_file(home.at("a.svg"), "mine");
  type_path("a.svg");
  press(Key::enter);
  wait();
  EXPECT_TRUE(dialog.open && dialog.ask_overwrite);
  EXPECT_EQ(read_file(home.at("a.svg")), "mine");
  type_path("b.svg");
  EXPECT_FALSE(dialog.ask_overwrite) << "that was another file";
  type_path("a.svg");
  press(Key::enter);
  EXPECT_EQ(read_file(home.at("a.svg")), "mine");
  press(Key::enter);
  wait();
  EXPECT_FALSE(dialog.open);
  EXPECT_NE(read_file(home.at("a.svg")), "mine");
}

TEST_F(ExportDialogTest, a_page_has_no_folders_to_choose_a_file_in) {
  open();
  const auto path = place("export path");
  EXPECT_TRUE(shows("export browse"));
  app.desktop.page_address = [] { return "file:///a.html"; };
  frames(2);
  EXPECT_FALSE(shows("export browse"));
  EXPECT_GT(place("export path")[2], path[2]);
}

TEST_F(ExportDialogTest, what_is_exported_is_chosen_without_a_jump) {
  open();
  for (int i = 0; i < 4; ++i) settle();
  const auto before = place("export what 1");
  for (const char* mark : {"export what 1", "export what 2", "export what 0"}) {
    click(mark);
    for (int i = 0; i < 3; ++i) settle();
    EXPECT_EQ(place("export what 1"), before) << mark;
  }
}

TEST_F(ExportDialogTest, esc_and_cancel_write_nothing) {
  ExportDialog& dialog = open();
  type_path("a.svg");
  press(Key::escape);
  EXPECT_FALSE(dialog.open);
  open();
  type_path("a.svg");
  click("export cancel");
  EXPECT_FALSE(dialog.open);
  EXPECT_FALSE(fs::exists(home.at("a.svg")));
}

TEST_F(ExportDialogTest, shows_the_fields_that_apply) {
  open();
  for (const char* mark : {"export preview", "size 0", "tight", "keep session", "show title", "copy command"})
    EXPECT_TRUE(shows(mark)) << mark;
  click("export what 1");
  for (const char* mark :
       {"export preview", "size 0", "tight", "show title", "copy command", "export layers 0"})
    EXPECT_FALSE(shows(mark)) << mark;
  EXPECT_TRUE(shows("keep session"));
  click("format 1");
  EXPECT_TRUE(app.dialogs.figure.path.ends_with(".safetensors"));
  click("export what 2");
  EXPECT_FALSE(shows("keep session"));
  app.inputs.layers = 2;
  frames(3);
  EXPECT_TRUE(shows("export layers 1"));
}

TEST_F(ExportDialogTest, nothing_moves_once_it_is_there) {
  app.dialogs.figure.open = true;
  frames(3);
  const auto path = place("export path"), start = place("export start");
  frames(3);
  EXPECT_EQ(place("export path"), path);
  EXPECT_EQ(place("export start"), start);
  app.dialogs.figure.problem = "it went wrong";
  wait_until_idle();
  EXPECT_EQ(place("export start"), start) << "messages and the preview have their room";
}

TEST_F(ExportDialogTest, the_mouse_chooses_size_margins_and_session) {
  ExportDialog& dialog = open();
  click("size 1");
  EXPECT_EQ(std::pair(dialog.width, dialog.dpi), std::pair(85 / 25.4, 300.0));
  click_each({"tight", "keep session"});
  EXPECT_TRUE(dialog.tight);
  EXPECT_FALSE(dialog.keep_session);
  // The first is drawn for an outdated request.
  for (int i = 0; i < 10 && !shows("export page"); ++i) {
    dialog.preview.wait();
    frames(2);
  }
  EXPECT_TRUE(shows("export page"));
  click("export what 1");
  click("export what 0");
  EXPECT_EQ(dialog.size, find_figure_size("column")) << "kept";
}

struct AnyWindow : AppFixture {
  AnyWindow(ImVec2 size, float text) : AppFixture(size, text) { frames(3); }
  void TestBody() override {}
  using AppFixture::app, AppFixture::frames, AppFixture::place, AppFixture::press, AppFixture::shows,
      AppFixture::wheel_at;
};

TEST(ExportPageRoom, everything_can_be_reached_at_every_text_size_in_both_languages) {
  for (const Language language : {Language::en, Language::zh})
    for (const float text : {16.0F, 20.0F, 27.0F}) {
      SCOPED_TRACE(text);
      AnyWindow window({1280, 720}, text);
      window.app.set_language(language);
      window.press(Key::e, true);
      for (int i = 0; i < 10; ++i) {
        window.app.dialogs.figure.preview.wait();
        window.frames(2);
      }
      // The settings scroll; the figure and the buttons are always visible.
      for (const char* mark :
           {"copy command", "copy figure", "export start", "export cancel", "export page", "ruler"}) {
        ASSERT_TRUE(window.shows(mark)) << mark;
        const auto [left, top, right, bottom] = window.place(mark);
        EXPECT_TRUE(left > 0 && top > 0 && right < 1280 && bottom < 720) << mark;
        EXPECT_GT(bottom - top, 10) << mark;
      }
      const auto [left, top, right, bottom] = window.place("export preview");
      EXPECT_GT(right - left, 600);
      std::set<std::string> wanted{"export what 0", "size 0",    "size 10", "export path",
                                   "format 0",      "text size", "dpi",     "title",
                                   "letters",       "tight",     "caption", "copy caption"};
      for (int i = 0; i < 60 && !wanted.empty(); ++i) {
        std::erase_if(wanted, [&](const std::string& mark) { return window.shows(mark); });
        window.wheel_at({60, 400}, -1);
      }
      EXPECT_THAT(wanted, IsEmpty());
    }
}

TEST_F(ExportDialogTest, marks_and_titles_are_dragged_in_the_preview) {
  app.marks = {{MarkKind::box, TokenRange{0, 1}, TokenRange{1, 2}, 0, 0, "here"}};
  ExportDialog& dialog = open();
  click("size 2");
  const auto redrawn = [&] {
    for (int i = 0; i < 10; ++i) {
      dialog.preview.wait();
      frames(2);
    }
  };
  redrawn();
  const auto drag = [&](const std::string& mark, float x, float y) {
    ASSERT_TRUE(shows(mark)) << mark;
    const auto [left, top, right, bottom] = place(mark);
    const ImVec2 from{(left + right) / 2, (top + bottom) / 2};
    point_to(from);
    button(true);
    settle();
    point_to({from.x + x, from.y + y});
    button(false);
    settle();
    redrawn();
    const auto [new_left, new_top, new_right, new_bottom] = place(mark);
    EXPECT_NEAR(new_left - left, x, 2) << mark;
    EXPECT_NEAR(new_top - top, y, 2) << mark;
  };
  drag("part label 0", 12, 9);
  EXPECT_TRUE(app.marks[0].place);
  drag("part title 1.3", -6, 4);
  ASSERT_EQ(app.labels.size(), 1U);
  EXPECT_EQ(app.labels[0].head, 2);
  EXPECT_TRUE(dialog.open);
}

TEST_F(ExportDialogTest, what_is_copied_is_the_command_or_the_caption) {
  ExportDialog& dialog = open();
  dialog.path = home.at("a.pdf");
  for (int i = 0; i < 10; ++i) {
    dialog.preview.wait();
    frames(2);
  }
  click("copy command");
  EXPECT_THAT(clipboard,
              AllOf(StartsWith("headscope export"), HasSubstr("--size screen"), HasSubstr("a.pdf")));
  EXPECT_FALSE(fs::exists(home.at("a.session.json"))) << "the line says all";
  EXPECT_EQ(app.inputs, Inputs());
  click("copy caption");
  EXPECT_EQ(clipboard, dialog.caption);
}

/// What the figure of the open dialog draws.
RecordingCanvas exported(App& app, TextShaper& shaper) {
  const FigureOptions options = export_options(app, app.dialogs.figure);
  RecordingCanvas canvas(shaper);
  const FigureStyle style = figure_style(app.settings.theme, options.font_size);
  const Translator tr(options.language);
  draw_view({canvas, measure_with(shaper), style, tr, {}, options.extras},
            figure_scene(app, app.dialogs.figure), 72 * options.width, 72 * *options.height);
  return canvas;
}

/// In which row and column of all of them each is.
std::vector<std::pair<int, int>> arrangement(const std::vector<Rect>& maps) {
  const auto rank = [&](double Rect::*edge, const Rect& of) {
    std::set<long> before;
    for (const Rect& map : maps)
      if (map.*edge < of.*edge - 2) before.insert(std::lround(map.*edge));
    return static_cast<int>(before.size());
  };
  std::vector<std::pair<int, int>> places;
  for (const Rect& map : maps) places.emplace_back(rank(&Rect::y, map), rank(&Rect::x, map));
  return places;
}

TEST_F(ExportDialogTest, a_figure_as_on_screen_has_its_maps_where_the_window_has_them) {
  TextShaper shaper;
  for (const ViewKind kind : {ViewKind::grid, ViewKind::layers, ViewKind::compare}) {
    SCOPED_TRACE(static_cast<int>(kind));
    app.inputs.layers = 2;
    app.state.view.kind = kind;
    app.state.view.head = 0;
    if (kind == ViewKind::compare && !app.compare) app.compare = app.inputs;
    wait();
    frames(3);
    std::vector<Rect> on_screen;
    for (int i = 0; i < (kind == ViewKind::compare ? 3 : kind == ViewKind::layers ? 16 : 8); ++i) {
      const auto [left, top, right, bottom] =
          place(kind == ViewKind::compare  ? fmt::format("compare map {}", i)
                : kind == ViewKind::layers ? fmt::format("layer {} head {}", i / 8 + 1, i % 8 + 1)
                                           : fmt::format("map {}", i + 1));
      on_screen.push_back({left, top, right - left, bottom - top});
    }
    open();
    frames(2);
    const RecordingCanvas figure = exported(app, shaper);
    ASSERT_EQ(figure.places.size(), on_screen.size());
    EXPECT_EQ(arrangement(figure.places), arrangement(on_screen));
    if (kind == ViewKind::grid) {
      constexpr double points = 72.0 / 96,
                       apart = 10;  // the figure has a line that says what its colours are
      const Rect &first = on_screen[0], &of_figure = figure.places[0];
      for (std::size_t i = 0; i < on_screen.size(); ++i) {
        EXPECT_NEAR(figure.places[i].x - of_figure.x, points * (on_screen[i].x - first.x), apart);
        EXPECT_NEAR(figure.places[i].y - of_figure.y, points * (on_screen[i].y - first.y), apart);
        EXPECT_NEAR(figure.places[i].width, points * on_screen[i].width, apart);
      }
      for (const Token& token : app.block()->tokens)
        EXPECT_GE(std::ranges::count(figure.texts, token.text), 2) << token.text;
    }
    press(Key::escape);
    frames(2);
  }
}

/// Each view's landmarks in the window and in its figure as on the screen.
class FigureAsOnScreen : public ExportDialogTest {
 protected:
  Rect in_window(const std::string& mark) {
    EXPECT_TRUE(shows(mark)) << mark;
    const auto [left, top, right, bottom] = place(mark);
    return {left, top, right - left, bottom - top};
  }
  void view(ViewKind kind) {
    app.state.view.kind = kind;
    wait();
    frames(3);
  }
  RecordingCanvas figure() {
    open();
    frames(2);
    RecordingCanvas drawn = exported(app, shaper);
    press(Key::escape);
    frames(2);
    return drawn;
  }
  void expect_same(const std::vector<Rect>& window, const std::vector<Rect>& figure) {
    ASSERT_EQ(figure.size(), window.size());
    EXPECT_EQ(arrangement(figure), arrangement(window));
  }
  /// The fills that are cells: larger than the pieces of a colour bar.
  static std::vector<Rect> cells_of(const RecordingCanvas& figure) {
    std::vector<Rect> cells;
    for (const auto& fill : figure.fills)
      if (fill.rect.width > 10 && fill.rect.height > 10) cells.push_back(fill.rect);
    return cells;
  }
  void open_model() {
    write_whole_model(folder.path, model_case("gpt2"));
    app.inputs.model = folder.path.string();
    app.inputs.sentence = "w3 w17 w5 w3 w9";
    wait();
  }

  TextShaper shaper;
  TempFolder folder;
};

TEST_F(FigureAsOnScreen, has_the_bars_of_the_locked_row_and_column_next_to_a_head) {
  app.state.view.head = 2;
  app.state.lock = Cell{2, 1, 3};
  view(ViewKind::head);
  const Rect map = in_window("map 3");
  EXPECT_GT(map.y - in_window("title of head").y, 2 * 20) << "bars above";
  const RecordingCanvas drawn = figure();
  ASSERT_EQ(drawn.places.size(), 1U);
  const Rect& place = drawn.places[0];
  std::vector<Rect> above, beside;
  for (const Rect& bar : fills_of(drawn, figure_style(app.settings.theme).accent))
    (bar.bottom() <= place.y ? above : beside).push_back(bar);
  const auto shown = filter_layer(app.block(), 0, {}, std::vector{2});
  const auto weight = [&](Index query, Index key) {
    return static_cast<double>(shown->weights(2)[query * app.block()->n_k() + key]);
  };
  ASSERT_EQ(std::ssize(above), app.block()->n_k());
  ASSERT_EQ(std::ssize(beside), app.block()->n_q());
  const double cell = place.width / static_cast<double>(above.size());
  for (std::size_t i = 0; i < above.size(); ++i) {
    EXPECT_NEAR(above[i].x, place.x + static_cast<double>(i) * cell, 1);
    const auto key = static_cast<Index>(i);
    EXPECT_NEAR(above[i].height / above[0].height, weight(1, key) / weight(1, 0), 1e-3);
    EXPECT_NEAR(beside[i].width / beside[0].width, weight(key, 3) / weight(0, 3), 1e-3);
    EXPECT_GE(beside[i].x, place.right());
  }
  ASSERT_EQ(drawn.bars.size(), 1U);
  EXPECT_GT(drawn.bars[0].x, beside[0].right()) << "right of the bars, as in the window";
}

TEST_F(FigureAsOnScreen, has_the_tokens_of_lines_in_their_columns) {
  view(ViewKind::lines);
  const RecordingCanvas drawn = figure();
  const std::vector<Token>& tokens = app.block()->tokens;
  std::vector<double> window, printed;
  for (const bool keys : {false, true})
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Rect at = in_window(fmt::format("{} {}", keys ? "key token" : "query token", i));
      window.push_back(middle_y(at) - middle_y(in_window("query token 0")));
    }
  std::vector<Rect> left, right;
  for (const auto& text : drawn.written)
    if (std::ranges::count(tokens, text.text, &Token::text) > 0)
      (text.style.anchor == Anchor::end ? left : right).push_back(text.box);
  ASSERT_EQ(left.size(), tokens.size());
  ASSERT_EQ(right.size(), tokens.size());
  for (const auto* column : {&left, &right})
    for (const Rect& box : *column) printed.push_back(middle_y(box) - middle_y(left[0]));
  EXPECT_LT(left[0].right(), right[0].x);
  const double scale = printed[tokens.size() - 1] / window[tokens.size() - 1];
  for (std::size_t i = 0; i < window.size(); ++i) EXPECT_NEAR(printed[i], scale * window[i], 4) << i;
}

TEST_F(FigureAsOnScreen, has_the_table_and_the_similarity_next_to_each_other_or_below) {
  app.state.view.table.half = TableHalf::both;
  view(ViewKind::head_table);
  std::vector<Rect> window, printed;
  const RecordingCanvas drawn = figure();
  for (int head = 1; head <= 8; ++head) {
    window.push_back(in_window(fmt::format("row {}", head)));
    const auto& name = drawn.only(fmt::format("Head {}", head));
    printed.push_back({name.x, name.box.y, name.box.width, name.box.height});
  }
  window.push_back(in_window("matrix"));
  printed.push_back(drawn.places.at(0));
  EXPECT_EQ(printed[0].bottom() < printed[8].y, window[0].bottom() < window[8].y);
  window[8].x = std::max(window[8].x, window[0].x + 10);  // both are drawn in the middle of their room
  expect_same(window, printed);
}

TEST_F(FigureAsOnScreen, has_the_cells_of_a_trained_models_views) {
  open_model();
  const auto n = static_cast<int>(app.block()->n_q());
  std::vector<Rect> window;
  view(ViewKind::lens);
  for (int query = 0; query < n; ++query)
    for (int layer = 0; layer < 2; ++layer)
      window.push_back(in_window(fmt::format("lens {} {}", layer, query)));
  expect_same(window, cells_of(figure()));
  view(ViewKind::contributions);
  window.clear();
  const int heads = app.block()->heads();
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < heads; ++head)
      window.push_back(in_window(fmt::format("contribution self {} {}", layer, head)));
  std::vector<Rect> printed = cells_of(figure());
  // After each layer's heads: the feed-forward network and the biases.
  ASSERT_EQ(std::ssize(printed), 2 * (heads + 2));
  printed.erase(printed.begin() + heads, printed.begin() + heads + 2);
  printed.resize(static_cast<std::size_t>(2 * heads));
  expect_same(window, printed);
}

TEST_F(FigureAsOnScreen, has_the_maps_of_the_whole_model) {
  app.inputs.model = "translator";
  view(ViewKind::model);
  std::vector<Rect> window;
  for (const BlockTrace& block : app.trace()->blocks)
    for (int layer = 0; layer < block.layer_count(); ++layer)
      window.push_back(in_window(fmt::format("map {} {}", to_name(block.shape.kind), layer)));
  const RecordingCanvas drawn = figure();
  const auto sorted = [](auto places) {
    std::ranges::sort(places);
    return places;
  };
  EXPECT_EQ(sorted(arrangement(drawn.places)), sorted(arrangement(window)));
}

TEST_F(FigureAsOnScreen, has_the_chain_of_steps_the_map_the_card_and_the_shapes) {
  app.state.view.steps.stage = "tokens";
  view(ViewKind::steps);
  const Rect map = in_window("map 1"), chain = in_window("steps 0"), strip = in_window("shape strip");
  const RecordingCanvas drawn = figure();
  ASSERT_EQ(drawn.places.size(), 1U);
  const Rect& place = drawn.places[0];
  const auto title = std::ranges::find_if(
      drawn.written, [](const auto& text) { return text.text.find("Token vectors") != std::string::npos; });
  ASSERT_NE(title, drawn.written.end());
  const Rect& card = title->box;
  EXPECT_LT(chain.bottom(), map.y);
  EXPECT_LT(map.bottom(), strip.bottom());
  EXPECT_GT(strip.x, map.right());
  const Rect& output = drawn.only("output").box;
  EXPECT_GT(card.x, place.right());
  EXPECT_GT(output.x, place.right());
  EXPECT_GT(output.y, card.bottom());
  const auto above = std::ranges::count_if(drawn.written, [&](const auto& text) {
    return text.box.bottom() < card.y && text.box.x > place.right();
  });
  EXPECT_GT(above, 8) << "the chain";
}

}  // namespace headscope::tests

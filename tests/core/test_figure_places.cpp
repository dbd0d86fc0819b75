#include "core/analysis/comparison.h"
#include "core/figure/figure.h"
#include "core/figure/page.h"
#include "core/scene/comparison_look.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/thumbnails.h"
#include "core/source/engine/engine.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

// That numbers, labels and marks of a figure are in their places.

using Written = RecordingCanvas::Written;

TEST(FigureMaps, a_handout_frames_the_cell_that_its_text_is_about) {
  for (const ViewKind kind : {ViewKind::grid, ViewKind::compare}) {
    const auto trace = trace_of("one two three four", 2);
    Scene scene = scene_of(session_with(&View::kind, kind, &View::theme, Theme::light), trace, trace);
    scene.locked = Locked{{1, 2, 3}};
    EXPECT_TRUE(fills_of(recorded(scene), Rgb{0, 0, 0}).empty());
    scene.marks_locked = true;
    const RecordingCanvas figure = recorded(scene);
    const std::vector<Rect> edges = fills_of(figure, Rgb{0, 0, 0});
    ASSERT_EQ(edges.size(), 4 * figure.places.size());
    for (std::size_t i = 0; i < figure.places.size(); ++i) {
      const Rect& map = figure.places[i];
      const Rect &top = edges[4 * i], &bottom = edges[4 * i + 1];
      EXPECT_NEAR(middle_x(top), map.x + map.width * 3.5 / 4, 1e-6);
      EXPECT_NEAR((top.y + bottom.bottom()) / 2, map.y + map.height * 2.5 / 4, 1e-6);
    }
  }
}

Rgb mark_ink() {
  return {0xe0, 0x10, 0x60};
}

TEST(FigureMaps, marks_are_at_their_cells_in_every_view_of_maps) {
  for (const ViewKind kind : {ViewKind::grid, ViewKind::head, ViewKind::compare, ViewKind::layers}) {
    SCOPED_TRACE(view_kind(kind).name);
    const auto trace = trace_of("one two three four", 2);
    Session session = session_with(&View::kind, kind, &View::head, std::optional(1));
    session.marks = {{MarkKind::box, TokenRange{1, 3}, TokenRange{2, 4}, {}, {}, "here"},
                     {MarkKind::box, TokenRange{3, 5}, TokenRange{0, 1}, {}, {}, "beyond"}};
    const RecordingCanvas figure = recorded(scene_of(session, trace, trace));
    std::vector<Rect> edges;  // without the ground of the text
    for (const Rect& rect : fills_of(figure, mark_ink()))
      if (std::min(rect.width, rect.height) < 3) edges.push_back(rect);
    ASSERT_EQ(edges.size(), 4 * figure.places.size());
    for (std::size_t i = 0; i < figure.places.size(); ++i) {
      const Rect& map = figure.places[i];
      EXPECT_NEAR(edges[4 * i].bottom(), map.y + map.height / 4, 1e-6);
      EXPECT_NEAR(edges[4 * i + 1].y, map.y + map.height * 3 / 4, 1e-6);
      EXPECT_NEAR(edges[4 * i + 2].right(), map.x + map.width / 2, 1e-6);
      EXPECT_NEAR(edges[4 * i + 3].x, map.right(), 1e-6);
    }
    EXPECT_EQ(std::ranges::count(figure.texts, "here"), std::ssize(figure.places));
    EXPECT_EQ(std::ranges::count(figure.texts, "beyond"), 0);
  }
}

TEST(FigureMaps, an_arrow_of_one_head_points_to_its_cell) {
  const auto trace = trace_of("one two three four", 2);
  Session session;
  session.marks = {{MarkKind::arrow, TokenRange{3, 4}, TokenRange{0, 1}, 0, 1, {}}};
  const RecordingCanvas figure = recorded(scene_of(session, trace));
  ASSERT_EQ(figure.strokes.size(), 6U) << "in one of the two heads";
  const Rect& map = figure.places[1];
  for (const RecordingCanvas::Stroke& stroke : figure.strokes) {
    EXPECT_GT(stroke.y1, map.y + map.height * 3 / 4);
    EXPECT_LT(stroke.x1, map.x + map.width / 4);
    EXPECT_GT(stroke.x1, map.x);
  }
  session.view.filter.hidden_keys = {0};
  EXPECT_TRUE(recorded(scene_of(session, trace)).strokes.empty()) << "its key is not shown";
}

// Layers

TEST(FigureLayers, each_map_is_in_the_row_of_its_layer_and_the_column_of_its_head) {
  Session session = session_with(&View::kind, ViewKind::layers, &View::range, RangeChoice{Range::shared});
  session.view.filter.hidden_keys = {1};
  const auto trace = trace_of("one two three", 4, mask_parts({"causal"}), 3);
  const Scene scene = scene_of(session, trace);
  const RecordingCanvas figure = recorded(scene);
  ASSERT_EQ(figure.maps.size(), 12U);
  const auto thumbnails = make_thumbnails(scene.block, scene.view.filter, scene.view.range, 512);
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < 12; ++i) {
    const Rect place = figure.places[i];
    int layer = -1, head = -1;
    for (int l = 0; l < 3; ++l) {
      const Written& name = figure.only(fmt::format("Layer {}", l + 1));
      EXPECT_LT(name.box.right(), place.x);
      if (std::abs(name.y - middle_y(place)) < 1e-6) layer = l;
    }
    for (int h = 0; h < 4; ++h) {
      const Written& name = figure.only(fmt::format("Head {}", h + 1));
      EXPECT_LT(name.box.bottom(), place.y);
      if (std::abs(name.x - middle_x(place)) < 1e-6) head = h;
    }
    ASSERT_TRUE(layer >= 0 && head >= 0) << i;
    EXPECT_TRUE(seen.insert({layer, head}).second);
    const auto shown = filter_layer(scene.block, layer, scene.view.filter);
    for (std::size_t c = 0; c < 6; ++c)
      EXPECT_EQ(figure.maps[i].values[c], figure.maps[i].states[c] == 1 ? 0 : shown->weights(head)[c]);
    EXPECT_EQ(figure.maps[i].states[1], 1) << "causal";
    EXPECT_EQ(figure.maps[i].states[5], 0);
    EXPECT_EQ(figure.maps[i].colors, &colors(scene.view.colormap));
  }
}

TEST(FigureLayers, each_map_has_its_own_cells_left_out_and_its_own_ends) {
  Session session = session_with(&View::kind, ViewKind::layers, &View::range, RangeChoice{Range::head});
  session.view.filter.threshold = 0.5;  // leaves different cells in each head
  const auto trace = trace_of("one two three four", 3, {}, 2);
  const Scene scene = scene_of(session, trace);
  const RecordingCanvas figure = recorded(scene);
  ASSERT_EQ(figure.maps.size(), 6U);
  for (int l = 0; l < 2; ++l) {
    const auto shown = filter_layer(scene.block, l, scene.view.filter);
    const auto ranges = color_ranges(*shown, {Range::head});
    for (int h = 0; h < 3; ++h) {
      const ShownMap& map = figure.maps[static_cast<std::size_t>(3 * l + h)];
      EXPECT_EQ(map.states, std::vector<int>(shown->state(h), shown->state(h) + 16)) << l << h;
      const ColorRange& range = ranges[static_cast<std::size_t>(h)];
      EXPECT_EQ(map.range, (std::array{range.low, range.high, 0.0F})) << l << h;
    }
  }
  EXPECT_NE(figure.maps[0].states, figure.maps[1].states);
  EXPECT_NE(figure.maps[0].range, figure.maps[1].range);
}

TEST(FigureLayers, maps_that_are_not_square_keep_their_shape) {
  const Session session = session_with(&View::kind, ViewKind::layers);
  const RecordingCanvas wide = recorded(scene_of(session, synthetic_trace(2, 4, 8, 2)));
  for (const Rect& place : wide.places) EXPECT_NEAR(place.width, 2 * place.height, 1e-6);
}

// Panels

/// One head that fills the page, and its contents.
struct OnePanel {
  explicit OnePanel(const std::shared_ptr<const Trace>& trace, Session session = {}) {
    session.view.kind = ViewKind::head;
    session.view.head = 0;
    const Scene scene = scene_of(session, trace);
    figure.emplace(recorded(scene, shaper, 576, 576));
    map = figure->places.at(0);
  }
  TextShaper shaper;
  std::optional<RecordingCanvas> figure;
  Rect map;
};

TEST(FigurePanel, numbers_and_labels_are_at_their_cells) {
  const auto trace = synthetic_trace(1, 3, 4);
  const OnePanel panel(trace);
  const double width = panel.map.width / 4, height = panel.map.height / 3;
  const auto marks_at = [&](double x, double y) {
    return std::ranges::count_if(fills_of(*panel.figure, FigureStyle{}.border),
                                 [&](const Rect& mark) { return mark.contains(x, y); });
  };
  for (Index q = 0; q < 3; ++q) {
    const Written& query = panel.figure->only(fmt::format("w{}", q));
    EXPECT_NEAR(query.y, panel.map.y + (static_cast<double>(q) + 0.5) * height, 1e-6);
    EXPECT_LT(query.box.right(), panel.map.x);
    for (Index k = 0; k < 4; ++k) {
      const Rect cell{panel.map.x + static_cast<double>(k) * width,
                      panel.map.y + static_cast<double>(q) * height, width, height};
      const auto numbers = texts_in(*panel.figure, cell);
      ASSERT_EQ(numbers.size(), 1U);
      const float weight = trace->blocks.front().maps->weight(0, 0, q, k);
      EXPECT_EQ(numbers[0].text, in_column(weight, 2));
      EXPECT_NEAR(numbers[0].x, middle_x(cell), 1e-6);
      EXPECT_NEAR(numbers[0].y, middle_y(cell), 1e-6);
    }
  }
  for (int k = 0; k < 4; ++k) {
    const Written& key = panel.figure->only(fmt::format("k{}", k));
    EXPECT_NEAR(key.x, panel.map.x + (k + 0.5) * width, 1e-6);
    EXPECT_GT(key.box.y, panel.map.bottom());
    EXPECT_EQ(marks_at(key.x, (panel.map.bottom() + key.box.y) / 2 - 1), 1) << "a mark points to the cell";
  }
  for (int q = 0; q < 3; ++q) {
    const Written& query = panel.figure->only(fmt::format("w{}", q));
    EXPECT_EQ(marks_at((query.box.right() + panel.map.x) / 2 + 1, query.y), 1);
  }
}

TEST(FigurePanel, numbers_can_be_read_on_their_cells) {
  const auto tokens = word_tokens("a b");
  const OnePanel panel(trace_of(tokens, tokens, {{1, 0, 0.02F, 0.98F}}));
  const Rgb black{0, 0, 0}, white{255, 255, 255};
  for (const auto& [text, color] : {std::pair{"1.00", black}, {"0.02", white}, {"0.98", black}})
    EXPECT_EQ(panel.figure->only(text).style.color, color) << text << ": viridis is bright at its end";
}

TEST(FigurePanel, masked_cells_have_no_number_and_rows_without_keys_are_marked) {
  const auto trace = synthetic_trace(1, 4, 4, 1, mask_parts({"causal", "padding:0"}));
  const OnePanel panel(trace);
  const double cell = panel.map.width / 4;
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k < 4; ++k) {
      const Rect place{panel.map.x + k * cell, panel.map.y + q * cell, cell, cell};
      const auto texts = texts_in(*panel.figure, place);
      const auto numbers =
          std::ranges::count_if(texts, [](const Written& text) { return text.text.starts_with("0"); });
      EXPECT_EQ(numbers, k > 0 && k <= q ? 1 : 0) << q << k;
    }
  const auto marks = fills_of(*panel.figure, FigureStyle{}.warning);
  ASSERT_EQ(marks.size(), 1U) << "the first row alone";
  EXPECT_EQ(marks[0].x, panel.map.x);
  EXPECT_NEAR(marks[0].y, panel.map.y, 1e-6);
  EXPECT_NEAR(marks[0].height, cell, 1e-6);
  const Written& said = panel.figure->only("no key to attend to");
  EXPECT_NEAR(said.y, panel.map.y + cell / 2, 1e-6);
  EXPECT_NEAR(said.x, middle_x(panel.map), 1e-6);
}

TEST(FigurePanel, a_row_without_keys_has_the_numbers_that_a_finite_fill_gives_it) {
  Inputs inputs;
  inputs.sentence = "one two three four";
  inputs.heads = 1;
  inputs.mask = mask_parts({"causal", "painted:0:0"});
  for (const bool finite : {false, true}) {
    inputs.mask_fill = finite ? MaskFill::minus_1e9 : MaskFill::minus_infinity;
    const OnePanel panel(Engine(1).run(inputs));
    const Rect row{panel.map.x, panel.map.y, panel.map.width, panel.map.height / 4};
    std::vector<std::string> texts;
    for (const Written& text : texts_in(*panel.figure, row)) texts.push_back(text.text);
    if (finite) {
      EXPECT_EQ(texts, std::vector<std::string>(4, "0.25")) << "and no words over them";
    } else {
      EXPECT_EQ(texts, std::vector<std::string>{"no key to attend to"});
    }
    EXPECT_EQ(fills_of(*panel.figure, FigureStyle{}.warning).size(), 1U) << "marked all the same";
  }
}

TEST(FigurePanel, a_mark_is_before_the_title_of_its_head_alone) {
  Session session;
  session.labels = {{0, 1, "first", 0x123456}, {0, 2, "plain", {}}};
  const RecordingCanvas figure = recorded(scene_of(session, trace_of("one two three", 4)));
  const auto marks = fills_of(figure, {0x12, 0x34, 0x56});
  ASSERT_EQ(marks.size(), 1U);
  const Written& title = figure.only("Head 2 · first");
  EXPECT_LT(marks[0].right(), title.box.x);
  EXPECT_LT(title.box.x - marks[0].right(), title.style.size);
  EXPECT_NEAR(middle_y(marks[0]), title.y, 1e-6);
  EXPECT_EQ(marks[0].width, marks[0].height);
}

TEST(FigureGrid, each_head_has_its_own_map_under_its_title_with_the_ends_of_its_range) {
  Session session;
  session.view.range.kind = Range::head;
  session.view.hidden_heads = {1};
  const auto trace = trace_of("one two three", 5);
  const Scene scene = scene_of(session, trace);
  const RecordingCanvas figure = recorded(scene);
  ASSERT_EQ(figure.maps.size(), 4U);
  ASSERT_EQ(figure.bars.size(), 4U);
  const auto shown = filter_layer(scene.block, 0, {});
  const auto ranges = color_ranges(*shown, {Range::head});
  for (std::size_t i = 0; i < 4; ++i) {
    const Rect map = figure.places[i], bar = figure.bars[i];
    const auto head = static_cast<std::size_t>(i == 0 ? 0 : i + 1);
    const Written& title = figure.only(fmt::format("Head {}", head + 1));
    EXPECT_NEAR(title.x, map.x, 1e-6);
    EXPECT_LT(title.box.bottom(), map.y + 1);
    EXPECT_LT(map.y - title.box.bottom(), title.style.size);
    EXPECT_EQ(figure.maps[i].values[4], trace->blocks.front().maps->weight(0, static_cast<int>(head), 1, 1));
    EXPECT_EQ(figure.maps[i].range, (std::array{ranges[head].low, ranges[head].high, 0.0F}));
    EXPECT_NEAR(bar.x, map.x, 1e-6);
    EXPECT_NEAR(bar.width, map.width, 1e-6);
    EXPECT_LT(title.box.bottom(), bar.y + 1);
    EXPECT_LT(bar.bottom(), map.y);
    const auto line = texts_in(figure, {map.x, title.box.y, map.width + 1, title.box.height});
    ASSERT_EQ(line.size(), 2U);
    const Written& ends = line[0].text == title.text ? line[1] : line[0];
    EXPECT_EQ(ends.text, range_text(ranges[head]));
    EXPECT_NEAR(ends.x, map.right(), 1e-6);
  }
}

TEST(FigureGrid, rows_without_keys_are_marked_in_their_head_alone) {
  const auto trace = trace_of("one two three four", 3, mask_parts({"painted:0:0;head=1,2:0-3"}));
  const RecordingCanvas figure = recorded(scene_of({}, trace));
  const auto marks = fills_of(figure, FigureStyle{}.warning);
  ASSERT_EQ(marks.size(), 1U);
  const Rect map = figure.places.at(1);
  EXPECT_NEAR(marks[0].x, map.x, 1e-6);
  EXPECT_NEAR(marks[0].y, map.y + map.height / 2, 1e-6);
}

TEST(FigureGrid, keys_are_below_the_last_map_of_each_column) {
  for (const int heads : {8, 7}) {
    Session session;
    session.view.range.kind = Range::unit;
    session.view.rows = 2;
    session.view.columns = 4;
    TextShaper shaper;
    const RecordingCanvas figure =
        recorded(scene_of(session, trace_of("one two three", heads)), shaper, 504, 220);
    for (std::size_t column = 0; column < 4; ++column) {
      const std::size_t last = 4 + column < figure.places.size() ? 4 + column : column;
      const Rect map = figure.places.at(last);
      const auto below = texts_in(figure, {map.x, map.bottom(), map.width, 40});
      EXPECT_EQ(std::ranges::count(below, "two", &Written::text), 1) << heads << " heads, column " << column;
    }
  }
}

TEST(FigurePage, tight_lines_cover_each_other_as_on_a_whole_page) {
  struct Covering : RecordingCanvas {
    using RecordingCanvas::RecordingCanvas;
    void covering_line(double, double, double, double, double, Rgb, double, Rgb) override { ++covered; }
    int covered = 0;
  };
  const Session session = session_with(&View::kind, ViewKind::lines);
  const Scene scene = scene_of(session, trace_of("one two three", 4));
  TextShaper shaper;
  for (const bool tight : {false, true}) {
    Covering canvas(shaper);
    Page(scene, {.width = 7, .height = 6, .tight = tight}, shaper, true).draw(canvas);
    EXPECT_GT(canvas.covered, 30) << tight;
  }
}

TEST(FigurePage, tight_margins_are_small_and_even) {
  for (const ViewKind kind : {ViewKind::grid, ViewKind::lines, ViewKind::head_table}) {
    const Session session = session_with(&View::kind, kind);
    FigureOptions options{.width = 7, .height = 6, .dpi = 72};
    const Scene scene = scene_of(session, trace_of("one two three", 4));
    const Picture whole = figure_picture(scene, options);
    EXPECT_EQ(std::pair(whole.width, whole.height), std::pair(504, 432));
    options.tight = true;
    const Picture cut = figure_picture(scene, options);
    EXPECT_TRUE(cut.width < whole.width && cut.height < whole.height);
    int left = cut.width, top = cut.height, right = -1, bottom = -1;
    for (int y = 0; y < cut.height; ++y)
      for (int x = 0; x < cut.width; ++x) {
        const std::uint8_t* pixel = &cut.rgba[4 * static_cast<std::size_t>(y * cut.width + x)];
        if (pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255) continue;
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
      }
    // Letters don't fill their lines.
    for (const int margin : {left, top, cut.width - 1 - right, cut.height - 1 - bottom}) {
      EXPECT_GE(margin, 2) << static_cast<int>(kind);
      EXPECT_LE(margin, 8) << static_cast<int>(kind);
    }
  }
}

/// The texts of the lowest line of a page with this view.
std::vector<std::string> lowest_texts(const std::shared_ptr<const Trace>& trace, const Session& session) {
  const Scene scene = scene_of(session, trace);
  TextShaper shaper;
  RecordingCanvas canvas(shaper);
  const FigureOptions options{.width = 7, .height = 6};
  Page(scene, options, shaper, true).draw(canvas);
  double lowest = 0;
  for (const Written& text : canvas.written) lowest = std::max(lowest, text.y);
  std::vector<std::string> texts;
  for (const Written& text : canvas.written) {
    EXPECT_LE(text.box.bottom(), 6 * 72) << text.where();
    if (text.y > lowest - 1) texts.push_back(text.text);
  }
  return texts;
}

TEST(FigurePage, signs_that_occur_are_explained) {
  const Session session;
  EXPECT_THAT(lowest_texts(trace_of("one two three", 4), session), ElementsAre("Key"));
  EXPECT_THAT(lowest_texts(trace_of("one two three", 4, mask_parts({"causal"})), session),
              ElementsAre("blocked"));
  // A stroke at a row without a key, where there is no room for words.
  EXPECT_THAT(lowest_texts(trace_of("one two three four five six seven eight nine ten eleven twelve", 8,
                                    mask_parts({"causal", "padding:0"})),
                           session),
              ElementsAre("blocked", "no key to attend to"));
  auto off = std::make_shared<Trace>(*trace_of("one two three", 4));
  off->blocks.front().interventions.ablated_heads = {{BlockKind::self, 0, 1}};
  EXPECT_THAT(lowest_texts(off, session), ElementsAre("off", "ablated head"));
  const auto tokens = word_tokens("one two");
  EXPECT_THAT(lowest_texts(trace_of(tokens, tokens, {{0.999F, 0.001F, 0.5F, 0.5F}}), session),
              ElementsAre("·", "rounds to 0"));
  // Only where the numbers are drawn.
  EXPECT_THAT(lowest_texts(trace_of(tokens, tokens, {{0.999F, 0.001F, 0.5F, 0.5F}}),
                           session_with(&View::numbers, Numbers::off)),
              ElementsAre("Key"));
  EXPECT_THAT(lowest_texts(trace_of("one two three", 4, mask_parts({"causal"})),
                           session_with(&View::kind, ViewKind::layers)),
              ElementsAre("blocked"));
}

TEST(FigureCompare, names_of_heads_are_where_the_user_moved_them) {
  Session session = session_with(&View::kind, ViewKind::compare, &View::head, 1);
  const auto a = trace_of("one two three", 4), b = trace_of("one two four", 4);
  const auto titles = [&] {
    const Scene scene = scene_of(session, a, b);
    TextShaper shaper;
    RecordingCanvas canvas(shaper);
    FigureFindings findings;
    Page page(scene, {.width = 9, .height = 4}, shaper, true);
    page.note_into(&findings);
    page.draw(canvas);
    std::vector<std::pair<FigureHandle, double>> found;
    for (const FigureHandle& handle : findings.handles) {
      EXPECT_EQ(handle.of, FigureHandle::Of::title);
      EXPECT_EQ(std::pair(handle.layer, handle.head), std::pair(0, 1));
      const auto written = std::ranges::find_if(canvas.written, [&](const Written& text) {
        return std::abs(text.box.x - handle.place.x) < 1 &&
               std::abs(text.y - handle.place.y - handle.place.height / 2) < 1;
      });
      EXPECT_NE(written, canvas.written.end());
      found.emplace_back(handle, written == canvas.written.end() ? 0 : written->x);
    }
    return found;
  };
  const auto before = titles();
  ASSERT_EQ(before.size(), 3U) << "A, B and their difference";
  session.labels = {{0, 1, "", {}, LabelPlace{0.1, -0.05}}};
  const auto after = titles();
  ASSERT_EQ(after.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(after[i].second - before[i].second, 0.1 * before[i].first.map.width, 1e-6) << i;
}

// Lines

TEST(FigureLines, join_the_rows_of_their_query_and_their_key) {
  const Session session = session_with(&View::kind, ViewKind::lines);
  const auto tokens = word_tokens("a b c"), keys = word_tokens("x y z w");
  const auto trace = trace_of(tokens, keys, {{0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0}});
  const RecordingCanvas figure = recorded(scene_of(session, trace));
  ASSERT_EQ(figure.strokes.size(), 2U);
  for (const auto& [query, key] : {std::pair{"a", "w"}, {"c", "y"}}) {
    const Written &from = figure.only(query), &to = figure.only(key);
    EXPECT_EQ(std::ranges::count_if(figure.strokes,
                                    [&](const auto& line) {
                                      return std::abs(line.y0 - from.y) < 1e-6 &&
                                             std::abs(line.y1 - to.y) < 1e-6 && from.box.right() < line.x0 &&
                                             line.x1 < to.box.x;
                                    }),
              1)
        << query;
  }
}

// Compare

TEST(FigureCompare, has_the_cells_of_both_sides_and_their_difference_at_the_same_places) {
  const Session session = session_with(&View::kind, ViewKind::compare, &View::head, 1);
  const auto a = trace_of("the cat sat", 2), b = trace_of("the dog sat down", 2);
  const RecordingCanvas figure = recorded(scene_of(session, a, b));
  ASSERT_EQ(figure.maps.size(), 3U);
  const auto [left, middle, right] = std::tuple(figure.places[0], figure.places[1], figure.places[2]);
  for (const auto& [title, place] : {std::pair{"A", left}, {"B", middle}, {"B − A", right}})
    EXPECT_NEAR(figure.only(title).x, middle_x(place), 1e-6);
  EXPECT_TRUE(left.right() < middle.x && middle.right() < right.x);
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k < 4; ++k) {
      const auto at = static_cast<std::size_t>(4 * q + k);
      const bool in_a = q < 3 && k < 3;
      const float of_a = in_a ? a->blocks.front().maps->weight(0, 1, q, k) : 0,
                  of_b = b->blocks.front().maps->weight(0, 1, q, k);
      EXPECT_EQ(figure.maps[0].values[at], of_a);
      EXPECT_EQ(figure.maps[1].values[at], of_b);
      EXPECT_EQ(figure.maps[2].values[at], in_a ? of_b - of_a : 0);
      EXPECT_EQ(figure.maps[0].states[at], in_a ? cell_shown : cell_filtered);
      EXPECT_EQ(figure.maps[1].states[at], cell_shown) << "only B has it";
      EXPECT_EQ(figure.maps[2].states[at], in_a ? cell_shown : cell_filtered);
    }
  const auto c = compare_layers(filter_layer(first_block(a), 0, {}), filter_layer(first_block(b), 0, {}));
  const ColorRange both = comparison_look(*c, session.view.range).weights[1];
  EXPECT_EQ(figure.maps[0].range, (std::array{both.low, both.high, 0.0F})) << "of this head";
  EXPECT_EQ(figure.maps[0].range, figure.maps[1].range) << "one colour is one weight";
  EXPECT_EQ(figure.maps[2].range[0], -figure.maps[2].range[1]);
  EXPECT_EQ(figure.maps[2].colors, &diverging_colors(Theme::light));
  EXPECT_EQ(std::ranges::count(figure.texts, "cat → dog"), 3 + 3) << "at both axes of each map";
}

}  // namespace headscope::tests

#include "core/figure/figure_size.h"
#include "core/scene/comparison_look.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

std::string svg_of(const std::shared_ptr<const Trace>& trace, const Session& session,
                   const std::shared_ptr<const Trace>& b = nullptr) {
  const std::string svg = drawn(FigureFormat::svg, trace, session, Language::en, 1152, 576, 100, b);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  return svg;
}

TEST(FigureLines, join_the_columns_in_the_colours_of_the_heads) {
  Session session = session_with(&View::kind, ViewKind::lines);
  const auto trace = trace_of("one two three", 4);
  const std::string all = svg_of(trace, session);
  EXPECT_EQ(count(all, ">two<"), 2U);  // as query and as key
  EXPECT_EQ(count(all, ">Head 3<"), 1U);
  const Rgb third = head_color(2, 4);
  const std::string stroke = fmt::format("stroke=\"#{:02x}{:02x}{:02x}\"", third.r, third.g, third.b);
  EXPECT_EQ(count(all, stroke), 9U);  // three queries times three keys, no weight of that head is 0
  // Each line covers weaker ones with the page's colour.
  EXPECT_EQ(2 * count(all, "stroke=\"#ffffff\" stroke-width"), count(all, "stroke-opacity"));
  session.view.hidden_heads = {2};
  const std::string hidden = svg_of(trace, session);
  EXPECT_EQ(count(hidden, stroke), 0U);
  EXPECT_EQ(count(hidden, ">Head 3<"), 0U);
}

TEST(FigureLayers, show_every_head_of_every_layer) {
  const std::string svg =
      svg_of(trace_of("one two three", 4, {}, 3), session_with(&View::kind, ViewKind::layers));
  EXPECT_EQ(count(svg, "shape-rendering"), 12U);
  EXPECT_EQ(count(svg, ">Layer 3<"), 1U);
  EXPECT_EQ(count(svg, ">Head 4<"), 1U);
  for (const char* end : {">highest<", ">lowest<", ">Attention weight · Per head<"})
    EXPECT_EQ(count(svg, end), 1U) << end;
}

TEST(FigureLayers, have_one_color_bar_with_numbers_where_all_share_their_range) {
  for (const Range range : {Range::unit, Range::shared, Range::logarithm}) {
    const std::string svg =
        svg_of(trace_of("one two three", 4, {}, 3),
               session_with(&View::kind, ViewKind::layers, &View::range, RangeChoice{range}));
    EXPECT_EQ(count(svg, ">highest<"), 0U);
    EXPECT_EQ(count(svg, ">1<"), range == Range::unit ? 1U : 0U);
  }
}

TEST(FigureCompare, shows_both_sides_their_difference_and_what_changed) {
  const Session session = session_with(&View::kind, ViewKind::compare, &View::head, 1);
  const auto a = trace_of("the cat sat", 2), b = trace_of("the dog sat down", 2);
  const std::string svg = svg_of(a, session, b);
  for (const char* text : {">A<", ">B<", ">B − A<", ">Head 2<", ">cat → dog<", ">+ down<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(count(svg, "shape-rendering"), 3U);
}

TEST(FigureCompare, is_the_grid_without_another_side) {
  EXPECT_EQ(count(svg_of(trace_of("the cat sat", 5), session_with(&View::kind, ViewKind::compare)),
                  "shape-rendering"),
            5U);
}

TEST(FigureHeadTable, is_a_table_sorted_as_the_view_says) {
  const Session session = session_with(&View::kind, ViewKind::head_table, &View::sort, HeadSort{"entropy"});
  const auto trace = trace_of(word_tokens("one two"), word_tokens("one two"),
                              {{1, 0, 1, 0}, {0.5F, 0.5F, 1, 0}, {1, 0, 0, 1}});
  const std::string svg = svg_of(trace, session);
  EXPECT_LT(svg.find(">Head 2<"), svg.find(">Head 1<"));
  EXPECT_THAT(svg, AllOf(HasSubstr(">0.500<"), HasSubstr(">Entropy<")));
}

TEST(FigureHeadTable, shows_how_alike_the_heads_are_in_groups) {
  Session session = session_with(&View::kind, ViewKind::head_table);
  const auto trace = trace_of("one two", 5);
  const std::string plain = svg_of(trace, session);
  EXPECT_EQ(count(plain, "shape-rendering"), 1U);  // the matrix
  EXPECT_EQ(count(plain, ">Group<"), 0U);
  session.view.table.groups = 3;
  session.view.sort.by = "similarity";
  const std::string svg = svg_of(trace, session);
  EXPECT_EQ(count(svg, ">Group<"), 1U);
  EXPECT_GE(count(svg, ">3<"), 3U);  // the third head, the third cluster next to the matrix and in the table
  EXPECT_EQ(count(svg_of(trace_of("one two", 1), session), "shape-rendering"), 0U);  // nothing to compare
}

TEST(FigureHeadTable, many_heads_are_in_blocks_that_can_be_read) {
  const Session session = session_with(&View::kind, ViewKind::head_table, &View::table,
                                       TableOptions{.groups = 9}, &Inputs::layers, 12);
  const std::string svg = svg_of(trace_of("one two three", 12, {}, 12), session);
  EXPECT_GT(count(svg, ">Entropy<"), 1U);  // a title for each block
  EXPECT_GE(count(svg, ">12.12<"), 1U);
  double smallest = 100;
  for (std::size_t at = svg.find("font-size=\""); at != std::string::npos;
       at = svg.find("font-size=\"", at + 1))
    smallest = std::min(smallest, std::stod(svg.substr(at + 11)));
  EXPECT_GE(smallest, 5);  // points
}

constexpr const char* fifteen = "the old cat sat on a mat and my dog lay by his red rug";

/// What a figure as high as it needs names, of the tokens below each other in its first column.
void expect_all_named(Session session, const std::shared_ptr<const Trace>& trace, double width,
                      const std::shared_ptr<const Trace>& other = nullptr) {
  const Scene scene = scene_of(session, trace, other);
  FigureOptions options{.width = width};
  const RecordingCanvas figure = recorded(scene, 72 * width, 72 * figure_height(scene, options));
  for (const Token& token : trace->blocks.front().tokens) {
    SCOPED_TRACE(token.text);
    const auto named = std::ranges::count(figure.texts, token.text);
    EXPECT_GE(named, 2) << "as a query and as a key";
  }
  for (const auto& text : figure.written) EXPECT_GE(text.style.size, 5 - 1e-6) << text.where();
}

TEST(FigureGrid, a_column_names_every_token) {
  expect_all_named({}, trace_of("the old cat sat on a mat and my dog", 12), 3.4);
  expect_all_named({}, trace_of(fifteen, 4), 3.4);
  expect_all_named({}, trace_of(fifteen, 8), 7);
}

TEST(FigureCompare, a_column_names_every_token) {
  expect_all_named(session_with(&View::kind, ViewKind::compare), trace_of(fifteen, 4), 3.4,
                   trace_of(fifteen, 4));
}

TEST(FigureGrid, what_has_no_label_is_told) {
  const auto note = [](const std::string& sentence, double size) {
    FigureFindings findings;
    figure_picture(scene_of({}, trace_of(sentence, 4)), {.width = size, .height = size, .dpi = 20},
                   &findings);
    return findings_text(Translator(), findings);
  };
  EXPECT_EQ(note(fifteen, 7), "");
  EXPECT_THAT(note(fifteen, 2), testing::HasSubstr("has a label"));
}

TEST(FigureGrid, maps_have_letters_if_wanted) {
  TextShaper shaper;
  RecordingCanvas canvas(shaper);
  const FigureStyle style = figure_style(Theme::light);
  const Translator tr;
  draw_view({canvas, measure_with(shaper), style, tr, {}, {.letters = Letters::parentheses}},
            scene_of({}, trace_of("a b c", 3)), 600, 300);
  for (const char* title : {"(a) Head 1", "(b) Head 2", "(c) Head 3"}) canvas.only(title);
  RecordingCanvas bold(shaper);
  draw_view({bold, measure_with(shaper), style, tr, {}, {.letters = Letters::bold}},
            scene_of({}, trace_of("a b c", 3)), 600, 300);
  for (const char* title : {"Head 1", "Head 2", "Head 3"}) bold.only(title);
}

TEST(FigureCompare, sides_are_named_by_what_differs) {
  const Translator tr;
  using Names = std::array<std::string, 2>;
  Inputs a, b;
  EXPECT_EQ(side_names(tr, a, b, true), Names{});
  b.temperature = 0.5;
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"Temperature 1", "Temperature 0.5"}));
  EXPECT_EQ(side_names(tr, a, b, true, true), (Names{"1", "0.5"}));
  b.seed = 7;
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"Seed 42, Temperature 1", "Seed 7, Temperature 0.5"}));
  b.dropout = 0.5;
  EXPECT_EQ(side_names(tr, a, b, true), Names{}) << "three fields";
  a.vectors = VectorKind::embedding;
  b = a;
  b.positions = Positions::sinusoidal;
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"Positions: none", "Positions: sinusoidal"}));
  b = a;
  b.scale = !a.scale;
  b.sentence = "another";
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"scaled", "not scaled"})) << "texts are shown themselves";
  b = a;
  b.mask = {parse_mask_part("causal"), parse_mask_part("window:2")};
  EXPECT_EQ(side_names(tr, a, b, true)[1], "Causal + Window (w = 2)");
  b = a;
  b.kv_heads = 1;
  EXPECT_EQ(side_names(tr, a, b, true)[0], fmt::format("Key-value heads {}", a.heads));
  a.model = "a model";
  b = a;
  b.ablated_heads = {{BlockKind::self, 0, 1}};
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"all heads", "without 1.2"}));
  EXPECT_EQ(side_names(tr, b, a, false), (Names{"without head 2", "all heads"}));
  b = a;
  b.mask = {parse_mask_part("causal")};
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"no mask", "Causal"}));
  b.mask = {parse_mask_part("window:3")};
  EXPECT_EQ(side_names(tr, a, b, true), (Names{"no mask", "Window (w = 3)"}));
}

TEST(FigureScatter, names_of_outlying_heads_cover_no_point) {
  Session session = session_with(&View::kind, ViewKind::head_table);
  session.view.table.half = TableHalf::scatter;
  const auto trace = trace_of("the cat sat on the mat again", 12, {parse_mask_part("causal")}, 4);
  const RecordingCanvas figure = recorded(scene_of(session, trace), 500, 380);
  std::vector<Rect> points;
  for (const auto& [rect, color] : figure.fills)
    if (std::abs(rect.width - rect.height) < 1e-9 && rect.width > 4 && rect.width < 6.5)
      points.push_back(rect);
  ASSERT_GE(points.size(), 48U);
  int names = 0;
  for (const auto& text : figure.written) {
    const bool named = text.text.size() <= 4 && text.text.find('.') != std::string::npos &&
                       text.style.anchor == Anchor::start;
    names += named ? 1 : 0;
    for (const Rect& point : points)
      EXPECT_FALSE(text.box.x < point.right() && point.x < text.box.right() && text.box.y < point.bottom() &&
                   point.y < text.box.bottom())
          << text.where();
  }
  EXPECT_GE(names, 1);
}

}  // namespace headscope::tests

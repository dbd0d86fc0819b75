#include "core/analysis/comparison.h"
#include "core/analysis/statistics.h"
#include "core/scene/scene.h"
#include "tests/support/figures.h"

namespace headscope::tests {

Scene scene_of(const View& view, int layers = 2, const std::optional<Locked>& locked = {},
               const std::vector<int>& order = {}, const std::shared_ptr<const Trace>& other = nullptr) {
  return make_scene(first_block(synthetic_trace(4, 6, 5, layers)), other ? first_block(other) : nullptr, view,
                    {{1, 2, "mover", 0xff0000U}}, {order, nullptr}, locked);
}

TEST(Scene, says_which_heads_are_drawn_in_which_order) {
  const Locked locked{{3, 0, 0}, false};
  const auto other = synthetic_trace(2, 6, 6);
  const struct {
    ViewKind kind;
    std::optional<int> head;
    std::set<int> hidden;
    std::vector<int> order;
    std::optional<Locked> locked;
    std::vector<int> drawn;
  } cases[] = {
      {ViewKind::grid, {}, {}, {}, {}, {0, 1, 2, 3}},
      {ViewKind::grid, 2, {}, {}, {}, {0, 1, 2, 3}},  // a head that was viewed on its own before
      {ViewKind::grid, {}, {1}, {2, 1, 0, 3}, locked, {2, 0, 3}},
      {ViewKind::grid, {}, {0, 1, 2, 3}, {}, {}, {0, 1, 2, 3}},
      {ViewKind::lines, 2, {0}, {3, 2, 1, 0}, {}, {3, 2, 1}},
      {ViewKind::head, 2, {2}, {}, locked, {2}},
      {ViewKind::head, {}, {0}, {}, {}, {1}},
      {ViewKind::head, {}, {2}, {2, 1, 0, 3}, {}, {1}},
      {ViewKind::head, {}, {}, {}, locked, {3}},
      {ViewKind::head, 9, {}, {}, {}, {0}},
      {ViewKind::compare, 3, {}, {}, {}, {1}},  // B has two heads only
  };
  for (const auto& [kind, head, hidden, order, lock, drawn] : cases) {
    View view;
    view.kind = kind;
    view.head = head;
    view.hidden_heads = hidden;
    const Scene scene = scene_of(view, 2, lock, order, kind == ViewKind::compare ? other : nullptr);
    EXPECT_EQ(scene.drawn_heads(), drawn) << static_cast<int>(kind);
  }
}

TEST(Scene, needs_the_maps_that_it_draws_or_takes_colours_from) {
  View view;
  view.hidden_heads = {1};
  EXPECT_THAT(heads_in_view(scene_of(view, 2, {}, {3, 2, 1, 0})), ElementsAre(0, 2, 3));
  view.range.kind = Range::shared;
  EXPECT_THAT(heads_in_view(scene_of(view)), ElementsAre(0, 1, 2, 3));
  view.range.kind = Range::logarithm;
  EXPECT_THAT(heads_in_view(scene_of(view)), ElementsAre(0, 1, 2, 3));
  view.range.kind = Range::head;
  view.kind = ViewKind::head;
  EXPECT_THAT(heads_in_view(scene_of(view)), ElementsAre(0));
  view.kind = ViewKind::compare;
  EXPECT_THAT(heads_in_view(scene_of(view)), ElementsAre(0, 1, 2, 3));
  view.kind = ViewKind::head_table;
  EXPECT_TRUE(heads_in_view(scene_of(view)).empty());
}

TEST(Scene, leads_back_to_layers_that_there_are) {
  View view;
  view.layer = 11;
  EXPECT_EQ(scene_of(view).view.layer, 1);
}

TEST(Scene, titles_have_names_and_groups) {
  const Translator tr(Language::en);
  Scene scene = scene_of({});
  EXPECT_EQ(head_title(tr, scene.labels, 0, 2), "Head 3");
  EXPECT_EQ(grid_title(tr, scene, 1, 2), "Head 3 · mover");
  EXPECT_EQ(short_head_title(scene, 1, 2), "2.3 · mover");
  EXPECT_EQ(short_head_title(scene_of({}, 1), 0, 2), "3");
  View view;
  view.sort.by = "similarity";
  view.table.groups = 4;
  scene.tree = head_order(*scene.block, view, {}).tree;
  EXPECT_THAT(grid_title(tr, scene, 1, 2), StartsWith("Head 3 · mover · group "));
  view.table.groups = 1;
  EXPECT_EQ(head_order(*scene.block, view, {}).tree, nullptr);
}

TEST(Scene, the_head_view_alone_is_zoomed) {
  View view;
  view.zoom = {1, 2, 2};
  EXPECT_EQ(shown_part(scene_of(view), 6, 5), (CellPart{0, 6, 0, 5}));
  view.kind = ViewKind::head;
  EXPECT_EQ(shown_part(scene_of(view), 6, 5), (CellPart{1, 4, 2, 4.5}));
  view.zoom.query = 1000;
  EXPECT_EQ(shown_part(scene_of(view), 6, 5), (CellPart{3, 6, 2, 4.5})) << "never beyond the map";
}

TEST(Scene, lines_of_the_locked_token_are_alone_unless_it_is_left_out) {
  View view;
  view.filter.hidden_queries = {0};
  const auto alone = [&](const Locked& locked) {
    const Scene scene = scene_of(view, 2, locked);
    const TokenPlace place = token_alone(scene, *filter_layer(scene.block, 0, view.filter));
    return std::pair(place.row, place.column);
  };
  EXPECT_EQ(alone({{0, 2, 3}, false}), std::pair(1, -1));
  EXPECT_EQ(alone({{0, 2, 3}, true}), std::pair(-1, 3));
  EXPECT_EQ(alone({{0, 0, 3}, true}), std::pair(-1, -1));
}

TEST(Scene, says_what_a_filter_does_to_the_numbers) {
  const Translator tr(Language::en);
  Filter filter;
  EXPECT_EQ(filter_note(tr, filter, false), "");
  filter.top_percent = 50;
  filter.threshold = 0.25;
  EXPECT_EQ(filter_note(tr, filter, true),
            "rows renormalized over the keys shown · top 50% of each row's weight · weights ≥ 0.25");
}

// Figures

TEST(FigureScene, the_grid_shows_all_heads_though_one_was_looked_at_alone) {
  View view;
  view.head = 2;
  EXPECT_EQ(recorded(scene_of(view)).maps.size(), 4U);
  view.kind = ViewKind::head;
  EXPECT_EQ(recorded(scene_of(view)).maps.size(), 1U);
}

TEST(FigureScene, a_zoomed_head_shows_its_part_with_its_tokens_and_numbers) {
  View view;
  view.kind = ViewKind::head;
  view.zoom = {20.5, 30, 10};
  const Scene scene = make_scene(first_block(synthetic_trace(2, 100, 80)), nullptr, view, {}, {});
  const RecordingCanvas figure = recorded(scene);
  ASSERT_EQ(figure.maps.size(), 1U);
  EXPECT_EQ(figure.maps[0].part, (CellPart{20.5, 30.5, 30, 38}));
  EXPECT_THAT(figure.texts, testing::IsSupersetOf({"w21", "w29", "k30", "k37"}));
  for (const char* outside : {"w0", "w32", "k29", "k38"}) EXPECT_THAT(figure.texts, Not(Contains(outside)));
  EXPECT_THAT(figure.texts, Contains("0.70")) << "numbers fit now";
  view.numbers = Numbers::off;
  EXPECT_THAT(recorded(make_scene(scene.block, nullptr, view, {}, {})).texts, Not(Contains("0.70")));
}

TEST(FigureScene, every_format_draws_the_part_alone) {
  Session session;
  session.view.kind = ViewKind::head;
  const auto trace = synthetic_trace(1, 12, 12);
  const std::string whole = drawn(FigureFormat::svg, trace, session);
  session.view.zoom = {2.5, 3, 3};
  const std::string part = drawn(FigureFormat::svg, trace, session);
  EXPECT_TRUE(well_formed(part));
  EXPECT_EQ(count(whole, "<clipPath"), 0U);
  EXPECT_EQ(count(part, "<clipPath"), 1U);
  EXPECT_EQ(count(part, ">w2<"), 1U) << "half a row, and no column";
  EXPECT_EQ(count(part, ">w7<"), 0U);
  EXPECT_LT(part.size(), whole.size());
  EXPECT_GT(drawn(FigureFormat::pdf, trace, session).size(), 1000U);
  const std::string png = drawn(FigureFormat::png, trace, session);
  session.view.zoom = {};
  EXPECT_NE(png, drawn(FigureFormat::png, trace, session));
}

TEST(FigureScene, rows_without_keys_are_said_in_the_part_that_is_shown) {
  Session session;
  session.view.kind = ViewKind::head;
  const auto trace = synthetic_trace(1, 12, 12, 1, mask_parts({"causal", "padding:0"}));
  const auto said = [&] { return count(drawn(FigureFormat::svg, trace, session), ">no key to attend to<"); };
  EXPECT_EQ(said(), 1U);
  session.view.zoom = {4, 0, 3};
  EXPECT_EQ(said(), 0U);
  session.view.zoom = {0, 4, 3};
  EXPECT_EQ(said(), 1U);
}

TEST(FigureScene, lines_are_those_of_the_locked_token) {
  View view;
  view.kind = ViewKind::lines;
  EXPECT_EQ(recorded(scene_of(view)).lines, 4 * 6 * 5);
  EXPECT_EQ(recorded(scene_of(view, 2, Locked{{0, 2, 3}, false})).lines, 4 * 5);
  EXPECT_EQ(recorded(scene_of(view, 2, Locked{{0, 2, 3}, true})).lines, 4 * 6);
}

TEST(FigureScene, shows_the_half_of_the_table_that_is_shown) {
  View view;
  view.kind = ViewKind::head_table;
  const auto shows = [&](TableHalf half) {
    view.table.half = half;
    const RecordingCanvas figure = recorded(scene_of(view));
    return std::pair(std::ranges::count(figure.texts, "Entropy") > 0, figure.maps.size());
  };
  EXPECT_EQ(shows(TableHalf::both), std::pair(true, std::size_t{1}));
  EXPECT_EQ(shows(TableHalf::numbers), std::pair(true, std::size_t{0}));
  EXPECT_EQ(shows(TableHalf::similarity), std::pair(false, std::size_t{1}));
}

TEST(FigureScene, layers_say_what_a_filter_does_to_the_numbers) {
  View view;
  view.kind = ViewKind::layers;
  view.filter.threshold = 0.25;
  EXPECT_THAT(recorded(scene_of(view)).texts, Contains("weights ≥ 0.25"));
}

// Another source

TEST(Blocks, every_view_takes_any) {
  const auto trace = three_blocks();
  const struct {
    BlockKind kind;
    std::size_t layers, heads;
  } blocks[] = {{BlockKind::encoder, 2, 3}, {BlockKind::decoder, 2, 2}, {BlockKind::cross, 1, 4}};
  for (const auto& [kind, layers, heads] : blocks) {
    Session session;
    session.view.block = kind;
    session.view.layer = 1;
    const auto shows = [&](ViewKind view) {
      session.view.kind = view;
      return recorded(scene_of(session, trace, trace));
    };
    EXPECT_EQ(shows(ViewKind::grid).maps.size(), heads);
    EXPECT_EQ(shows(ViewKind::head).maps.size(), 1U);
    EXPECT_GT(shows(ViewKind::lines).lines, 0);
    EXPECT_EQ(shows(ViewKind::layers).maps.size(), layers * heads);
    EXPECT_EQ(shows(ViewKind::compare).maps.size(), 3U);
    const RecordingCanvas table = shows(ViewKind::head_table);
    EXPECT_EQ(table.maps.size(), 1U);
    const std::string last = layers > 1 ? fmt::format("2.{}", heads) : std::to_string(heads);
    EXPECT_THAT(table.texts, Contains(last));
  }
}

TEST(Blocks, a_block_has_its_own_tokens_mask_and_numbers) {
  const auto trace = three_blocks();
  View view;
  view.block = BlockKind::cross;
  const auto cross = block_of(trace, view.block), decoder = block_of(trace, BlockKind::decoder);
  const RecordingCanvas figure = recorded(make_scene(cross, nullptr, view, {}, {}));
  EXPECT_THAT(figure.texts, testing::IsSupersetOf({"an", "dog", "the", "down"}));
  EXPECT_EQ(figure.maps[3].values.size(), 12U);
  EXPECT_EQ(figure.maps[3].values[5], cross->maps->weight(0, 3, 1, 1));
  const RecordingCanvas causal = recorded(make_scene(decoder, nullptr, view, {}, {}));
  EXPECT_THAT(causal.maps[1].states, ElementsAre(0, 1, 1, 0, 0, 1, 0, 0, 0));
  EXPECT_EQ(block_statistics(*decoder, {})->layers.size(), 2U);
  EXPECT_EQ(head_similarity(*cross)->heads.size(), 4U);
  const auto alike = compare_layers(filter_layer(cross, 0, {}), filter_layer(cross, 0, {}));
  EXPECT_EQ(alike->heads, 4);
  EXPECT_EQ(std::ranges::max(alike->largest), 0);
}

TEST(FigureScene, the_title_counts_the_heads_that_are_shown_and_notes_are_short) {
  Session session;
  session.view.hidden_heads = {1, 3};
  session.view.filter.threshold = static_cast<double>(0.003F);  // as a slider sets it
  const std::string svg = drawn(FigureFormat::svg, trace_of("one two three", 5), session);
  EXPECT_THAT(svg, AllOf(HasSubstr("Attention of 3 heads"), HasSubstr("weights ≥ 0.003<")));
}

}  // namespace headscope::tests

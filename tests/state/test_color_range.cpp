#include "app/state/document/undo_steps.h"
#include "app/state/view/color_range.h"
#include "app/state/view/compared_cell.h"
#include "core/session/session.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class ColorRanges : public StateFixture {
 protected:
  std::vector<ColorRange> drawn() {
    const auto shown = app.shown();
    return drawn_ranges(app.view_cache, app.scene(shown->block), *shown);
  }
  bool holds() const { return app.state.view.range.holds(); }
  void expect_ends(const std::vector<ColorRange>& expected) {
    const std::vector<ColorRange> now = drawn();
    ASSERT_EQ(now.size(), expected.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_EQ(now[i].low, expected[i].low) << i;
      EXPECT_EQ(now[i].high, expected[i].high) << i;
    }
  }
  /// The colours that a head's map has, of 256.
  int colors_of(int head) {
    const auto shown = app.shown();
    const ColorRange range = drawn()[static_cast<std::size_t>(head)];
    const auto [low, high] =
        std::minmax_element(shown->weights(head), shown->weights(head) + shown->n_q() * shown->n_k());
    return range.index(*high) - range.index(*low);
  }
};

TEST_F(ColorRanges, fixed_limits_begin_where_the_range_was) {
  app.state.view.range.kind = Range::shared;
  frame();
  const ColorRange before = drawn().front();
  set_range(app.state, Range::fixed, drawn());
  EXPECT_NEAR(drawn().front().low, before.low, 1e-3);
  EXPECT_NEAR(drawn().front().high, before.high, 1e-3);
  EXPECT_FALSE(drawn().front().below || drawn().front().above);
  set_limits(app.state, {0.5, 0.5});
  EXPECT_TRUE(app.state.refused_limits);
  EXPECT_NE(app.state.view.range.limits, (ColorLimits{0.5, 0.5}));
  set_limits(app.state, {0.1, 0.5});
  EXPECT_FALSE(app.state.refused_limits);
  EXPECT_EQ(app.state.view.range.limits, (ColorLimits{0.1, 0.5}));
}

TEST_F(ColorRanges, a_temperature_that_makes_weights_equal_looks_flat) {
  for (const Range kind : {Range::head, Range::shared, Range::percentile, Range::logarithm}) {
    app.state.view.range = {kind};
    app.inputs.temperature = 1;
    frames(3);
    rescale(app.state);
    const std::vector<ColorRange> before = drawn();
    EXPECT_GT(colors_of(0), kind == Range::head ? 250 : 100);
    for (const double temperature : {2, 20, 76}) {
      app.inputs.temperature = temperature;
      frames(3);
    }
    expect_ends(before);
    EXPECT_LT(colors_of(0), 20) << to_name(kind);
    rescale(app.state);
    frames(2);
    EXPECT_GT(colors_of(0), 100);
  }
}

TEST_F(ColorRanges, what_comes_to_be_beyond_held_ends_is_said) {
  app.inputs.temperature = 0.05;
  frames(3);
  EXPECT_TRUE(drawn()[0].below && drawn()[0].above);
  app.inputs.temperature = 76;
  frames(3);
  EXPECT_FALSE(drawn()[0].below || drawn()[0].above);
}

TEST_F(ColorRanges, other_layers_hold_theirs) {
  app.inputs.layers = 3;
  app.state.view.layer = 2;
  frames(3);
  const std::vector<ColorRange> third = drawn();
  app.state.view.layer = 0;
  frames(3);
  app.inputs.temperature = 30;
  frames(3);
  app.state.view.layer = 2;
  frames(3);
  expect_ends(third);
  app.state.view.kind = ViewKind::layers;
  frames(3);
  const std::vector<ColorRange> all = drawn();
  ASSERT_EQ(all.size(), 24U);
  EXPECT_EQ(all[17].high, third[1].high);
}

TEST_F(ColorRanges, other_layers_of_a_large_model_hold_theirs_from_before_the_experiment) {
  for (int i = 0; i < 290; ++i) app.inputs.sentence += " word" + std::to_string(i % 40);
  app.inputs.layers = 3;
  app.inputs.d_model = 64;
  wait_until_idle();
  app.state.view.layer = 2;
  wait_until_idle();
  const std::vector<ColorRange> third = drawn();
  app.state.view.layer = 0;
  wait_until_idle();
  app.inputs.temperature = 30;
  frame();
  app.inputs.temperature = 40;  // while the other layers are still read
  wait_until_idle();
  app.state.view.layer = 2;
  wait_until_idle();
  expect_ends(third);
  app.state.view.kind = ViewKind::layers;
  rescale(app.state);
  wait_until_idle();
  EXPECT_FALSE(holds());
}

TEST_F(ColorRanges, rows_hold_their_ends) {
  app.state.view.range.kind = Range::row;
  frames(3);
  const std::vector<float> before = *drawn()[0].row_factors;
  app.inputs.temperature = 20;
  frames(3);
  EXPECT_TRUE(holds());
  const std::vector<float> now = *drawn()[0].row_factors;
  ASSERT_EQ(now.size(), before.size());
  for (std::size_t row = 0; row < now.size(); ++row) EXPECT_NEAR(now[row], before[row], 1e-5F * before[row]);
  EXPECT_EQ(drawn()[0].cells_beyond, 0);
  app.inputs.temperature = 0.1;
  frames(3);
  EXPECT_TRUE(drawn()[0].above);
  EXPECT_GE(drawn()[0].cells_beyond, 1);
  EXPECT_EQ(session_from_json(to_json(app.session()), "S").view.range, app.state.view.range);
}

TEST_F(ColorRanges, cells_beyond_held_ends_are_counted) {
  frames(3);
  app.inputs.mask = {{MaskKind::causal}};
  frames(3);
  const ColorRange range = drawn()[0];
  const auto shown = app.shown();
  std::int64_t beyond = 0;
  for (Index i = 0; i < shown->n_q() * shown->n_k(); ++i)
    beyond += shown->state(0)[i] == cell_shown && shown->weights(0)[i] > range.high;
  EXPECT_GT(beyond, 5);
  EXPECT_NEAR(static_cast<double>(range.cells_beyond), static_cast<double>(beyond), 1);
}

TEST_F(ColorRanges, who_comes_back_to_where_the_experiment_began_holds_nothing) {
  frames(3);
  const std::vector<ColorRange> before = drawn();
  app.inputs.temperature = 76;
  frames(3);
  EXPECT_TRUE(app.state.view.range.holds());
  app.inputs.seed = 7;
  frames(3);
  run_action(app, "undo");
  frames(3);
  EXPECT_TRUE(app.state.view.range.holds()) << "the temperature is still another";
  run_action(app, "undo");
  frames(3);
  EXPECT_FALSE(app.state.view.range.holds());
  expect_ends(before);
}

TEST_F(ColorRanges, of_a_difference_are_found_anew_when_other_heads_are_ablated) {
  app.state.view.kind = ViewKind::compare;
  app.compare = app.inputs;
  frames(3);
  app.compare->ablated_heads = {{BlockKind::self, 0, 1}};
  frames(3);
  app.compare->temperature = 2;
  frames(3);
  app.compare->ablated_heads = {{BlockKind::self, 0, 2}};
  frames(3);
  const auto is_difference = [](const HeldRange& one) { return one.map == HeldMap::difference; };
  EXPECT_TRUE(std::ranges::none_of(app.state.view.range.held, is_difference));
}

TEST_F(ColorRanges, another_document_or_another_choice_ends_it) {
  const auto change = [this](const std::function<void()>& by) {
    app.inputs.temperature *= 2;
    frames(3);
    EXPECT_TRUE(holds());
    by();
    frames(3);
  };
  change([this] { app.inputs.sentence = "Some other words"; });
  EXPECT_FALSE(holds());
  change([this] { app.inputs.heads = 4; });
  EXPECT_FALSE(holds());
  change([this] { app.inputs.layers = 2; });
  EXPECT_FALSE(holds());
  change([this] { app.state.view.cells = CellValue::score; });
  EXPECT_FALSE(holds());
  change([this] { set_range(app.state, app.state.view.range.kind, {}); });
  EXPECT_FALSE(holds());
  change([this] { app.inputs.seed = 7; });
  EXPECT_TRUE(holds());
  app.state.view.range = {Range::unit};
  app.inputs.temperature = 3;
  frames(3);
  EXPECT_TRUE(app.state.view.range.held.empty()) << "these ends are given";
}

TEST_F(ColorRanges, a_session_has_what_is_held_and_opening_one_holds_nothing) {
  const std::vector<ColorRange> before = drawn();
  app.inputs.temperature = 76;
  frames(3);
  const Session saved = session_from_json(to_json(app.session()), "S");
  EXPECT_EQ(saved.view.range, app.state.view.range);
  app.set_session(Session{});
  frames(3);
  EXPECT_FALSE(holds());
  app.set_session(saved);
  frames(3);
  expect_ends(before);
}

TEST_F(ColorRanges, undo_is_no_experiment) {
  const std::vector<ColorRange> before = drawn();
  app.inputs.temperature = 76;
  frames(3);
  rescale(app.state);
  frames(2);
  undo(app);
  frames(3);
  EXPECT_EQ(app.inputs.temperature, 1);
  EXPECT_FALSE(holds());
  expect_ends(before);
}

TEST_F(ColorRanges, a_comparison_holds_both_sides_and_their_difference) {
  app.compare = app.inputs;
  app.compare->temperature = 0.5;
  app.state.view.kind = ViewKind::compare;
  frames(4);
  const auto look = [this] {
    const auto c = app.view_cache.comparison(app.block(), app.block(Side::b), app.state.view);
    return app.view_cache.comparison_look(c, app.state.view.range);
  };
  const auto before = look();
  app.compare->temperature = 0.1;
  frames(4);
  const auto now = look();
  EXPECT_EQ(now->weights[0].high, before->weights[0].high);
  EXPECT_TRUE(now->weights[0].above);
  EXPECT_EQ(now->difference[0].high, before->difference[0].high);
  EXPECT_TRUE(now->difference[0].above);
  app.compare.reset();
  app.state.view.kind = ViewKind::grid;
  frames(3);
  for (const HeldRange& held : app.state.view.range.held) EXPECT_EQ(held.map, HeldMap::a);
}

TEST_F(ColorRanges, a_comparison_opens_on_the_head_that_changed_most) {
  app.inputs.layers = 2;
  app.state.view.kind = ViewKind::compare;
  frames(4);
  EXPECT_FALSE(app.state.view.head) << "nothing differs";
  app.compare->seed = 7;
  frames(4);
  const auto changed = app.view_cache.changed_heads(app.block(), app.block(Side::b), app.state.view);
  ASSERT_TRUE(changed && !changed->empty());
  EXPECT_EQ(app.state.view.layer, changed->front().layer);
  EXPECT_EQ(app.state.view.head, changed->front().head);
  compare_head_of(app.state, 0, 5);
  app.compare->seed = 8;
  frames(4);
  EXPECT_EQ(app.state.view.head, 5) << "a chosen head stays";
}

}  // namespace headscope::tests

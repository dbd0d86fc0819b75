#include "tests/ui/app_fixture.h"

namespace headscope::tests {

TEST_F(AppFixture, every_change_is_undone_and_redone_by_key) {
  click_each({"heads more", "heads more"});
  enter("seed", U"7");
  const Inputs changed = app.inputs;
  EXPECT_EQ(changed.heads, 32);
  press(Key::z, true);
  EXPECT_EQ(app.inputs.seed, 42U);
  press(Key::z, true);
  EXPECT_EQ(app.inputs.heads, 16) << "each click is a step of its own";
  press(Key::z, true);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_EQ(app.runners.a.trace()->inputs, Inputs{});
  press(Key::z, true);
  EXPECT_EQ(app.inputs, Inputs{}) << "nothing before the start";
  press_each({{Key::y, true}, {Key::y, true}, {Key::z, true, true}});
  EXPECT_EQ(app.inputs, changed);
}

TEST_F(AppFixture, typing_is_one_step) {
  press_each({{Key::l, true}, {Key::a, true}});
  type(U"one two");
  EXPECT_EQ(app.inputs.sentence, "one two");
  press(Key::z, true);
  EXPECT_EQ(app.inputs.sentence, notebook_sentence);
}

TEST_F(AppFixture, a_drag_is_one_step) {
  const auto [left, top, right, bottom] = place("temperature");
  const float y = (top + bottom) / 2;
  move((left + right) / 2, y);
  button(true);
  for (int i = 0; i < 8; ++i) move((left + right) / 2 + static_cast<float>(i) * 4, y);
  button(false);
  settle();
  EXPECT_GT(app.inputs.temperature, 1.2);
  EXPECT_EQ(app.undo.history.steps().size(), 2U);
  press(Key::z, true);
  EXPECT_EQ(app.inputs.temperature, 1);
}

TEST_F(AppFixture, a_field_takes_what_is_beyond_its_slider) {
  enter("temperature typed", U"0.003");
  EXPECT_DOUBLE_EQ(app.inputs.temperature, 0.003);
  enter("temperature typed", U"1e-9");
  EXPECT_DOUBLE_EQ(app.inputs.temperature, Limits::min_temperature);
}

TEST_F(AppFixture, naming_a_head_is_one_step_and_another_view_is_none) {
  press(digit_key('6'), true);
  click("name of 2");
  type(U"looks back");
  press(Key::enter);
  EXPECT_EQ(app.labels, (std::vector<HeadLabel>{{0, 1, "looks back", {}}}));
  EXPECT_EQ(app.undo.history.steps().size(), 2U);
  click_each({"groups more", "column entropy"});
  press(digit_key('1'), true);
  EXPECT_EQ(app.state.view.table.groups, 2);
  EXPECT_EQ(app.undo.history.steps().size(), 2U);
  press(Key::z, true);
  EXPECT_TRUE(app.labels.empty());
  press(Key::y, true);
  EXPECT_EQ(app.labels.size(), 1U);
}

TEST_F(AppFixture, a_painted_stroke_is_one_step) {
  app.state.brush.on = true;
  frames(2);
  const auto [left, top, right, bottom] = place("map 1");
  const float cell = (right - left) / 10, y = top + 2.5F * cell;
  for (const int row : {0, 1}) {
    move(left + 1.5F * cell, y + static_cast<float>(row) * cell);
    button(true);
    for (int i = 2; i <= 7; ++i)
      move(left + (static_cast<float>(i) + 0.5F) * cell, y + static_cast<float>(row) * cell);
    button(false);
    settle();
  }
  ASSERT_EQ(app.inputs.mask.size(), 1U);
  EXPECT_EQ(app.inputs.mask[0].painted, (std::vector<PaintedRun>{{-1, 2, 1, 8}, {-1, 3, 1, 8}}));
  EXPECT_EQ(app.undo.history.steps().size(), 3U) << "two strokes";
  press(Key::z, true);
  EXPECT_EQ(app.inputs.mask[0].painted, (std::vector<PaintedRun>{{-1, 2, 1, 8}}));
  press(Key::z, true);
  EXPECT_TRUE(app.inputs.mask.empty());
}

}  // namespace headscope::tests

#include "app/state/actions/actions.h"
#include "app/state/actions/present.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/caption.h"
#include "app/state/view/steps.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/steps_board.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class Steps : public StateFixture {
 protected:
  Steps() { press(digit_key('7'), true); }
  const std::string& stage() { return app.state.view.steps.stage; }
};

TEST_F(Steps, keys_go_through_the_stages) {
  EXPECT_EQ(app.state.view.kind, ViewKind::steps);
  press(Key::space);
  EXPECT_EQ(stage(), "projections");
  press(Key::page_down);
  EXPECT_EQ(stage(), "products");
  press(Key::space, false, true);
  press(Key::page_up);
  press(Key::page_up);
  EXPECT_EQ(stage(), "x") << "at the first one they stop";
  for (int i = 0; i < 20; ++i) press(Key::space);
  EXPECT_EQ(stage(), "output") << "and at the last";
  press(Key::home);
  EXPECT_EQ(stage(), "x");
}

TEST_F(Steps, keys_read_what_is_higher_than_its_room_to_the_end_first) {
  StepsRoom& room = app.state.steps_room;
  for (const Key key : {Key::space, Key::page_down}) {
    app.state.view.steps.stage = "x";
    room = {.below = true};
    press(key);
    EXPECT_EQ(stage(), "x");
    EXPECT_EQ(room.wanted, 1);
    room = {.above = true};
    press(key);
    EXPECT_EQ(stage(), "projections");
    EXPECT_TRUE(room.from_top);
    press(Key::page_up);
    EXPECT_EQ(stage(), "x") << "back at once";
  }
  ASSERT_TRUE(play_lesson(app, "by-hand"));
  frames(3);
  EXPECT_TRUE(room.anew) << "nothing draws it here";
  room = {.below = true};
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 0);
  EXPECT_EQ(room.wanted, 1);
  room = {};
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 1);
  press(Key::page_down);
  EXPECT_EQ(app.state.steps.component, 1) << "its second number";
}

TEST_F(Steps, keys_scroll_a_page_without_steps) {
  app.state.view.steps.page = StepsPage::cost;
  for (const int by : {1, -1}) {
    app.state.steps_room = {.above = true, .below = true};
    press(by > 0 ? Key::page_down : Key::page_up);
    EXPECT_EQ(app.state.steps_room.wanted, by);
  }
}

TEST_F(Steps, space_paints_and_nothing_else_while_the_brush_is_on) {
  app.state.brush.on = true;
  press(Key::space);
  press(Key::space, false, true);
  EXPECT_EQ(stage(), "");
  press(Key::page_down);
  EXPECT_EQ(stage(), "projections");
}

TEST_F(Steps, keys_belong_to_the_panel_that_they_go_through) {
  app.state.panel = Panel::controls;
  input.by_keys = true;
  press(Key::space);
  EXPECT_EQ(stage(), "");
  app.state.panel = Panel::maps;
  press(Key::space);
  EXPECT_EQ(stage(), "projections");
  app.state.view.kind = ViewKind::grid;
  press(Key::space);
  EXPECT_EQ(stage(), "projections") << "nor to other views";
}

TEST_F(Steps, play_shows_one_after_the_other_and_stops_at_the_last) {
  run_action(app, "play steps");
  std::vector<std::string> seen;
  for (int i = 0; i < 60 && app.state.next_step; ++i) {
    frame();
    if (seen.empty() || seen.back() != stage()) seen.push_back(stage());
  }
  EXPECT_FALSE(app.state.next_step);
  EXPECT_EQ(seen.size(), 8U);
  EXPECT_EQ(stage(), "output");
  run_action(app, "play steps");
  EXPECT_EQ(stage(), "x") << "from the beginning";
  run_action(app, "play steps");
  EXPECT_FALSE(app.state.next_step) << "the same again ends it";
  run_action(app, "play steps");
  press(Key::page_down);
  EXPECT_FALSE(app.state.next_step) << "so does who goes on by hand";
}

TEST_F(Steps, have_all_of_the_run_that_they_show) {
  const Scene scene = app.scene(app.block());
  ASSERT_TRUE(scene.trace);
  EXPECT_TRUE(has_arithmetic(*scene.block, 0));
  app.inputs.layers = 2;
  frames(2);
  EXPECT_TRUE(has_arithmetic(*app.block(), 1)) << "the last layer's context too";
  EXPECT_EQ(steps_of(app.scene(app.block())).back(), "norm");
}

TEST_F(Steps, begin_with_the_cell_that_the_pointer_is_on) {
  app.state.view.kind = ViewKind::grid;
  frame();
  EXPECT_FALSE(app.state.lock) << "a cell that nobody chose is left with the steps";
  app.state.hover = Cell{3, 4, 2};
  press(digit_key('7'), true);
  EXPECT_EQ(app.state.lock, (Cell{3, 4, 2}));
}

TEST_F(Steps, lock_the_cell_that_they_show) {
  const auto shown = [&] {
    const CellPlace place = steps_cell(app.scene(app.block()));
    return Cell{place.head, place.query, place.key};
  };
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(*app.state.lock, shown());
  app.state.lock = Cell{2, 8, 8};
  app.inputs.sentence = "one two three";
  frames(3);
  ASSERT_TRUE(app.state.lock) << "another one where that is gone";
  EXPECT_EQ(*app.state.lock, shown());
  app.state.lock = Cell{2, 1, 1};
  frames(2);
  press(Key::escape);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
  EXPECT_TRUE(app.state.lock) << "a chosen one stays";
  press(Key::escape);
  EXPECT_FALSE(app.state.lock);
  app.state.view.kind = ViewKind::steps;
  start_presentation(app);
  frames(2);
  const auto trace = app.shown();
  EXPECT_TRUE(caption_of(app.tr, app.state, *trace, app.labels, nullptr)) << "a caption for the back row";
}

TEST_F(Steps, of_the_streamed_softmax_are_its_blocks) {
  app.state.view.steps.page = StepsPage::streaming;
  const std::vector<std::string> steps = steps_of(app.scene(app.block()));
  ASSERT_GT(steps.size(), 1U);
  press(Key::home);
  EXPECT_EQ(stage(), steps.front());
  press(Key::space);
  EXPECT_EQ(stage(), steps[1]);
  app.state.view.steps.page = StepsPage::cost;
  press(Key::space);
  EXPECT_EQ(stage(), steps[1]) << "what is no sequence has none";
}

}  // namespace headscope::tests

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "app/state/actions/actions.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

TEST_F(StateFixture, a_change_is_run_and_shown_in_the_next_frame) {
  app.inputs.sentence = "two words";
  frame();
  const Frame shown = frame();
  EXPECT_EQ(shown.block->n_q(), 2);
  EXPECT_EQ(shown.shown->block, shown.block);
  EXPECT_FALSE(shown.stale);
  EXPECT_EQ(shown.scene->heads.size(), 8U);
}

TEST_F(StateFixture, inputs_that_cannot_be_run_keep_the_last_good_picture) {
  const auto before = frame().block;
  app.inputs.temperature = 0;
  const Frame shown = frames(2);
  EXPECT_FALSE(shown.error.empty());
  EXPECT_EQ(app.runners.a.trace()->inputs, Inputs{});
  EXPECT_EQ(shown.block, before);
}

TEST_F(StateFixture, the_view_is_led_back_to_what_there_is) {
  app.state.lock = Cell{7, 9, 9};
  app.state.view.head = 7;
  app.state.view.filter.hidden_keys = {9};
  app.inputs.heads = 2;
  app.inputs.sentence = "one two";
  frames(2);
  EXPECT_FALSE(app.state.view.head);
  EXPECT_FALSE(app.state.lock);
  EXPECT_TRUE(app.state.view.filter.hidden_keys.empty());
}

TEST(Frame, keeps_the_filter_of_a_session_until_the_first_run) {
  App app;
  app.state.view.filter.hidden_keys = {1};
  begin_frame(app, {});
  EXPECT_EQ(app.state.view.filter.hidden_keys, std::set<int>{1});
}

TEST_F(StateFixture, a_locked_cell_chooses_its_head_in_every_view) {
  app.state.view.head = 2;
  app.state.lock = Cell{1, 3, 0};
  frame();
  app.state.view.kind = ViewKind::steps;
  EXPECT_EQ(frame().scene->head, 1);
  // In the compare view it stays chosen when the cell is released.
  app.state.view.head.reset();
  app.state.view.kind = ViewKind::compare;
  app.state.lock = Cell{4, 3, 0};
  frames(2);
  app.state.lock.reset();
  EXPECT_EQ(frame().scene->head, 4);
  app.state.other_lock = ComparedCell{5, {0, 0}, {0, 0}};
  EXPECT_EQ(frame().scene->head, 5);
  // If no head is chosen none becomes so: Esc leads to the grid as before.
  app.state.view.kind = ViewKind::grid;
  app.state.view.head.reset();
  app.state.lock = Cell{4, 3, 0};
  frames(2);
  EXPECT_FALSE(app.state.view.head);
}

TEST_F(StateFixture, the_comparison_runs_both_sides) {
  app.state.view.kind = ViewKind::compare;
  app.compare = app.inputs;
  app.compare->sentence = "three short words";
  app.state.edits = Side::b;
  run_action(app, "more heads");
  const Frame shown = frames(2);
  EXPECT_EQ(shown.other.block->n_q(), 3);
  EXPECT_EQ(shown.other.block->heads(), 16);
  EXPECT_EQ(app.runners.a.trace()->inputs, Inputs{});
}

TEST(Frame, a_long_run_wakes_the_window_and_is_taken_over) {
  std::atomic<int> woken = 0;
  {
    App app([&] { ++woken; });
    begin_frame(app, {});
    end_frame(app);
    app.inputs.sentence = sentence_of(600, "word", false);
    end_frame(app);
    EXPECT_TRUE(is_busy(app));
    app.runners.a.wait();
    EXPECT_EQ(begin_frame(app, {}).block->n_q(), 600);
    app.inputs.seed = 7;
    end_frame(app);  // and the App ends while that is being run
  }
  EXPECT_GE(woken, 1);
}

// What a frame shows where runs of both sides, a key on a black screen and the pointer have come since the
// last.
std::string frame_by(const FrameSteps& poll, const FrameSteps& settle) {
  App app;
  begin_frame(app, {});
  app.state.view.kind = ViewKind::compare;
  app.compare = app.inputs;
  app.inputs.sentence = app.compare->sentence = sentence_of(300, "word", false);
  app.compare->seed = 7;
  end_frame(app);
  for (const Side side : both_sides) app.runners[side].wait();
  app.presentation.black = true;
  app.settings.theme = Theme::dark;
  app.state.hover = Cell{1, 2, 3};
  app.state.lock = Cell{1, 4, 0};
  app.state.panel = Panel::bar;
  FrameInput input;
  input.button_pressed = input.pointer_moved = true;
  const Frame shown = begin_frame(app, input, poll, settle);
  const ViewState& state = app.state;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", shown.block->n_q(), shown.other.block->n_q(),
                     shown.stale, shown.other.stale, shown.error, static_cast<int>(shown.idle),
                     shown.scene->head.value_or(-1), shown.scene->view.theme == Theme::dark,
                     state.last_hover.value_or(Cell{}).query, app.presentation.black,
                     app.input.button_pressed, state.panel_before == Panel::bar);
}

TEST(Frame, independent_steps_give_the_same_frame_in_any_order) {
  FrameSteps poll = poll_steps(), settle = settle_steps();
  const std::string usual = frame_by(poll, settle);
  EXPECT_EQ(usual, "300 300 false false  0 1 true 2 false false true");
  for (std::size_t i = 0; i < 2 * poll.size(); ++i) {
    for (FrameSteps* steps : {&poll, &settle}) std::rotate(steps->begin(), steps->begin() + 1, steps->end());
    if (i == poll.size())
      for (FrameSteps* steps : {&poll, &settle}) std::ranges::reverse(*steps);
    EXPECT_EQ(frame_by(poll, settle), usual) << i;
  }
}

}  // namespace headscope::tests

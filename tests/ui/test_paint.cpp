#include "app/panels/map/paint.h"
#include "app/panels/views/views.h"
#include "core/attention/painting.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class Painting : public UiFixture {
 protected:
  Painting() {
    panel = [](Ui& ui) { draw_grid(ui); };
    set_trace(synthetic_trace(4, 10, 10));
    state.brush.on = true;
    frames(2);
  }

  ImVec2 at(int head, int row, int column) { return cell_center(head, row, column); }
  bool blocked(int head, int query, int key) const {
    return !inputs.mask.empty() && painted_at(inputs.mask.front().painted, head, query, key);
  }
  int count(int head) const {
    int cells = 0;
    for (int q = 0; q < 10; ++q)
      for (int k = 0; k < 10; ++k) cells += blocked(head, q, k);
    return cells;
  }
};

TEST_F(Painting, click_blocks_in_all_heads_and_locks_nothing) {
  click(at(1, 2, 7));
  ASSERT_EQ(inputs.mask.size(), 1U);
  EXPECT_EQ(inputs.mask[0].kind, MaskKind::painted);
  for (int head = 0; head < 4; ++head) {
    EXPECT_TRUE(blocked(head, 2, 7));
    EXPECT_EQ(count(head), 1);
  }
  EXPECT_EQ(state.lock, std::nullopt);
}

TEST_F(Painting, drag_leaves_no_gaps_between_frames) {
  drag(at(0, 1, 1), at(0, 9, 9), 2);  // two frames for eight cells
  for (int i = 1; i <= 9; ++i) EXPECT_TRUE(blocked(3, i, i)) << i;
  EXPECT_EQ(count(0), 9);
}

TEST_F(AppFixture, painting_is_said_over_the_view_and_ended_there_where_no_panel_shows_it) {
  app.state.brush.on = true;
  frames(3);
  EXPECT_FALSE(shows("painting done")) << "the controls do";
  run_action(app, "controls");
  frames(3);
  ASSERT_TRUE(shows("painting done"));
  click("painting done");
  frames(3);
  EXPECT_FALSE(app.state.brush.on);
  EXPECT_FALSE(shows("painting done"));
}

TEST_F(Painting, rows_columns_and_diagonals) {
  state.brush.shape = Brush::Shape::row;
  click(at(0, 4, 4));
  EXPECT_EQ(count(0), 10);
  state.brush.shape = Brush::Shape::column;
  drag(at(0, 4, 2), at(0, 4, 3));
  EXPECT_EQ(count(0), 10 + 2 * 9);
  inputs.mask.clear();
  state.brush.shape = Brush::Shape::diagonal;
  click(at(0, 3, 5));
  EXPECT_EQ(count(0), 8);
  EXPECT_TRUE(blocked(0, 0, 2));
  EXPECT_TRUE(blocked(0, 7, 9));
  inputs.mask.clear();
  drag(at(0, 5, 4), at(0, 5, 6));  // the diagonals from -1 to 1
  EXPECT_EQ(count(0), 9 + 10 + 9);
}

TEST_F(Painting, frees_with_the_right_button_or_the_switch) {
  state.brush.shape = Brush::Shape::row;
  click(at(0, 4, 4));
  state.brush.shape = Brush::Shape::cell;
  click(at(2, 4, 6), 1);
  EXPECT_EQ(count(0), 9);
  state.brush.free = true;
  drag(at(2, 4, 0), at(2, 4, 9));
  EXPECT_TRUE(inputs.mask.empty()) << "an empty painting is no part";
  click(at(2, 4, 6), 1);
  EXPECT_EQ(count(0), 1) << "the opposite of freeing";
}

TEST_F(Painting, one_head_keeps_to_the_map_it_paints_on) {
  state.brush.one_head = true;
  click(at(2, 0, 0));
  EXPECT_TRUE(blocked(2, 0, 0));
  EXPECT_FALSE(blocked(1, 0, 0));
  // Unblocking it for one head where it is blocked for all leaves the others.
  state.brush.one_head = false;
  click(at(2, 5, 5));
  state.brush.one_head = true;
  click(at(3, 5, 5), 1);
  EXPECT_FALSE(blocked(3, 5, 5));
  EXPECT_TRUE(blocked(0, 5, 5));
}

TEST_F(Painting, size_paints_squares) {
  state.brush.radius = 1;
  click(at(0, 5, 5));
  EXPECT_EQ(count(0), 9);
  click(at(0, 0, 0));
  EXPECT_EQ(count(0), 9 + 4);
}

TEST_F(Painting, hidden_tokens_keep_their_place) {
  state.view.filter.hidden_keys = {0, 1, 2};
  frames(2);
  click(at(0, 0, 0));
  EXPECT_TRUE(blocked(0, 0, 3));
  EXPECT_EQ(count(0), 1);
}

TEST_F(Painting, a_stale_map_of_other_tokens_is_not_painted_on) {
  inputs.sentence = "something else entirely";
  click(at(0, 5, 5));
  EXPECT_TRUE(inputs.mask.empty());
}

TEST_F(Painting, space_paints_the_locked_cell) {
  state.brush.on = false;
  click(at(1, 3, 3));
  state.brush.on = true;
  press(Key::space);
  EXPECT_TRUE(blocked(0, 3, 3));
  press_each({Key::right, Key::space});
  EXPECT_EQ(count(0), 2);
}

TEST_F(Painting, starts_from_the_present_masks) {
  set_trace(synthetic_trace(4, 10, 10, 1, mask_parts({"causal"})));
  panel = [](Ui& ui) { draw_paint_tools(ui); };
  frames(2);
  // The tools have no marks here: the buttons are found by trying the last lines.
  for (float y = 0; y < 400 && inputs.mask.size() < 2; y += 8) click(40, y);
  ASSERT_EQ(inputs.mask.size(), 2U);
  EXPECT_FALSE(inputs.mask[0].on);
  EXPECT_EQ(inputs.mask[1].kind, MaskKind::painted);
}

}  // namespace headscope::tests

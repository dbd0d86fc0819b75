#include "app/panels/views/views.h"
#include "core/session/history.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class ComparePanel : public UiFixture {
 protected:
  ComparePanel() {
    state.view.kind = ViewKind::compare;
    show(draw_compare);
  }
  void set_other(int n) {
    const auto weight = [n](int layer, int head, Index i, Index j) {
      return n == 10 && head == 0 && i == 2 && j == 3 ? 0.99F : shifted_weight(n, layer, head, i, j);
    };
    other_trace = trace_of(numbered_tokens(n), numbered_tokens(n), 8, 1, {}, weight);
    frames(3);
  }
  const HeatmapRequest& map(int side) { return painter.requests.at(PainterSlots::compare + side); }
};

TEST_F(ComparePanel, b_begins_as_a_copy_of_a) {
  ASSERT_TRUE(compare);
  EXPECT_EQ(*compare, inputs);
  EXPECT_THAT(changed_inputs(inputs, *compare), IsEmpty());
}

TEST_F(ComparePanel, names_what_differs) {
  compare->seed = 1;
  compare->temperature = 2;
  EXPECT_THAT(changed_inputs(inputs, *compare), ElementsAre(StrEq("Seed"), StrEq("Temperature")));
}

TEST_F(ComparePanel, the_difference_is_symmetric_about_zero) {
  set_other(10);
  const ColorRange range = map(2).range;
  EXPECT_EQ(range.low, -range.high);
  EXPECT_FLOAT_EQ(map(2).values[23], 0.99F - 0.3F / 9);
  EXPECT_FLOAT_EQ(range.high, map(2).values[23]);
  EXPECT_EQ(map(2).colors, &diverging_colors(state.view.theme));
  EXPECT_EQ(map(0).range.high, map(1).range.high);  // a colour is the same weight in A and B
}

TEST_F(ComparePanel, tokens_without_partner_are_left_blank) {
  set_other(12);
  EXPECT_EQ(map(0).n_q, 12);
  EXPECT_EQ(map(0).blocked[11 * 12], cell_filtered);
  EXPECT_EQ(map(1).blocked[11 * 12], cell_shown);
  EXPECT_EQ(map(2).blocked[11 * 12], cell_filtered);
}

TEST_F(ComparePanel, the_list_leads_to_the_cell) {
  set_other(10);
  click("first difference");
  EXPECT_EQ(state.lock, (Cell{0, 2, 3}));
}

TEST_F(ComparePanel, pointing_at_any_map_is_the_same_cell) {
  set_other(10);
  for (const char* mark : {"compare map 0", "compare map 1", "compare map 2"}) {
    const ImVec2 at = middle(mark);
    move(at.x + 3, at.y + 3);
    EXPECT_EQ(state.hover, (Cell{0, 5, 5})) << mark;
  }
}

TEST_F(ComparePanel, a_cell_that_only_b_has_is_pointed_at_and_locked) {
  set_other(12);
  const auto [left, top, right, bottom] = place("compare map 1");
  const ImVec2 last{right - 2, bottom - 2};
  move(last);
  EXPECT_FALSE(state.hover);
  ASSERT_TRUE(state.other_hover);
  EXPECT_EQ(state.other_hover->query, (AlignedToken{-1, 11}));
  click(last);
  ASSERT_TRUE(state.other_lock);
  EXPECT_EQ(state.other_lock->key, (AlignedToken{-1, 11}));
  press(Key::up);
  press(Key::up);
  EXPECT_EQ(state.other_lock->query, (AlignedToken{9, 9})) << "a query of both, a key of B alone";
  press(Key::left);
  press(Key::left);
  EXPECT_EQ(state.lock, (Cell{0, 9, 9})) << "and on into A's cells";
  EXPECT_FALSE(state.other_lock);
  press(Key::down);
  EXPECT_TRUE(state.other_lock);
  click(last);
  click(last);
  EXPECT_FALSE(state.other_lock || state.lock);
}

TEST_F(ComparePanel, copies_a_to_b_again) {
  compare->seed = 99;
  click("copy A to B");
  EXPECT_EQ(compare->seed, inputs.seed);
}

TEST_F(ComparePanel, an_empty_b_is_no_error) {
  other_trace = synthetic_trace(8, 0, 0);
  frames(3);
  EXPECT_FALSE(shows("compare map 0"));
}

}  // namespace headscope::tests

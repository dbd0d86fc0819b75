#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// "a b c" next to "a x y c": b is paired with x, y has no counterpart.
std::shared_ptr<const Comparison> three_beside_four() {
  const auto weight = [](int, int, Index, Index) { return 0.25F; };
  const auto layer = [&](const std::string& sentence) {
    return filter_layer(first_block(trace_of(word_tokens(sentence), word_tokens(sentence), 2, 1, {}, weight)),
                        0, {});
  };
  return compare_layers(layer("a b c"), layer("a b y c"));
}

TEST(ComparedCell, what_a_has_is_a_cell_of_a_and_the_rest_is_kept_next_to_it) {
  const auto c = three_beside_four();
  ASSERT_EQ(c->rows(), 4);
  ViewState state;
  lock_place(state, *c, 1, {3, 3});
  EXPECT_EQ(state.lock, (Cell{1, 2, 2}));
  EXPECT_FALSE(state.other_lock);
  lock_place(state, *c, 1, {2, 3});
  EXPECT_FALSE(state.lock);
  EXPECT_EQ(state.other_lock, (ComparedCell{1, {-1, 2}, {2, 3}}));
  EXPECT_EQ(locked_place(*c, state), (ComparedPlace{2, 3}));
  EXPECT_EQ(cell_at(*c, 1, {2, 3}, Side::b), (Cell{1, 2, 3}));
  EXPECT_TRUE(has_cell(*c, {2, 3}, Side::b));
  EXPECT_FALSE(has_cell(*c, {2, 3}, Side::a));
  unlock(state);
  EXPECT_FALSE(locked_place(*c, state).any());
}

TEST(ComparedCell, of_a_token_that_is_not_shown_nothing_is_locked) {
  const auto c = three_beside_four();
  ViewState state;
  lock_place(state, *c, 0, place_of(*c, Cell{0, 9, 0}, Side::b));
  hover_place(state, *c, 0, place_of(*c, Cell{0, 0, 9}, Side::b));
  EXPECT_FALSE(state.lock || state.other_lock || state.hover || state.other_hover);
}

TEST(ComparedCell, the_lock_goes_through_all_places) {
  const auto c = three_beside_four();
  ViewState state;
  move_lock(state, *c, 0, 1, 0);
  EXPECT_EQ(locked_place(*c, state), (ComparedPlace{0, 0})) << "it begins at the first";
  for (int row = 1; row < 4; ++row) {
    move_lock(state, *c, 0, 1, 0);
    EXPECT_EQ(locked_place(*c, state), (ComparedPlace{row, 0}));
  }
  move_lock(state, *c, 0, 1, -1);
  EXPECT_EQ(locked_place(*c, state), (ComparedPlace{3, 0})) << "and ends at the edges";
}

TEST(ComparedCell, what_is_pointed_at_goes_before_what_is_locked) {
  const auto c = three_beside_four();
  ViewState state;
  lock_place(state, *c, 0, {0, 0});
  hover_place(state, *c, 0, {2, 2});
  EXPECT_FALSE(state.hover);
  state.last_other_hover = state.other_hover;
  EXPECT_EQ(focused_place(*c, state), (ComparedPlace{2, 2}));
  EXPECT_FALSE(state.focus(*c->shown_a->block)) << "A has no such cell: nothing of A's is described";
  state.last_other_hover.reset();
  EXPECT_EQ(state.focus(*c->shown_a->block), state.lock);
}

TEST(ComparedCell, a_lock_is_switched_off_where_it_is_set_again) {
  const auto c = three_beside_four();
  ViewState state;
  for (const ComparedPlace place : {ComparedPlace{0, 1}, ComparedPlace{2, 2}}) {
    toggle_lock(state, *c, 0, place);
    EXPECT_EQ(locked_place(*c, state), place);
    toggle_lock(state, *c, 0, place);
    EXPECT_FALSE(locked_place(*c, state).any());
  }
}

}  // namespace headscope::tests

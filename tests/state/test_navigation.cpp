#include "app/state/view/navigation.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(Navigation, the_last_head_cannot_go_off) {
  std::set<int> hidden{0, 2};
  toggle_head(hidden, 3, 1);
  EXPECT_THAT(hidden, ElementsAre(0, 2));
  toggle_head(hidden, 3, 0);
  toggle_head(hidden, 3, 1);
  EXPECT_THAT(hidden, ElementsAre(1, 2));
}

TEST(Navigation, goes_round_the_heads_that_are_not_hidden) {
  const std::vector<int> visible{3, 0, 1};
  EXPECT_EQ(neighbour_head(visible, 3, 1), 0);
  EXPECT_EQ(neighbour_head(visible, 3, -1), 1);
  EXPECT_EQ(neighbour_head(visible, 2, 1), 3) << "a hidden one leads to the first";
}

TEST(Navigation, the_lock_goes_along_to_another_head) {
  ViewState state;
  state.lock = Cell{0, 4, 2};
  open_head(state, 3);
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.lock, (Cell{3, 4, 2}));
  close_head(state);
  EXPECT_EQ(state.view.kind, ViewKind::grid);
  EXPECT_FALSE(state.view.head);
}

TEST(Navigation, the_last_token_that_is_shown_stays) {
  std::set<int> hidden{0};
  show_token(hidden, 1, 3, false);
  show_token(hidden, 2, 3, false);
  EXPECT_THAT(hidden, ElementsAre(0, 1));
  show_token(hidden, 0, 3, true);
  EXPECT_THAT(hidden, ElementsAre(1));
}

}  // namespace headscope::tests

#include "app/panels/views/filter_bar.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/views.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class LinesPanel : public UiFixture {
 protected:
  LinesPanel() { show(draw_lines); }
  std::set<int>& hidden() { return state.view.hidden_heads; }
};

TEST_F(LinesPanel, pointing_at_a_query_shows_only_its_lines) {
  const int before = drawn_vertices();
  move(middle("query token 3"));
  EXPECT_LT(drawn_vertices(), before / 2);
  EXPECT_THAT(state.hover, Optional(Field(&Cell::query, 3)));
  // The strongest of its lines: head h attends to key 3 + h with 0.7, and of equal ones the first key wins.
  EXPECT_EQ(state.hover->key, (3 + state.hover->head) % 10);
}

TEST_F(LinesPanel, pointing_at_a_key_shows_who_looks_at_it) {
  move(middle("key token 4"));
  EXPECT_THAT(state.hover, Optional(Field(&Cell::key, 4)));
  EXPECT_EQ((state.hover->query + state.hover->head) % 10, 4);
}

TEST_F(LinesPanel, pointing_at_a_line_names_its_cell) {
  hidden() = {1, 2, 3, 4, 5, 6, 7};  // head 1 attends to itself: its strong lines are horizontal
  const ImVec2 query = middle("query token 5"), key = middle("key token 5");
  move((query.x + key.x) / 2, query.y);
  EXPECT_EQ(state.hover, (Cell{0, 5, 5}));
  click((query.x + key.x) / 2, query.y);
  EXPECT_EQ(state.lock, (Cell{0, 5, 5}));
}

TEST_F(LinesPanel, a_click_on_a_token_locks_its_strongest_cell_and_a_second_frees_it) {
  click("query token 2");
  EXPECT_THAT(state.lock, Optional(Field(&Cell::query, 2)));
  click("query token 2");
  EXPECT_FALSE(state.lock);
}

TEST_F(LinesPanel, the_locked_querys_lines_stay_alone) {
  const int before = drawn_vertices();
  state.lock = Cell{0, 1, 1};
  frames(2);
  EXPECT_LT(drawn_vertices(), before / 2);
}

TEST_F(LinesPanel, swatches_toggle_heads) {
  click("head 3");
  EXPECT_THAT(hidden(), ElementsAre(2));
  click("head 3");
  EXPECT_THAT(hidden(), IsEmpty());
}

TEST_F(LinesPanel, a_double_click_shows_one_head_alone_and_another_brings_all_back) {
  const ImVec2 at = middle("head 3");
  double_click(at.x, at.y);
  EXPECT_EQ(hidden().size(), 7U);
  EXPECT_FALSE(hidden().contains(2));
  pause();
  double_click(at.x, at.y);
  EXPECT_THAT(hidden(), IsEmpty());
}

TEST_F(LinesPanel, a_drag_across_tokens_keeps_only_those) {
  drag(middle("query token 2"), middle("query token 5"));
  EXPECT_EQ(state.view.filter.queries, (TokenRange{2, 6}));
  EXPECT_EQ(state.view.filter.keys, (TokenRange{2, 6}));
  EXPECT_FALSE(state.lock);
  frames(2);
  EXPECT_TRUE(shows("query token 3"));
  EXPECT_FALSE(shows("query token 4"));  // four rows are left
}

TEST_F(LinesPanel, in_cross_attention_a_drag_keeps_one_side_alone) {
  auto cross = std::make_shared<Trace>(*synthetic_trace(8, 10, 6));
  cross->blocks.front().shape.kind = BlockKind::cross;
  show_trace(cross);
  drag(middle("key token 4"), middle("key token 1"));
  EXPECT_EQ(state.view.filter.keys, (TokenRange{1, 5}));
  EXPECT_FALSE(state.view.filter.queries);
}

TEST_F(LinesPanel, hundreds_of_tokens_are_drawn_only_where_they_are_seen) {
  show_trace(synthetic_trace(4, 600, 600));
  view_cache.wait();
  frames(2);
  EXPECT_TRUE(shows("query token 5"));
  EXPECT_FALSE(shows("query token 300"));
  // 4,000 lines of 1.4 million; each takes at most eight vertices.
  EXPECT_LT(drawn_vertices(), 40'000);
}

TEST_F(LinesPanel, nothing_but_a_message_without_tokens) {
  show_trace(synthetic_trace(8, 0, 0));
  EXPECT_FALSE(shows("query token 0"));
}

TEST_F(LinesPanel, arrows_go_through_the_tokens_of_a_column) {
  press(Key::down);
  EXPECT_THAT(state.lock, Optional(Field(&Cell::query, 0)));
  press_each({Key::down, Key::down});
  EXPECT_EQ(state.lock->query, 2);
  // Its strongest line: head h attends to key 2 + h.
  EXPECT_EQ(state.lock->key, (2 + state.lock->head) % 10);
  press(Key::up);
  EXPECT_EQ(state.lock->query, 1);
  for (int i = 0; i < 20; ++i) press(Key::down);
  EXPECT_EQ(state.lock->query, 9);
}

TEST_F(LinesPanel, left_and_right_change_the_column) {
  const int before = drawn_vertices();
  press(Key::right);
  ASSERT_TRUE(state.lock);
  EXPECT_TRUE(state.lines_of_key);
  EXPECT_EQ(state.lock->key, 0);
  press_each({Key::down, Key::down});
  EXPECT_EQ(state.lock->key, 2);
  EXPECT_EQ((state.lock->query + state.lock->head) % 10, 2);  // the query that attends to it most
  EXPECT_LT(drawn_vertices(), before / 2);                    // and only its lines
  const int query = state.lock->query;
  press(Key::left);
  EXPECT_FALSE(state.lines_of_key);
  EXPECT_EQ(state.lock->query, query);
}

TEST_F(LinesPanel, ctrl_arrows_go_to_another_head_or_layer) {
  show_trace(synthetic_trace(8, 10, 10, 3));
  state.lock = Cell{2, 4, 6};
  press(Key::right, true);
  EXPECT_EQ(state.lock, (Cell{3, 4, 6}));
  press_each({{Key::left, true}, {Key::left, true}});
  EXPECT_EQ(state.lock, (Cell{1, 4, 6}));
  press(Key::down, true);
  EXPECT_EQ(state.view.layer, 1);
  press(Key::enter);
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.view.head, 1);
}

TEST_F(LinesPanel, a_key_that_was_clicked_stays_alone) {
  click("key token 4");
  EXPECT_THAT(state.lock, Optional(Field(&Cell::key, 4)));
  EXPECT_TRUE(state.lines_of_key);
  click("query token 4");
  EXPECT_FALSE(state.lines_of_key);
}

TEST_F(LinesPanel, keys_reach_tokens_that_are_out_of_sight) {
  show_trace(synthetic_trace(2, 600, 600));
  view_cache.wait();
  frames(2);
  for (int i = 0; i < 120; ++i) press(Key::down);
  EXPECT_EQ(state.lock->query, 119);
  EXPECT_TRUE(shows("query token 119"));
  EXPECT_FALSE(shows("query token 0"));
}

TEST_F(LinesPanel, a_cell_that_was_locked_elsewhere_comes_into_sight_and_the_wheel_goes_on_from_there) {
  show_trace(synthetic_trace(2, 600, 600));
  state.lock = Cell{0, 300, 300};
  view_cache.wait();
  frames(3);
  EXPECT_TRUE(shows("query token 300"));
  move(middle("query token 300"));
  ImGui::GetIO().MouseWheel = -20;
  frames(2);
  EXPECT_FALSE(shows("query token 300"));
  state.lock = Cell{0, 20, 20};
  frames(3);
  EXPECT_TRUE(shows("query token 20"));
}

TEST_F(LinesPanel, a_token_that_is_masked_wholly_can_be_reached) {
  show_trace(synthetic_trace(2, 4, 4, 1, {parse_mask_part("padding:1")}));
  press_each({Key::right, Key::down});
  EXPECT_THAT(state.lock, Optional(Field(&Cell::key, 1)));
  press(Key::down);
  EXPECT_EQ(state.lock->key, 2);
}

class FilterBar : public UiFixture {
 protected:
  FilterBar() { show(draw_filter_bar); }
};

TEST_F(FilterBar, shows_all_again) {
  EXPECT_FALSE(shows("show all"));
  state.view.filter = {.threshold = 0.5, .hidden_keys = {1}};
  frames(2);
  EXPECT_TRUE(shows("kept keys"));
  click("filter");
  click("show all");
  EXPECT_FALSE(state.view.filter.on());
  EXPECT_FALSE(shows("kept keys"));
}

TEST_F(FilterBar, each_thing_left_out_can_be_brought_back) {
  Filter& filter = state.view.filter;
  filter = {.top_percent = 30, .threshold = 0.05, .queries = TokenRange{1, 3}, .keys = TokenRange{2, 3}};
  frames(2);
  click("kept keys");
  EXPECT_FALSE(filter.keys);
  EXPECT_TRUE(filter.queries);
  click("kept queries");
  EXPECT_FALSE(filter.queries);
  click("kept top");
  EXPECT_EQ(filter.top_percent, 100);
  EXPECT_EQ(filter.threshold, 0.05);
  click("kept weights");
  EXPECT_FALSE(filter.on());
}

TEST_F(FilterBar, tokens_left_out_alike_are_one_chip) {
  state.view.filter.keys = state.view.filter.queries = TokenRange{1, 3};
  frames(2);
  EXPECT_FALSE(shows("kept keys"));
  click("kept tokens");
  EXPECT_FALSE(state.view.filter.on());
}

TEST_F(FilterBar, chips_that_do_not_fit_are_in_the_popup) {
  ImGui::GetIO().DisplaySize.x = 160;
  state.view.filter = {.top_percent = 30, .threshold = 0.05};
  frames(3);
  EXPECT_FALSE(shows("kept top"));
  EXPECT_EQ(place("filter")[1], place("order of heads")[1]) << "one line";
  click("filter");
  click("kept top");
  EXPECT_EQ(state.view.filter.top_percent, 100);
}

TEST_F(FilterBar, top_is_dragged_to_a_share_of_the_mass) {
  click("filter");
  const ImVec2 at = middle("Top");
  drag(at, {at.x - 500, at.y});
  EXPECT_EQ(state.view.filter.top_percent, 1);
  EXPECT_TRUE(state.view.filter.on());
}

}  // namespace headscope::tests

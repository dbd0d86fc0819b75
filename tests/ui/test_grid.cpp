#include "app/panels/map/map_pointer.h"
#include "app/panels/views/views.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class GridPanel : public UiFixture {
 protected:
  GridPanel() {
    panel = [](Ui& ui) { draw_grid(ui); };
    frames(2);
  }
};

TEST_F(GridPanel, requests_every_heads_whole_map_at_the_size_of_its_place) {
  ASSERT_EQ(painter.requests.size(), 8U);
  for (int head = 0; head < 8; ++head) {
    const HeatmapRequest& request = painter.requests.at(PainterSlots::grid + head);
    EXPECT_EQ(request.values[head], 0.7F) << "row 0 attends to its head's key";
    EXPECT_EQ(request.n_q, 10);
    EXPECT_EQ(request.key_end, 10);
    EXPECT_NEAR(request.width, panel_of(head).map.width, 1);
    EXPECT_NEAR(request.height, panel_of(head).map.height, 1);
  }
  EXPECT_EQ(state.shown_rows, 2);
  EXPECT_EQ(state.shown_columns, 4);
}

TEST_F(GridPanel, high_screens_get_a_framebuffer_pixel_each) {
  style.framebuffer_scale = 2;
  frames(2);
  EXPECT_NEAR(painter.requests.at(PainterSlots::grid + 0).width, 2 * panel_of(0).map.width, 1);
}

TEST_F(GridPanel, hover_names_the_cell_under_the_pointer_and_requests_no_new_picture) {
  set_trace(synthetic_trace(8, 7, 12));  // more keys than queries, to detect a transposed map
  frames(2);
  const auto before = painter.requests;
  move(cell_center(5, 2, 9));
  EXPECT_EQ(state.hover, (Cell{5, 2, 9}));
  EXPECT_EQ(state.focus(trace->blocks.front()), (Cell{5, 2, 9}));
  for (const auto& [slot, request] : painter.requests) {
    EXPECT_EQ(request.values, before.at(slot).values);
    EXPECT_EQ(request.range.high, before.at(slot).range.high);
    EXPECT_EQ(request.width, before.at(slot).width);
  }
  move(1, 1);
  EXPECT_EQ(state.hover, std::nullopt);
}

TEST_F(GridPanel, click_locks_hover_previews_second_click_frees) {
  const ImVec2 first = cell_center(1, 3, 4), second = cell_center(2, 0, 0);
  click(first);
  EXPECT_EQ(state.lock, (Cell{1, 3, 4}));
  move(second);
  EXPECT_EQ(state.focus(trace->blocks.front()), (Cell{2, 0, 0}));
  EXPECT_EQ(state.lock, (Cell{1, 3, 4}));
  move(1, 1);
  EXPECT_EQ(state.focus(trace->blocks.front()), (Cell{1, 3, 4}));
  click(first);
  EXPECT_EQ(state.lock, std::nullopt);
}

TEST_F(GridPanel, hovering_marks_the_cell_in_every_head) {
  const int before = drawn_vertices();
  state.hover = Cell{3, 4, 5};  // another panel's pointer: no tooltip here
  frame();
  // A cross and a cell in each of eight heads: three doubled rectangles of at least 8 vertices each.
  EXPECT_GT(drawn_vertices(), before + 8 * 3 * 2 * 8);
}

TEST_F(GridPanel, title_opens_the_head_large) {
  const Rect title = panel_of(6).title;
  click(float(title.x + title.width / 2), float(title.y + title.height / 2));
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.view.head, 6);
}

TEST_F(GridPanel, pooled_cells_report_the_largest_under_the_pointer) {
  show_trace(synthetic_trace(2, 3000, 3000));
  ASSERT_LT(painter.requests.at(PainterSlots::grid + 0).width, 1500);
  const HeatmapRequest request = painter.requests.at(PainterSlots::grid + 0);
  const auto left = float(std::round(panel_of(0).map.x)), top = float(std::round(panel_of(0).map.y));
  int on_the_diagonal = 0;
  for (int i = 3; i < request.width && i < request.height; i += 40) {
    move(left + float(i) + 0.5F, top + float(i) + 0.5F);
    ASSERT_TRUE(state.hover);
    const CellSpan rows = cells_of_pixel(0, 3000, 3000, request.height, i);
    const CellSpan columns = cells_of_pixel(0, 3000, 3000, request.width, i);
    if (rows.first > columns.last || columns.first > rows.last) continue;
    // Head 0's diagonal, the only cells with 0.7, goes through this pixel.
    EXPECT_EQ(state.hover->query, state.hover->key) << "pixel " << i;
    ++on_the_diagonal;
  }
  EXPECT_GT(on_the_diagonal, 5);
}

TEST_F(GridPanel, hidden_tokens_are_left_out_and_cells_keep_their_tokens) {
  state.view.filter.hidden_keys = {0, 1};
  state.view.filter.hidden_queries = {0};
  frames(2);
  EXPECT_EQ(painter.requests.at(PainterSlots::grid + 0).n_k, 8);
  EXPECT_EQ(painter.requests.at(PainterSlots::grid + 0).n_q, 9);
  click(cell_center(0, 0, 0));
  EXPECT_EQ(state.lock, (Cell{0, 1, 2}));
}

TEST_F(GridPanel, drag_across_labels_keeps_only_those_tokens) {
  const Rect ticks = panel_of(4).x_ticks, map = panel_of(4).map;
  ASSERT_GT(ticks.height, 0);
  const auto label = [&](int column) {
    return ImVec2{float(map.x + map.width * (column + 0.5) / 10), float(ticks.y + ticks.height / 2)};
  };
  drag(label(6), label(2));
  ASSERT_TRUE(state.view.filter.keys);
  EXPECT_EQ(*state.view.filter.keys, (TokenRange{2, 7}));
  frames(2);
  EXPECT_EQ(painter.requests.at(PainterSlots::grid + 0).n_k, 5);
  EXPECT_EQ(state.lock, std::nullopt);
  // A click alone changes nothing.
  const Filter before = state.view.filter;
  click(label(3));
  EXPECT_EQ(state.view.filter, before);
}

TEST_F(GridPanel, hidden_heads_are_not_drawn) {
  state.view.hidden_heads = {0, 3};
  painter.requests.clear();
  frames(2);
  EXPECT_EQ(painter.requests.size(), 6U);
  EXPECT_FALSE(painter.requests.contains(PainterSlots::grid + 3));
}

TEST_F(GridPanel, arrows_move_the_lock_and_enter_opens_its_head) {
  click(cell_center(1, 3, 4));
  press_each({Key::down, Key::right, Key::right});
  EXPECT_EQ(state.lock, (Cell{1, 4, 6}));
  for (int i = 0; i < 20; ++i) press(Key::left);
  EXPECT_EQ(state.lock, (Cell{1, 4, 0}));
  press(Key::left, true);
  EXPECT_EQ(state.lock, (Cell{0, 4, 0}));
  press(Key::enter);
  EXPECT_EQ(state.view.head, 0);
}

TEST_F(GridPanel, stale_maps_are_marked_when_they_keep_people_waiting) {
  const int before = drawn_vertices();
  stale = true;
  frames(2);
  EXPECT_EQ(drawn_vertices(), before) << "not at once: it would flicker while a slider is dragged";
  frames(30);
  EXPECT_GT(drawn_vertices(), before);
  for (int i = 0; i < 30; ++i) {  // a newer trace in every frame, and another being computed
    set_trace(synthetic_trace(8, 10, 10));
    frame();
  }
  EXPECT_EQ(drawn_vertices(), before);
  stale = false;
  error = "heads 7 do not divide d_model 512";
  frame();
  EXPECT_GT(drawn_vertices(), before) << "inputs that cannot be run are told at once";
}

TEST_F(GridPanel, nothing_to_show_is_no_error) {
  painter.requests.clear();
  show_trace(synthetic_trace(8, 0, 0));
  EXPECT_TRUE(painter.requests.empty());
}

TEST_F(GridPanel, draws_every_size_of_everything) {
  for (const int heads : {1, 3, 16, 64})
    for (const int n : {1, 2, 10, 300})
      for (const Range range : {Range::unit, Range::shared, Range::head, Range::logarithm}) {
        state.view.range.kind = range;
        painter.requests.clear();
        show_trace(synthetic_trace(heads, n, n));
        EXPECT_EQ(painter.requests.size(), std::size_t(heads));
        for (const auto& [slot, request] : painter.requests) {
          EXPECT_GT(request.width, 0);
          EXPECT_LT(request.range.low, request.range.high);
        }
      }
}

TEST_F(GridPanel, small_windows_show_what_they_can) {
  for (const ImVec2 size : {ImVec2{400, 300}, ImVec2{90, 60}, ImVec2{20, 20}, ImVec2{3000, 40}}) {
    ImGui::GetIO().DisplaySize = size;
    painter.requests.clear();
    frames(2);
    EXPECT_GT(painter.requests.size(), 0U);
  }
}

TEST_F(GridPanel, rows_without_keys_are_marked) {
  show_trace(synthetic_trace(8, 10, 10, 1, mask_parts({"painted:4:0-8"})));
  const int before = drawn_vertices();
  EXPECT_TRUE(memory.maps.look().empty_rows(0).empty());
  show_trace(synthetic_trace(8, 10, 10, 1, mask_parts({"painted:4:0-9"})));
  EXPECT_EQ(memory.maps.look().empty_rows(0), std::vector<int>{4});
  EXPECT_GE(drawn_vertices(), before + 8 * 4);  // a stroke in each head
}

}  // namespace headscope::tests

#include "app/panels/views/views.h"
#include "core/scene/zoom.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class HeadPanel : public UiFixture {
 protected:
  HeadPanel() {
    panel = [](Ui& ui) { draw_head(ui); };
    state.view.kind = ViewKind::head;
    state.view.head = 2;
    frames(2);
  }
  void zoom(int notches) {
    for (int i = 0; i < std::abs(notches); ++i) wheel(notches > 0 ? 1 : -1);
  }

  const HeatmapRequest& request() { return painter.requests.at(PainterSlots::head); }
  Rect map() { return memory.maps.last_layout(1).panels.front().map; }
  /// Where a cell is on the screen, from the painter's request.
  ImVec2 at(double row, double column) {
    const HeatmapRequest& r = request();
    const double x = (column + 0.5 - r.key_begin) / (r.key_end - r.key_begin);
    const double y = (row + 0.5 - r.query_begin) / (r.query_end - r.query_begin);
    return {float(map().x + map().width * x), float(map().y + map().height * y)};
  }
};

TEST_F(HeadPanel, shows_the_chosen_heads_whole_map) {
  EXPECT_EQ(request().values[2], 0.7F) << "row 0 attends to its head's key";
  EXPECT_EQ(request().query_begin, 0);
  EXPECT_EQ(request().query_end, 10);
  EXPECT_EQ(request().key_end, 10);
  EXPECT_FALSE(painter.requests.contains(PainterSlots::head + 1)) << "no overview of a whole map";
}

TEST_F(HeadPanel, wheel_zooms_about_the_pointer) {
  const ImVec2 point = at(7, 2);
  move(point);
  EXPECT_EQ(state.hover, (Cell{2, 7, 2}));
  zoom(4);
  EXPECT_LT(request().key_end - request().key_begin, 5);
  frame();
  EXPECT_EQ(state.hover, (Cell{2, 7, 2}));
  const ImVec2 now = at(7, 2);
  // ImGui's pointer is on whole pixels: the error grows with the map.
  EXPECT_NEAR(now.x, point.x, 1.5);
  EXPECT_NEAR(now.y, point.y, 1.5);
  EXPECT_TRUE(painter.requests.contains(PainterSlots::head + 1)) << "an overview of the whole";
  zoom(-9);
  EXPECT_EQ(request().key_begin, 0);
  EXPECT_EQ(request().key_end, 10);
}

TEST_F(HeadPanel, drag_pans_and_does_not_lock) {
  move(at(5, 5));
  zoom(4);
  frame();
  const double key = request().key_begin, query = request().query_begin;
  const double cells = (request().key_end - key) / map().width;
  const ImVec2 from = at(5, 5);
  drag(from, {from.x - 60, from.y + 30});
  EXPECT_NEAR(request().key_begin, key + 60 * cells, 0.05);
  EXPECT_NEAR(request().query_begin, query - 30 * cells, 0.05);
  EXPECT_EQ(state.lock, std::nullopt);
  drag(from, {from.x - 5000, from.y});
  EXPECT_NEAR(request().key_end, 10, 1e-9) << "never beyond the edge";
}

TEST_F(HeadPanel, double_click_and_home_show_the_whole_map) {
  for (int way = 0; way < 2; ++way) {
    move(at(5, 5));
    zoom(4);
    EXPECT_GT(state.view.zoom.factor, 2);
    way == 0 ? double_click(at(5, 5).x, at(5, 5).y) : press(Key::home);
    frame();
    EXPECT_EQ(request().key_end - request().key_begin, 10);
    EXPECT_EQ(state.lock, std::nullopt);
  }
}

TEST_F(HeadPanel, a_double_click_leaves_the_lock_as_it_was) {
  state.lock = Cell{2, 4, 4};
  move(at(5, 5));
  zoom(4);
  double_click(at(5, 5).x, at(5, 5).y);
  frame();
  EXPECT_EQ(state.view.zoom.factor, 1);
  EXPECT_EQ(state.lock, (Cell{2, 4, 4}));
}

TEST_F(HeadPanel, click_locks_and_arrows_move_the_cell_into_view) {
  show_trace(synthetic_trace(8, 100, 60));
  move(at(50, 30));
  zoom(10);
  click(at(50, 30));
  EXPECT_EQ(state.lock, (Cell{2, 50, 30}));
  for (int i = 0; i < 30; ++i) press(Key::down);
  press(Key::left);
  EXPECT_EQ(state.lock, (Cell{2, 80, 29}));
  frame();
  EXPECT_LE(request().query_begin, 80);
  EXPECT_GE(request().query_end, 81);
  for (int i = 0; i < 100; ++i) press(Key::right);
  EXPECT_EQ(state.lock->key, 59);
}

TEST_F(HeadPanel, ctrl_arrows_go_to_neighbour_heads_and_layers) {
  show_trace(synthetic_trace(4, 10, 10, 3));
  state.lock = Cell{2, 4, 5};
  press(Key::right, true);
  EXPECT_EQ(state.view.head, 3);
  EXPECT_EQ(state.lock, (Cell{3, 4, 5}));
  press(Key::right, true);
  EXPECT_EQ(state.view.head, 0);
  press(Key::left, true);
  EXPECT_EQ(state.view.head, 3);
  press(Key::up, true);
  EXPECT_EQ(state.view.layer, 0);
  for (int i = 0; i < 4; ++i) press(Key::down, true);
  EXPECT_EQ(state.view.layer, 2);
}

TEST_F(HeadPanel, overview_moves_the_part) {
  show_trace(synthetic_trace(4, 100, 100));
  move(at(10, 10));
  zoom(6);
  frames(2);
  // The overview is in the lower right corner of the map: its centre is the map's centre.
  const double margin = style.font_size * 0.5, side = map().width * 0.22;
  click(float(map().right() - margin - side / 2), float(map().bottom() - margin - side / 2));
  EXPECT_NEAR((request().key_begin + request().key_end) / 2, 50, 1.5);
  EXPECT_NEAR((request().query_begin + request().query_end) / 2, 50, 1.5);
  EXPECT_EQ(state.lock, std::nullopt) << "no cell below it is locked";
}

TEST_F(HeadPanel, without_a_chosen_head_it_shows_the_locked_one) {
  state.view.head.reset();
  state.lock = Cell{5, 0, 0};
  frames(2);
  EXPECT_EQ(request().values[5], 0.7F) << "row 0 attends to its head's key";
}

TEST_F(HeadPanel, draws_every_size_of_everything) {
  painter.requests.clear();
  for (const auto& [n_q, n_k] : {std::pair{1, 1}, {1, 300}, {300, 1}, {2, 5}, {2000, 1500}, {0, 0}}) {
    set_trace(synthetic_trace(3, n_q, n_k));
    for (const ImVec2 size : {ImVec2{1200, 700}, ImVec2{120, 90}, ImVec2{20, 20}}) {
      ImGui::GetIO().DisplaySize = size;
      state.view.zoom = Zoom{};
      frames(2);
      move(size.x * 0.6F, size.y * 0.6F);
      zoom(30);
      press_each({Key::down, Key::right});
    }
  }
  EXPECT_TRUE(painter.requests.contains(PainterSlots::head));
}

}  // namespace headscope::tests

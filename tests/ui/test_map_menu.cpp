// The menu of a map: by the right button, and by the key.

#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class MapMenuTest : public AppFixture {
 protected:
  bool open() const { return shows("map menu copy head"); }
  void right_click(ImVec2 at) { click(at, 1); }
};

TEST_F(MapMenuTest, opens_on_the_map_under_the_pointer_in_every_view) {
  const struct {
    ViewKind kind;
    const char* map;
    bool cell;
  } cases[] = {{ViewKind::grid, "map 3", true},
               {ViewKind::head, "map 1", true},
               {ViewKind::lines, "head 3", false},
               {ViewKind::layers, "layer 1 head 3", false},
               {ViewKind::compare, "compare map 1", true}};
  for (const auto& [kind, map, cell] : cases) {
    app.state.view.kind = kind;
    wait_until_idle();
    EXPECT_FALSE(open());
    right_click(middle(map));
    EXPECT_TRUE(open()) << map;
    EXPECT_EQ(shows("map menu copy cell"), cell) << map;
    EXPECT_FALSE(app.state.lock) << "the right button locks nothing";
    press(Key::escape);
    frames(2);
  }
}

TEST_F(MapMenuTest, acts_on_its_map) {
  right_click(middle("map 3"));
  click("map menu open head");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.head, 2);
}

TEST_F(MapMenuTest, its_cell_stays_marked_and_can_be_locked) {
  right_click(middle("map 3"));
  move(middle("map menu export"));
  ASSERT_TRUE(app.state.last_hover);
  const Cell cell = *app.state.last_hover;
  EXPECT_EQ(cell.head, 2);
  click("map menu lock");
  EXPECT_EQ(app.state.lock, cell);
}

TEST_F(MapMenuTest, opens_by_keys_on_the_locked_cell) {
  app.state.lock = Cell{4, 1, 2};
  click("map 5");
  app.state.lock = Cell{4, 1, 2};
  press(Key::f10, false, true);
  frames(2);
  ASSERT_TRUE(open());
  EXPECT_TRUE(shows("map menu copy cell"));
  press(Key::escape);
  frames(2);
  press(Key::menu);
  frames(2);
  EXPECT_TRUE(open());
}

TEST_F(MapMenuTest, the_brush_has_the_right_button_for_itself) {
  app.state.brush.on = true;
  frames(2);
  right_click(middle("map 3"));
  EXPECT_FALSE(open());
}

}  // namespace headscope::tests

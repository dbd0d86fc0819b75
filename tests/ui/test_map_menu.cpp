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

TEST_F(MapMenuTest, a_mark_is_added_named_and_undone) {
  right_click(middle("map 3"));
  const Cell cell = *app.state.last_hover;
  click("map menu marks");
  click("mark one head");
  click("mark arrow");
  ASSERT_EQ(app.marks.size(), 1U);
  type(U"here");
  const Mark& mark = app.marks[0];
  EXPECT_EQ(mark, (Mark{MarkKind::arrow, TokenRange{cell.query, cell.query + 1},
                        TokenRange{cell.key, cell.key + 1}, 0, 2, "here"}));
  press(Key::enter);
  frames(2);
  EXPECT_FALSE(open());
  press(Key::z, true);
  EXPECT_TRUE(app.marks.empty()) << "a mark and its text are one step";
  press(Key::y, true);
  ASSERT_EQ(app.marks.size(), 1U);
  EXPECT_EQ(app.marks[0].text, "here");
}

TEST_F(MapMenuTest, a_box_spans_from_the_locked_cell_and_marks_are_removed) {
  app.state.lock = Cell{0, 0, 1};
  right_click(middle("map 3"));
  const Cell cell = *app.state.last_hover;
  click("map menu marks");
  click("mark span");
  ASSERT_EQ(app.marks.size(), 1U);
  EXPECT_EQ(app.marks[0].queries, (TokenRange{0, cell.query + 1}));
  EXPECT_EQ(app.marks[0].keys, (TokenRange{1, cell.key + 1}));
  EXPECT_FALSE(app.marks[0].head);
  click_each({"mark row", "mark remove 0"});
  ASSERT_EQ(app.marks.size(), 1U);
  EXPECT_FALSE(app.marks[0].keys) << "the row";
  click("mark remove all");
  EXPECT_TRUE(app.marks.empty());
}

TEST_F(MapMenuTest, the_brush_has_the_right_button_for_itself) {
  app.state.brush.on = true;
  frames(2);
  right_click(middle("map 3"));
  EXPECT_FALSE(open());
}

}  // namespace headscope::tests

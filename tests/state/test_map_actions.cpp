#include "app/state/actions/copy_actions.h"
#include "app/state/actions/map_actions.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class MapActions : public StateFixture {
 protected:
  std::set<std::string> ids(const MapPlace& map) {
    std::set<std::string> list;
    for (const Action& action : map_actions(app, map)) list.insert(action.id);
    return list;
  }
  void run(const MapPlace& map, const std::string& id) {
    for (const Action& action : map_actions(app, map))
      if (action.id == id && is_enabled(app, action)) action.run(app);
    frames(2);
  }
};

TEST_F(MapActions, a_map_without_a_cell_has_none_for_cells) {
  const std::set<std::string> of_map = ids({0, 3, Side::a, {}, {}});
  for (const char* id :
       {"copy picture", "copy head", "export", "open head", "hide head", "name head", "use as b"})
    EXPECT_TRUE(of_map.contains(id)) << id;
  for (const char* id : {"copy cell", "copy row", "lock"}) EXPECT_FALSE(of_map.contains(id)) << id;
  for (const char* id : {"copy cell", "copy row", "lock"})
    EXPECT_TRUE(ids({0, 3, Side::a, Cell{3, 1, 2}, {}}).contains(id)) << id;
}

TEST_F(MapActions, act_on_the_map_they_are_of) {
  const MapPlace map{0, 3, Side::a, Cell{3, 1, 2}, {}};
  run(map, "copy cell");
  EXPECT_THAT(clipboard, StartsWith("animal\tdidn't\t"));
  run(map, "lock");
  EXPECT_EQ(app.state.lock, (Cell{3, 1, 2}));
  run(map, "lock");
  EXPECT_FALSE(app.state.lock);
  run(map, "open head");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.head, 3);
  app.state.view.kind = ViewKind::grid;
  run(map, "hide head");
  EXPECT_EQ(app.state.view.hidden_heads, std::set{3});
}

TEST_F(MapActions, the_table_of_a_map_says_what_it_is_of_and_has_short_numbers) {
  app.state.lock = Cell{3, 1, 2};
  const MapTable table = map_table(app);
  for (const char* part : {"Head 4", "Attention weight", "Grid", "The animal didn't"})
    EXPECT_THAT(table.title, HasSubstr(part));
  EXPECT_THAT(table.text, StartsWith("Query \\ Key\tThe\tanimal\t"));
  const std::string row = table.text.substr(table.text.find("\nanimal\t") + 8);
  for (std::size_t at = 0; at < row.find('\n');) {
    const std::size_t end = row.find_first_of("\t\n", at);
    EXPECT_LE(end - at, std::string("0.00001234").size()) << row.substr(at, end - at);
    EXPECT_GT(std::stod(row.substr(at, end - at)), 0);
    at = end + 1;
  }
  app.inputs.sentence = "Another one";
  app.state.view.cells = CellValue::score;
  frames(2);
  const MapTable other = map_table(app);
  EXPECT_THAT(other.title, HasSubstr("Another one"));
  EXPECT_THAT(other.title, HasSubstr("Score"));
  EXPECT_THAT(other.text, StartsWith("Query \\ Key\tAnother\tone\nAnother\t"));
}

TEST_F(MapActions, a_comparison_hides_no_head_and_makes_b_of_a_alone) {
  app.compare = app.inputs;
  app.compare->seed = 7;
  app.state.view.kind = ViewKind::compare;
  frames(2);
  run({0, 3, Side::b, Cell{3, 1, 2}, {}}, "hide head");
  EXPECT_TRUE(app.state.view.hidden_heads.empty());
  run({0, 3, Side::b, Cell{3, 1, 2}, {}}, "use as b");
  EXPECT_EQ(app.compare->seed, 7U);
}

TEST_F(MapActions, the_cell_that_only_b_has_is_copied_by_keys) {
  app.compare = app.inputs;
  app.compare->sentence = "Oh " + app.inputs.sentence;
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  app.state.other_lock = ComparedCell{2, {-1, 0}, {0, 1}};
  run_action(app, "copy cell");
  EXPECT_THAT(clipboard, StartsWith("Oh\tThe\t"));
}

TEST_F(MapActions, the_run_is_copied_as_lines_of_pytorch_or_it_is_said_why_not) {
  run_action(app, "copy pytorch");
  EXPECT_THAT(clipboard, StartsWith("# Headscope: The animal"));
  EXPECT_THAT(clipboard, HasSubstr("torch.manual_seed(42)"));
  app.inputs.vectors = VectorKind::embedding;
  frames(2);
  run_action(app, "copy pytorch");
  EXPECT_THAT(clipboard, HasSubstr("x = torch.stack([vector(t) for t in [\"The\", \"animal\""));
  app.inputs.vectors = VectorKind::randn;
  app.inputs.sentence = sentence_of(65);
  app.inputs.mask = {parse_mask_part("random:2,seed=7")};
  frames(2);
  clipboard.clear();
  run_action(app, "copy pytorch");
  EXPECT_EQ(clipboard, "");
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("has 4225 cells; expected at most 4096"));
}

TEST_F(MapActions, the_inputs_become_b) {
  app.inputs.seed = 5;
  run({}, "use as b");
  app.inputs.seed = 6;
  ASSERT_TRUE(app.compare);
  EXPECT_EQ(app.compare->seed, 5U);
}

TEST_F(MapActions, what_is_copied_is_what_the_filter_leaves) {
  app.state.view.filter.hidden_keys = {0};
  frames(2);
  run({0, 0, Side::a, Cell{0, 1, 2}, {}}, "copy row");
  EXPECT_THAT(clipboard, StartsWith("\tanimal\tdidn't"));
  double sum = 0;
  std::istringstream row(clipboard.substr(clipboard.find("\nanimal") + 7));
  for (double weight = 0; row >> weight;) sum += weight;
  EXPECT_NEAR(sum, 1, 1e-5) << "renormalized, as on the map";
  EXPECT_THAT(app.notices.current()->text, HasSubstr("renormalized"));
  run({0, 0, Side::a, Cell{0, 1, 0}, {}}, "copy cell");
  EXPECT_THAT(clipboard, StartsWith("\tanimal")) << "what is hidden is not copied";
}

}  // namespace headscope::tests

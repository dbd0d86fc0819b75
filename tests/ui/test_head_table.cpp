#include "app/panels/views/views.h"
#include "core/scene/head_table.h"
#include "core/scene/labels.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class HeadTableView : public UiFixture {
 protected:
  HeadTableView() {
    // The weaker a head, the higher its entropy: 0, 4, 1, 5, 2, 6 from the sharpest in layer 1.
    const auto weight = [](int layer, int head, Index i, Index j) {
      return shifted_weight(8, layer, head, i, j, 1 - static_cast<float>((head + layer) * 4 % 7) / 8);
    };
    set_trace(trace_of(numbered_tokens(8), numbered_tokens(8), 6, 2, {}, weight));
    ImGui::GetIO().DisplaySize = {1600, 700};
    show(draw_head_table_view);
  }
  float height_of(const std::string& row) { return middle("row " + row).y; }
};

TEST_F(HeadTableView, sorts_by_a_column) {
  EXPECT_LT(height_of("1.1"), height_of("1.2"));
  EXPECT_LT(height_of("1.6"), height_of("2.1"));
  click("column entropy");  // entropy, largest first: layer 1 has 0, 4, 1, 5, 2, 6
  EXPECT_LT(height_of("1.6"), height_of("1.4"));
  EXPECT_LT(height_of("1.4"), height_of("1.2"));
  click("column entropy");
  EXPECT_LT(height_of("1.2"), height_of("1.4"));
}

TEST_F(HeadTableView, a_row_opens_its_head) {
  click("row 2.3");
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.view.layer, 1);
  EXPECT_EQ(state.view.head, 2);
}

TEST_F(HeadTableView, shows_the_head_that_was_pointed_at_large) {
  for (const TableHalf half : {TableHalf::numbers, TableHalf::scatter}) {
    state.view.kind = ViewKind::head_table;
    state.view.table.half = half;
    frames(2);
    view_cache.wait();
    frames(3);
    const std::string of_head = half == TableHalf::numbers ? "row 2.3" : "point 1 2";
    const auto before = place("large head");
    move(middle(of_head));
    frames(2);
    move(1, 1);
    frames(2);
    EXPECT_EQ(place("large head"), before) << "nothing moves";
    const HeatmapRequest& request = painter.requests.at(PainterSlots::detail);
    EXPECT_EQ(request.values[0], shifted_weight(8, 1, 2, 0, 0, 1 - 12 % 7 / 8.0F));
    click("large head");
    EXPECT_EQ(state.view.kind, ViewKind::head);
    EXPECT_EQ(state.view.layer, 1);
    EXPECT_EQ(state.view.head, 2);
  }
}

TEST_F(HeadTableView, a_head_is_named_in_its_row) {
  const ImVec2 row = middle("row 1.2");
  const ImVec2 name = middle("column name");
  click(name.x + 20, row.y);
  EXPECT_EQ(state.view.kind, ViewKind::grid);  // the field, not the row
  for (const char c : {'p', 'r', 'e', 'v'}) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    frame();
  }
  frames(2);
  ASSERT_NE(find_label(labels, 0, 1), nullptr);
  EXPECT_EQ(find_label(labels, 0, 1)->name, "prev");
}

TEST_F(HeadTableView, every_head_of_many_has_its_own_field) {
  // Rows of two layers whose numbers would meet if a layer had 64 heads.
  const auto weight = [](int layer, int head, Index i, Index j) {
    return shifted_weight(4, layer, head, i, j, 0.5F);
  };
  set_trace(trace_of(numbered_tokens(4), numbered_tokens(4), 70, 2, {}, weight));
  ImGui::GetIO().DisplaySize = {1600, 2800};
  state.view.table.half = TableHalf::numbers;
  frames(3);
  const auto name_it = [&](const std::string& row) {
    click(middle("column name").x + 20, middle("row " + row).y);
    ImGui::GetIO().AddInputCharacter('x');
    frames(3);
  };
  for (const char* row : {"1.66", "2.3"}) name_it(row);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].layer * 100 + labels[0].head, 65);
  EXPECT_EQ(labels[1].layer * 100 + labels[1].head, 102);
}

TEST_F(HeadTableView, the_matrix_is_in_the_trees_order) {
  const HeatmapRequest& matrix = painter.requests.at(PainterSlots::board);
  EXPECT_EQ(matrix.n_q, 12);
  for (Index i = 0; i < 12; ++i) EXPECT_EQ(matrix.values[i * 12 + i], 0);
  // Head h of layer 1 and head h - 1 of layer 2 are the same map: they are adjacent.
  int neighbours = 0;
  for (Index i = 0; i + 1 < 12; ++i) neighbours += matrix.values[i * 12 + i + 1] == 0;
  EXPECT_EQ(neighbours, 5);
}

TEST_F(HeadTableView, groups_the_grid) {
  click("group heads");
  EXPECT_EQ(state.view.sort.by, "similarity");
  const std::vector<int> order = view_cache.heads(block_of(trace, state.view.block), state.view, labels);
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 6U);
  click("group heads");
  EXPECT_EQ(state.view.sort.by, "");
}

TEST_F(HeadTableView, sorts_the_grid_alike) {
  click("column entropy");
  EXPECT_EQ(state.view.sort.by, "entropy");
  EXPECT_TRUE(state.view.sort.descending);
  click("column entropy");
  EXPECT_FALSE(state.view.sort.descending);
  click("column head");
  EXPECT_EQ(state.view.sort.by, "");
}

TEST_F(HeadTableView, sorts_by_keyboard) {
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  click("column diagonal");
  EXPECT_EQ(state.view.sort.by, "diagonal");
  press_each({Key::right, Key::space});
  EXPECT_EQ(state.view.sort.by, "previous");
}

TEST_F(HeadTableView, sorts_by_name_with_nameless_heads_last) {
  labels = {{0, 4, "b", {}}, {1, 2, "a", {}}};
  click("column name");
  EXPECT_LT(height_of("2.3"), height_of("1.5"));
  EXPECT_LT(height_of("1.5"), height_of("1.1"));
  click("column name");
  EXPECT_LT(height_of("1.5"), height_of("2.3"));
  EXPECT_LT(height_of("2.3"), height_of("1.1"));
}

TEST_F(HeadTableView, cuts_the_tree_into_groups) {
  EXPECT_FALSE(shows("column group"));
  click_each({"groups more", "groups more"});
  EXPECT_EQ(state.view.table.groups, 3);
  EXPECT_TRUE(shows("group 3"));
  EXPECT_FALSE(shows("group 4"));
  click("column group");
  EXPECT_EQ(state.view.sort.by, "similarity");
  // Head 2 of layer 1 and head 1 of layer 2 are the same map: in one cluster whatever its number.
  int together = 0;
  for (int g = 1; g <= 3; ++g)
    together +=
        shows("group " + std::to_string(g) + " of 1.2") && shows("group " + std::to_string(g) + " of 2.1");
  EXPECT_EQ(together, 1);
  EXPECT_LT(height_of("2.1"), 700);
  for (int i = 0; i < 3; ++i) click("groups fewer");
  EXPECT_EQ(state.view.table.groups, 1);
  EXPECT_FALSE(shows("column group"));
}

TEST_F(HeadTableView, has_no_more_groups_than_heads) {
  state.view.table.groups = 700;
  frames(2);
  EXPECT_EQ(state.view.table.groups, 12);
  EXPECT_TRUE(shows("group 12"));
}

TEST_F(HeadTableView, shows_all_columns_at_once_and_the_matrix_below) {
  ImGui::GetIO().DisplaySize = {1000, 800};
  frames(4);
  for (const HeadColumn& column : head_columns()) EXPECT_TRUE(shows(std::string("column ") + column.name));
  EXPECT_GT(middle("matrix").y, middle("row 1.1").y);
  EXPECT_LT(middle("column sparsity").x, 1000);
}

TEST_F(HeadTableView, one_half_takes_all_the_room) {
  click("half 1");
  EXPECT_FALSE(shows("matrix"));
  EXPECT_TRUE(shows("row 1.1"));
  click("half 2");
  EXPECT_TRUE(shows("matrix"));
  EXPECT_FALSE(shows("row 1.1"));
}

TEST_F(HeadTableView, in_a_small_window_only_one_half_is_shown) {
  ImGui::GetIO().DisplaySize = {700, 350};
  frames(4);
  EXPECT_TRUE(shows("row 1.1"));
  EXPECT_FALSE(shows("matrix"));
  click("half 2");
  EXPECT_TRUE(shows("matrix"));
}

TEST_F(HeadTableView, how_similarity_is_measured_is_explained_where_there_is_room) {
  int explained = 0;
  for (const float width : {700.0F, 900.0F, 1200.0F})
    for (float height = 500; height <= 1000; height += 50) {
      ImGui::GetIO().DisplaySize = {width, height};
      frames(4);
      if (!shows("matrix method")) continue;
      ++explained;
      EXPECT_GE(place("matrix method")[0], place("matrix bar")[2]) << width << " x " << height;
    }
  EXPECT_GT(explained, 0);
}

TEST_F(HeadTableView, the_matrix_names_its_columns_below) {
  const auto matrix = place("matrix"), columns = place("matrix columns");
  EXPECT_NEAR(columns[0], matrix[0], 1);
  EXPECT_NEAR(columns[2], matrix[2], 1);
  EXPECT_GE(columns[1], matrix[3]);
}

}  // namespace headscope::tests

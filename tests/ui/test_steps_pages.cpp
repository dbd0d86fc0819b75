#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class StepsPages : public AppFixture {
 protected:
  std::vector<std::array<float, 4>> short_lines() const {
    std::vector<std::array<float, 4>> lines;
    for (int i = 0; shows(fmt::format("short arithmetic {}", i)); ++i)
      lines.push_back(place(fmt::format("short arithmetic {}", i)));
    return lines;
  }
  std::vector<std::array<float, 4>> short_lines_of(const Cell& cell) {
    app.state.lock = cell;
    frames(2);
    return short_lines();
  }
};

TEST_F(StepsPages, the_inspector_does_the_sum_of_a_cell_in_lines_that_stay_where_they_are) {
  app.inputs.mask = {make_mask_part(MaskKind::causal)};
  app.inputs.temperature = 0.5;
  app.inputs.dropout = 0.25;
  frames(2);
  const auto lines = short_lines_of({0, 5, 1});
  ASSERT_EQ(lines.size(), 8U);  // q·k, √d_k, T, mask, max, exp, sum, dropout
  for (const Cell& cell : {Cell{0, 5, 9}, Cell{3, 0, 0}, Cell{7, 9, 9}, Cell{1, 0, 5}}) {
    const auto others = short_lines_of(cell);
    ASSERT_EQ(others.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(others[i][1], lines[i][1]) << i;
      EXPECT_EQ(others[i][3], lines[i][3]) << i;
      EXPECT_NEAR(others[i][2], lines[i][2], 0.5) << i;  // ends at the right edge
      if (i > 0) {
        EXPECT_GE(others[i][1], others[i - 1][3]) << "lines touch";
      }
    }
  }
}

TEST_F(StepsPages, a_number_with_many_digits_is_not_written_over_its_name) {
  app.inputs.gain_q = app.inputs.gain_k = 40;
  for (const double width : {10.0, 14.0, 18.0, 24.0}) {
    app.settings.inspector_width = width;
    frames(3);
    const auto lines = short_lines_of({0, 5, 1});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string name = fmt::format("short arithmetic {} name", i);
      if (!shows(name)) continue;
      EXPECT_LE(place(name)[2], lines[i][0]) << name << " at " << width;
    }
  }
}

TEST_F(StepsPages, the_pages_are_drawn_whatever_is_set) {
  app.state.view.kind = ViewKind::steps;
  for (const StepsPage page : {StepsPage::cost, StepsPage::streaming}) {
    app.state.view.steps.page = page;
    for (const int kv_heads : {0, 1}) {
      app.inputs.kv_heads = kv_heads;
      frames(3);
      EXPECT_TRUE(shows("steps page"));
    }
    app.state.lock = Cell{2, 3, 4};
    frames(2);
    app.state.lock.reset();
  }
}

}  // namespace headscope::tests

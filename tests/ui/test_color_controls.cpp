#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class ColorControls : public AppFixture {
 protected:
  const ColorRange& range_of(int head) { return painter.requests.at(PainterSlots::grid + head).range; }
};

TEST_F(ColorControls, colormaps_are_chosen_by_their_strips) {
  click("colormap");
  ASSERT_TRUE(shows("colormap magma"));
  const int before = ImGui::GetDrawData()->TotalVtxCount;
  EXPECT_GT(before, 4 * 4 * 256) << "each with all its colours";
  click("colormap magma");
  EXPECT_EQ(app.state.view.colormap, Colormap::magma);
}

TEST_F(ColorControls, cells_show_what_is_chosen_for_them) {
  const float weight = app.shown()->weights(0)[1];
  click("cells");
  ASSERT_TRUE(shows("cells norm"));
  click("cells logit");
  EXPECT_EQ(app.state.view.cells, CellValue::weight) << "a layer from a seed predicts nothing";
  click("cells norm");
  settle();
  EXPECT_EQ(app.state.view.cells, CellValue::norm);
  EXPECT_EQ(app.block()->cells.value, CellValue::norm);
  EXPECT_EQ(app.block(), app.block()) << "made once";
  EXPECT_NE(app.shown()->weights(0)[1], weight);
  app.state.view.cells = CellValue::score;
  settle();
  EXPECT_EQ(range_of(0).low, -range_of(0).high);
}

TEST_F(ColorControls, rollout_has_one_map_in_place_of_the_heads) {
  click("rollout");
  click("rollout weights");
  settle();
  EXPECT_EQ(app.state.view.rollout.of, Rollout::weights);
  EXPECT_EQ(app.block()->heads(), 1);
  EXPECT_GE(app.shown()->weights(0)[0], 0.5F);
  app.state.view.kind = ViewKind::layers;
  settle();
  EXPECT_TRUE(shows("layer 1 rollout") && shows("layer 1 head 8"));
  click("layer 1 head 2");
  settle();
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.head, 1);
  EXPECT_EQ(app.state.view.rollout.of, Rollout::off) << "a head has its own weights";
  app.state.view.kind = ViewKind::grid;
  app.state.view.rollout.of = Rollout::weights;
  settle();
  click("rollout residual");
  settle();
  EXPECT_FALSE(app.state.view.rollout.residual);
  EXPECT_LT(app.shown()->weights(0)[0], 0.5F);
}

TEST_F(ColorControls, limits_are_held_and_typed) {
  app.state.view.range.kind = Range::shared;
  frames(2);
  const ColorRange before = range_of(0);
  click("hold");
  EXPECT_EQ(app.state.view.range.kind, Range::fixed);
  EXPECT_NEAR(range_of(0).high, before.high, 1e-3);
  app.inputs.temperature = 0.1;
  frames(3);
  EXPECT_NEAR(range_of(0).high, before.high, 1e-3);
  EXPECT_TRUE(range_of(0).above) << "and the bar says that there is more";
  enter("highest", U"0.5");
  EXPECT_EQ(range_of(0).high, 0.5F);
  enter("lowest", U"0.7");
  EXPECT_EQ(app.state.view.range.limits.high, 0.5);
  EXPECT_TRUE(shows("limits refused"));
  enter("lowest", U"0.25");
  EXPECT_FALSE(shows("limits refused"));
  EXPECT_EQ(range_of(7).low, 0.25F);
  click("hold");
  EXPECT_EQ(app.state.view.range.kind, Range::shared);
}

TEST_F(ColorControls, a_range_holds_while_a_slider_is_dragged) {
  const ColorRange before = range_of(0);
  const auto [left, top, right, bottom] = place("temperature");
  const float y = (top + bottom) / 2;
  point_to({(left + right) / 2, y});
  button(true);
  settle();
  for (const float share : {0.45F, 0.3F, 0.1F}) point_to({left + (right - left) * share, y});
  ASSERT_NE(app.inputs.temperature, 1);
  EXPECT_EQ(range_of(0).low, before.low);
  EXPECT_EQ(range_of(0).high, before.high);
  button(false);
  settle();
  frames(2);
  EXPECT_NE(range_of(0).high, before.high);
}

}  // namespace headscope::tests

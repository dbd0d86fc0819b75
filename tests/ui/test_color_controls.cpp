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

TEST_F(ColorControls, ranges_are_held_and_limits_typed) {
  app.state.view.range.kind = Range::shared;
  frames(2);
  const ColorRange before = range_of(0);
  for (const bool held : {true, false, true}) {
    click("hold");
    frames(2);
    EXPECT_EQ(app.state.view.range.holds(), held);
  }
  app.inputs.sentence = "Another sentence ends it";
  settle();
  EXPECT_FALSE(app.state.view.range.holds());
  app.state.view.range.kind = Range::fixed;
  frames(2);
  click("hold");
  frames(2);
  EXPECT_TRUE(app.state.view.range.held.empty()) << "given limits are held already";
  enter("highest", U"0.5");
  EXPECT_EQ(range_of(0).high, 0.5F);
  enter("lowest", U"0.7");
  EXPECT_EQ(app.state.view.range.limits.high, 0.5);
  EXPECT_TRUE(shows("limits refused"));
  enter("lowest", U"0.25");
  EXPECT_FALSE(shows("limits refused"));
  EXPECT_EQ(range_of(7).low, 0.25F);
  EXPECT_GT(before.high, before.low);
}

TEST_F(ColorControls, a_slider_holds_the_range_until_the_chip_is_clicked) {
  const ColorRange before = range_of(0);
  EXPECT_FALSE(shows("rescale"));
  const auto [left, top, right, bottom] = place("temperature");
  const float y = (top + bottom) / 2;
  point_to({(left + right) / 2, y});
  button(true);
  settle();
  for (const float share : {0.45F, 0.3F, 0.1F}) point_to({left + (right - left) * share, y});
  ASSERT_NE(app.inputs.temperature, 1);
  button(false);
  settle();
  frames(2);
  EXPECT_EQ(range_of(0).low, before.low);
  EXPECT_EQ(range_of(0).high, before.high);
  click("rescale");
  frames(2);
  EXPECT_NE(range_of(0).high, before.high);
  EXPECT_FALSE(shows("rescale"));
}

}  // namespace headscope::tests

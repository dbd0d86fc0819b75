#include "app/panels/views/views.h"
#include "core/source/engine/engine.h"
#include "tests/support/model_inputs.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class LayersPanel : public UiFixture {
 protected:
  LayersPanel() {
    set_trace(synthetic_trace(12, 9, 9, 12));
    show(draw_layers);
  }
};

TEST_F(LayersPanel, shows_twelve_by_twelve_at_once) {
  EXPECT_TRUE(shows("layer 1 head 1"));
  EXPECT_TRUE(shows("layer 12 head 12"));
  EXPECT_EQ(painter.requests.size(), 145U) << "and one of them large";
  const HeatmapRequest& request = painter.requests.at(PainterSlots::thumbnail(3, 5));
  EXPECT_EQ(request.n_q, 9);
  // Layer 4, head 6 attends from i to (i + 5 + 3) mod 9.
  EXPECT_EQ(request.values[2 * 9 + (2 + 8) % 9], 0.7F);
}

TEST_F(LayersPanel, the_tooltip_covers_no_map_and_stays_in_the_window) {
  for (const char* mark : {"layer 1 head 1", "layer 6 head 6", "layer 12 head 12"}) {
    move(middle(mark));
    frames(3);
    const auto [left, top, right, bottom] = place("layers tooltip");
    EXPECT_GE(std::min(left, top), 0);
    EXPECT_LE(right, 1200);
    EXPECT_LE(bottom, 700);
    for (const auto& [name, rect] : ui_anchors.rects())
      if (name.starts_with("layer ")) {
        EXPECT_TRUE(right <= rect[0] || left >= rect[2] || bottom <= rect[1] || top >= rect[3]) << name;
      }
  }
}

TEST_F(LayersPanel, leave_out_heads_that_a_layer_lacks) {
  const TempFolder folder;
  Engine engine;
  // The first layer is a short convolution.
  show_trace(engine.run(inputs_for(folder.path, model_case("lfm2"))));
  view_cache.wait();
  frames(3);
  EXPECT_FALSE(shows("layer 1 head 1"));
  EXPECT_TRUE(shows("layer 2 head 4"));
  EXPECT_TRUE(shows("large head"));
  // Six heads, four and six.
  show_trace(engine.run(inputs_for(folder.path / "next", model_case("qwen3_next"))));
  view_cache.wait();
  frames(3);
  EXPECT_TRUE(shows("layer 1 head 6"));
  EXPECT_FALSE(shows("layer 2 head 5"));
  move(middle("layer 3 head 6"));
  frames(2);
  EXPECT_TRUE(shows("large head"));
}

TEST_F(LayersPanel, layers_are_added_and_removed_in_the_view) {
  inputs.layers = 2;
  click("layers more");
  EXPECT_EQ(inputs.layers, 3);
  click("layers less");
  click("layers less");
  click("layers less");
  EXPECT_EQ(inputs.layers, 1) << "one is left";
}

TEST_F(LayersPanel, show_the_head_that_was_pointed_at_large) {
  show_trace(synthetic_trace(8, 9, 9));
  view_cache.wait();
  frames(3);
  const auto detail = place("large head"), small = place("layer 1 head 6");
  EXPECT_GT(detail[3] - detail[1], 2 * (small[3] - small[1]));
  move(middle("layer 1 head 6"));
  frames(2);
  move(1, 1);
  frames(2);
  click("large head");
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.view.head, 5);
}

TEST_F(LayersPanel, have_a_color_bar) {
  EXPECT_TRUE(shows("color bar"));
}

TEST_F(LayersPanel, a_click_opens_the_head) {
  click("layer 3 head 7");
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.view.layer, 2);
  EXPECT_EQ(state.view.head, 6);
}

TEST_F(LayersPanel, large_maps_are_computed_small_and_keep_their_brightest_cell) {
  set_trace(synthetic_trace(2, 300, 300, 2));
  painter.requests.clear();
  frames(3);
  view_cache.wait();
  frames(2);
  const HeatmapRequest& request = painter.requests.at(PainterSlots::thumbnail(0, 0));
  EXPECT_LE(request.n_q, 64);
  // The diagonal of head 1 in layer 1 is 0.7 everywhere, so is that of the small map.
  for (Index i = 0; i < request.n_q; ++i) EXPECT_EQ(request.values[i * request.n_k + i], 0.7F);
}

TEST_F(LayersPanel, filtered_cells_stay_distinct_from_masked_ones) {
  set_trace(synthetic_trace(2, 4, 4, 2, {MaskPart{}}));  // causal
  state.view.filter.threshold = 0.5;
  frames(3);
  const HeatmapRequest& request = painter.requests.at(PainterSlots::thumbnail(0, 0));
  ASSERT_NE(request.blocked, nullptr);
  EXPECT_EQ(request.blocked[1], cell_masked);
  EXPECT_EQ(request.blocked[4], cell_filtered);
  EXPECT_EQ(request.blocked[5], cell_shown);
}

TEST_F(LayersPanel, nothing_is_computed_anew_for_a_frame_without_change) {
  const void* owner = painter.requests.at(PainterSlots::thumbnail(0, 0)).owner.get();
  frames(3);
  EXPECT_EQ(painter.requests.at(PainterSlots::thumbnail(0, 0)).owner.get(), owner);
  EXPECT_FALSE(view_cache.busy());
}

}  // namespace headscope::tests

#include <imgui_internal.h>

#include "app/state/view/color_range.h"
#include "tests/support/testing.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {
namespace {

class LongMap : public AppFixture {
 protected:
  LongMap() {
    for (int i = 0; i < 20000; ++i) app.inputs.sentence += i % 7 == 0 ? "cat " : "the ";
    app.inputs.d_model = 16;
    app.inputs.heads = 2;
    app.state.view.kind = ViewKind::head;
    app.state.view.head = 1;
    wait_until_idle();
  }
};

}  // namespace

TEST_F(LongMap, is_zoomed_into_by_the_wheel_and_keeps_its_place_while_other_views_are_shown) {
  const auto map = place("map 2");
  wheel_at({(map[0] + map[2]) / 2, (map[1] + map[3]) / 2}, 12);
  wait_until_idle();
  const Zoom zoom = app.state.view.zoom;
  EXPECT_NEAR(zoom.factor, 14.55, 0.01);
  EXPECT_NEAR(zoom.query, 9313, 60);
  const auto part = app.shown();
  ASSERT_TRUE(part->part.has_value());
  EXPECT_EQ(part->part->query_pool, 2);
  // A click locks a cell of tokens.
  click(ImVec2{(map[0] + map[2]) / 2, (map[1] + map[3]) / 2});
  ASSERT_TRUE(app.state.lock.has_value());
  const Cell locked = *app.state.lock;
  EXPECT_NEAR(locked.query, 10000, 20);
  EXPECT_NEAR(locked.key, 10000, 20);
  click("views 0");
  wait_until_idle();
  EXPECT_TRUE(app.block()->pooled());
  EXPECT_EQ(app.state.lock, locked);
  EXPECT_LT(app.state.lock_in(*app.block())->query, 1000);
  click("views 1");
  wait_until_idle();
  EXPECT_EQ(app.state.view.zoom, zoom);
  EXPECT_EQ(*app.state.lock, locked);
}

TEST_F(LongMap, a_colour_means_the_same_weight_while_it_is_dragged) {
  app.inputs.mask = {parse_mask_part("causal")};
  app.inputs.temperature = 20;
  app.state.view.zoom = {4000, 4000, 40};
  wait_until_idle();
  rescale(app.state);  // what the temperature's change has held
  wait_until_idle();
  const auto map = place("map 2");
  const auto high = [&] { return painter.requests.at(PainterSlots::head).range.high; };
  const float before = high();
  const ImVec2 from{map[0] + 20, map[1] + 20};
  move(from);
  button(true);
  // Four views to the right and below, where weights are smaller.
  for (int i = 1; i <= 4; ++i) {
    for (const float share : {0.25F, 0.5F, 0.75F, 1.0F}) {
      const float along = static_cast<float>(i - 1) + share;
      move(from.x - along * (map[2] - map[0]), from.y - along * (map[3] - map[1]));
    }
    wait_until_idle();
    ASSERT_EQ(app.shown()->part->query_pool, 1);
    EXPECT_EQ(high(), before);
  }
  button(false);
  wait_until_idle();
  EXPECT_GT(app.state.view.zoom.query, 5500);
  EXPECT_LT(high(), before);
}

TEST_F(LongMap, shows_means_by_its_switch_and_what_it_took) {
  EXPECT_FALSE(app.state.view.means);
  click("means 1");
  EXPECT_TRUE(app.state.view.means);
  EXPECT_NE(app.shown()->weights(1), nullptr);  // the previous map, until this one is ready
  wait_until_idle();
  ASSERT_TRUE(app.shown()->part.has_value());
  EXPECT_TRUE(app.shown()->part->means);
  EXPECT_FALSE(app.shown()->part->sampled);
}

TEST_F(LongMap, a_copy_is_compared_without_being_read_again) {
  click("views 4");
  wait_until_idle();
  ASSERT_TRUE(app.compare.has_value());
  EXPECT_EQ(app.trace(), app.trace(Side::b));
  app.compare->temperature = 2;
  wait_until_idle();
  EXPECT_NE(app.trace(), app.trace(Side::b));
}

TEST_F(LongMap, says_while_it_is_presented_that_it_is_being_read) {
  app.presentation.on = true;
  app.inputs.seed = 7;
  frames(2);
  EXPECT_TRUE(shows("presented progress"));
  wait_until_idle();
  EXPECT_FALSE(shows("presented progress"));
}

TEST_F(LongMap, pages_of_the_steps_begin_with_their_first_line) {
  click("views 6");
  wait_until_idle();
  click("steps pages 1");
  wait_until_idle();
  const auto page = std::ranges::find_if(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
    return std::string_view(window->Name).find("steps page") != std::string_view::npos;
  });
  ASSERT_NE(page, ImGui::GetCurrentContext()->Windows.end());
  EXPECT_GT((*page)->ScrollMax.y, 0);
  EXPECT_EQ((*page)->Scroll.y, 0);
}

TEST_F(LongMap, widths_of_masks_reach_from_a_few_tokens_to_all) {
  app.inputs.mask = {parse_mask_part("window:16")};
  wait_until_idle();
  const auto slider = place("Width w");
  const auto at = [&](float share) {
    click(ImVec2{slider[0] + share * (slider[2] - slider[0]), (slider[1] + slider[3]) / 2});
    return app.inputs.mask.front().window;
  };
  EXPECT_GT(at(0.99F), 15000);
  const int middle = at(0.5F);
  EXPECT_GT(middle, 20);
  EXPECT_LT(middle, 1000);
}

TEST_F(LongMap, whole_groups_are_painted_in_the_grid) {
  click("views 0");
  wait_until_idle();
  ASSERT_TRUE(app.block()->pooled());
  const int group = static_cast<int>(app.block()->query_pool);
  app.state.brush.on = true;
  frames(2);
  const auto map = place("map 1");
  click(ImVec2{map[0] + (map[2] - map[0]) * 0.25F, map[1] + (map[3] - map[1]) * 0.75F});
  ASSERT_EQ(app.inputs.mask.size(), 1U);
  const Runs& painted = app.inputs.mask[0].painted;
  ASSERT_EQ(painted.size(), static_cast<std::size_t>(group));
  EXPECT_EQ(painted[0].query % group, 0);
  EXPECT_NEAR(painted[0].query, 15000, 300);
  EXPECT_NEAR(painted[0].key_begin, 5000, 300);
  EXPECT_EQ(painted[0].key_end, painted[0].key_begin + group);
  EXPECT_EQ(app.state.lock, std::nullopt);
}

}  // namespace headscope::tests

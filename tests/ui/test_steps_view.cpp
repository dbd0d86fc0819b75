#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class StepsView : public AppFixture {
 protected:
  StepsView() { open(); }
  StepsView(ImVec2 size, float text) : AppFixture(size, text) { open(); }
  void open() { press(digit_key('7'), true); }
  void show(const std::string& stage) {
    app.state.view.stage = stage;
    frames(3);
  }
};

TEST_F(StepsView, space_and_buttons_show_stage_after_stage) {
  EXPECT_TRUE(shows("stage x"));
  EXPECT_FALSE(shows("stage projections"));
  press(Key::space);
  EXPECT_TRUE(shows("stage projections"));
  click("step next");
  EXPECT_EQ(app.state.view.stage, "products");
  click("step before");
  click("steps 5");
  EXPECT_EQ(app.state.view.stage, "values");
  click("play");
  EXPECT_TRUE(app.state.next_step);
  pause();
  pause();
  pause();
  EXPECT_EQ(app.state.view.stage, "concat");
}

TEST_F(StepsView, the_chain_runs_from_left_to_right_and_its_links_choose_the_stage) {
  for (int i = 0; i < 7; ++i) {
    const auto from = place("steps " + std::to_string(i)), to = place("steps " + std::to_string(i + 1));
    EXPECT_LT(from[2], to[0]) << i;
    EXPECT_EQ(from[1], to[1]) << i;
  }
  click("steps 7");
  EXPECT_EQ(app.state.view.stage, "output");
  EXPECT_TRUE(shows("shape checks"));
}

TEST_F(StepsView, keys_step_after_a_button_was_clicked) {
  click("step next");
  for (const char* stage : {"products", "scale", "softmax"}) {
    press(Key::page_down);
    EXPECT_EQ(app.state.view.stage, stage);
  }
  click("matrices 1");
  press(Key::space);
  EXPECT_EQ(app.state.view.stage, "values");
  press(Key::page_up);
  EXPECT_EQ(app.state.view.stage, "softmax");
}

TEST_F(StepsView, space_paints_while_the_brush_is_on) {
  press(Key::down);
  ASSERT_TRUE(app.state.lock);
  app.state.brush.on = true;
  frames(2);
  const std::string stage = app.state.view.stage;
  press(Key::space);
  frames(2);
  EXPECT_FALSE(app.inputs.mask.empty());
  EXPECT_EQ(app.state.view.stage, stage);
}

TEST_F(StepsView, the_present_stage_is_brought_into_view) {
  for (const char* stage : {"output", "x", "softmax"}) {
    show(stage);
    const auto card = place(std::string("stage ") + stage), room = place("panel stage");
    EXPECT_GE(card[1], room[1]) << stage;
    EXPECT_LT(card[1], room[3] - 60) << stage;
  }
  // Beside a panel more, cards are higher, and the present one stands elsewhere.
  app.settings.show_inspector = !app.settings.show_inspector;
  frames(4);
  const auto card = place("stage softmax"), room = place("panel stage");
  EXPECT_GE(card[1], room[1]);
  EXPECT_LT(card[1], room[3] - 60);
}

TEST_F(StepsView, arrows_and_the_map_choose_the_cell) {
  press(Key::down);
  ASSERT_TRUE(app.state.lock) << "from the one that was chosen for nobody had";
  app.state.lock = Cell{0, 3, 3};
  press(Key::right);
  press(Key::up);
  EXPECT_EQ(app.state.lock, (Cell{0, 2, 4}));
  press(Key::right, true);
  EXPECT_EQ(app.state.lock->head, 1);
  const auto [left, top, right, bottom] = place("map 2");
  click(left + (right - left) * 0.05F, top + (bottom - top) * 0.05F);
  EXPECT_EQ(app.state.lock, (Cell{1, 0, 0}));
}

TEST_F(StepsView, a_click_lists_the_terms_of_another_component_and_unfolds) {
  show("products");
  click("component 3");
  EXPECT_EQ(app.state.steps.component, 3);
  click("unfold products");
  EXPECT_TRUE(app.state.steps.unfolded.contains("products"));
  EXPECT_TRUE(shows("fold products"));
  EXPECT_FALSE(shows("unfold products"));
}

TEST_F(StepsView, has_its_other_pages) {
  click("steps pages 1");
  EXPECT_EQ(app.state.view.page, StepsPage::cost);
  EXPECT_TRUE(shows("steps page"));
  EXPECT_FALSE(shows("stage x"));
  click("steps pages 0");
  EXPECT_TRUE(shows("stage x"));
}

/// In a small window with large text, and in a large one: it draws, and whatever can be pressed has room.
class StepsViewSizes : public StepsView, public testing::WithParamInterface<std::tuple<ImVec2, float>> {
 protected:
  StepsViewSizes() : StepsView(std::get<0>(GetParam()), std::get<1>(GetParam())) {}
};

TEST_P(StepsViewSizes, draws_every_stage) {
  for (const char* inputs : {"", "one two three"}) {
    if (*inputs != 0) app.inputs.key_sentence = inputs;
    app.inputs.layers = *inputs != 0 ? 2 : 1;
    for (const char* stage : {"x", "softmax", "norm"})
      for (const auto matrices : {StepsLook::Matrices::digits, StepsLook::Matrices::colors}) {
        app.state.steps.matrices = matrices;
        show(stage);
        EXPECT_TRUE(shows("step next"));
        const auto [left, top, right, bottom] = place("step next");
        EXPECT_TRUE(left >= 0 && right <= ImGui::GetIO().DisplaySize.x &&
                    bottom <= ImGui::GetIO().DisplaySize.y);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, StepsViewSizes,
                         testing::Values(std::tuple(ImVec2(1600, 960), 17.0F),
                                         std::tuple(ImVec2(1280, 720), 13.0F),
                                         std::tuple(ImVec2(1280, 720), 23.0F)));

}  // namespace headscope::tests

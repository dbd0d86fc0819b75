#include "app/panels/views/steps_memory.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/steps.h"
#include "core/inputs/mask_kinds.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class StepsView : public AppFixture {
 protected:
  StepsView() { open(); }
  StepsView(ImVec2 size, float text) : AppFixture(size, text) { open(); }
  void open() { press(digit_key('7'), true); }
  void show(const std::string& stage) {
    app.state.view.steps.stage = stage;
    frames(3);
  }
};

TEST_F(StepsView, space_and_buttons_show_stage_after_stage) {
  EXPECT_TRUE(shows("stage x"));
  EXPECT_FALSE(shows("stage projections"));
  press(Key::space);
  EXPECT_TRUE(shows("stage projections"));
  click("step next");
  EXPECT_EQ(app.state.view.steps.stage, "products");
  click("step before");
  click("steps 5");
  EXPECT_EQ(app.state.view.steps.stage, "values");
  click("play");
  EXPECT_TRUE(app.state.next_step);
  pause();
  pause();
  pause();
  EXPECT_EQ(app.state.view.steps.stage, "concat");
}

TEST_F(StepsView, the_chain_runs_from_left_to_right_and_its_links_choose_the_stage) {
  for (int i = 0; i < 7; ++i) {
    const auto from = place("steps " + std::to_string(i)), to = place("steps " + std::to_string(i + 1));
    EXPECT_LT(from[2], to[0]) << i;
    EXPECT_EQ(from[1], to[1]) << i;
  }
  click("steps 7");
  EXPECT_EQ(app.state.view.steps.stage, "output");
  EXPECT_TRUE(shows("shape checks"));
}

TEST_F(StepsView, keys_step_after_a_button_was_clicked) {
  click("step next");
  for (const char* stage : {"products", "scale", "softmax"}) {
    press(Key::page_down);
    EXPECT_EQ(app.state.view.steps.stage, stage);
  }
  click("matrices 1");
  press(Key::space);
  EXPECT_EQ(app.state.view.steps.stage, "values");
  press(Key::page_up);
  EXPECT_EQ(app.state.view.steps.stage, "softmax");
}

TEST_F(StepsView, space_paints_while_the_brush_is_on) {
  press(Key::down);
  ASSERT_TRUE(app.state.lock);
  app.state.brush.on = true;
  frames(2);
  const std::string stage = app.state.view.steps.stage;
  press(Key::space);
  frames(2);
  EXPECT_FALSE(app.inputs.mask.empty());
  EXPECT_EQ(app.state.view.steps.stage, stage);
}

TEST_F(StepsView, the_present_stage_is_brought_into_view) {
  for (const char* stage : {"output", "x", "softmax"}) {
    show(stage);
    const auto card = place(std::string("stage ") + stage), room = place("panel stage");
    EXPECT_GE(card[1], room[1]) << stage;
    EXPECT_LT(card[1], room[3] - 60) << stage;
  }
  // Next to one more panel, cards are higher, and the present one is elsewhere.
  app.settings.show_inspector = !app.settings.show_inspector;
  frames(4);
  const auto card = place("stage softmax"), room = place("panel stage");
  EXPECT_GE(card[1], room[1]);
  EXPECT_LT(card[1], room[3] - 60);
}

TEST_F(StepsView, every_stage_has_type_of_one_size) {
  app.inputs.mask = {make_mask_part(MaskKind::causal)};
  for (const ImVec2 size : {ImVec2{1280, 1000}, {1280, 720}, {1000, 560}}) {
    ImGui::GetIO().DisplaySize = size;
    frames(3);
    std::set<float> sizes;
    for (const std::string& stage : steps_of(app.scene(app.block()))) {
      show(stage);
      if (memory.steps->whole) {
        EXPECT_FALSE(app.state.steps_room.below) << stage;
      }
      for (const BoardText& text : memory.steps->board.texts)
        if (text.text.starts_with("1  ")) sizes.insert(static_cast<float>(text.style.size));
    }
    EXPECT_EQ(sizes.size(), 1U) << size.y << " high";
  }
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
  EXPECT_EQ(app.state.view.steps.page, StepsPage::cost);
  EXPECT_TRUE(shows("steps page"));
  EXPECT_FALSE(shows("stage x"));
  click("steps pages 0");
  EXPECT_TRUE(shows("stage x"));
}

/// The smallest window with the largest text: the least space there is next to a lesson.
class LessonSteps : public AppFixture {
 protected:
  LessonSteps() : AppFixture({1280, 720}, 27) {}
  void play(const std::string& lesson, int step) {
    ASSERT_TRUE(play_lesson(app, lesson));
    go_to_step(app, step - 1);
    frames(5);
  }
  /// Expects it fully inside the stage's panel.
  void expect_in_view(const std::string& mark) {
    ASSERT_TRUE(shows(mark)) << mark;
    const auto at = place(mark), room = place("panel stage");
    EXPECT_GE(at[1], room[1]) << mark;
    EXPECT_LE(at[3], room[3]) << mark;
    EXPECT_LE(at[2], room[2]) << mark;
    EXPECT_GT(at[3] - at[1], 10) << mark;
  }
};

TEST_F(LessonSteps, the_result_of_a_stage_is_in_view_and_so_is_what_a_lesson_points_to) {
  const std::tuple<const char*, int, const char*> steps[] = {{"by-hand", 2, "result projections"},
                                                             {"by-hand", 3, "result projections"},
                                                             {"by-hand", 8, "result values"},
                                                             {"by-hand", 9, "result output"},
                                                             {"masks", 2, "result softmax"},
                                                             {"shapes", 2, "shape strip"},
                                                             {"shapes", 3, "shape strip"},
                                                             {"shapes", 4, "shape strip"},
                                                             {"shapes", 7, "shape strip"},
                                                             {"long-sentences", 7, "present result"},
                                                             {"long-sentences", 8, "present result"},
                                                             {"long-sentences", 9, "present result"}};
  for (const auto& [lesson, step, mark] : steps) {
    SCOPED_TRACE(fmt::format("{} {}", lesson, step));
    play(lesson, step);
    expect_in_view(mark);
  }
  play("by-hand", 7);
  go_to_step(app, 6, 1);
  frames(5);
  expect_in_view("result softmax");
  for (const int step : {1, 2, 7, 8}) {
    play("shapes", step);
    for (const std::string& stage : steps_of(app.scene(app.block())))
      EXPECT_FALSE(shows("stage " + stage)) << "no more than its heading would have room beside the strip";
  }
  play("long-sentences", 7);
  EXPECT_EQ(app.state.view.steps.stage, "block 1");
  play("cost", 4);
  EXPECT_LT(place("section charts")[1] - place("panel stage")[1], 300);
}

TEST_F(LessonSteps, space_reads_a_stage_to_its_end) {
  play("shapes", 2);
  ASSERT_EQ(app.state.view.steps.stage, "projections");
  ASSERT_FALSE(shows("stage projections"));
  press(Key::space);
  ASSERT_TRUE(shows("stage projections"));
  const auto stage = place("stage projections"), room = place("panel stage");
  EXPECT_GT(stage[3] - stage[1], 0.4F * (room[3] - room[1])) << "in all of the room";
  EXPECT_EQ(app.state.view.steps.stage, "projections") << "not yet the next one";
  int presses = 0;
  for (; app.state.view.steps.stage == "projections" && presses < 20; ++presses) press(Key::space);
  EXPECT_GT(presses, 1);
  EXPECT_EQ(app.state.view.steps.stage, "products");
}

/// In a small window with large text, and in a large one: it draws, and every clickable item fits.
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

/// A view in which no card fits.
class ShortStepsView : public StepsView {
 protected:
  ShortStepsView() : StepsView({1280, 600}, 27) {}
};

TEST_F(ShortStepsView, opens_at_the_beginning_of_a_card) {
  app.state.steps.matrices = StepsLook::Matrices::digits;
  frames(4);
  const StepsRoom& room = app.state.steps_room;
  EXPECT_TRUE(!room.above && room.below);
  app.state.steps_room.from_top = false;  // as while playing
  app.state.steps.matrices = StepsLook::Matrices::automatic;
  frames(4);
  app.state.steps.matrices = StepsLook::Matrices::digits;
  frames(4);
  EXPECT_TRUE(room.above && !room.below) << "its result is in view";
}

TEST_F(ShortStepsView, requests_the_frame_that_shows_where_it_scrolled_to) {
  app.state.steps_room.from_top = false;
  frames(6);
  EXPECT_FALSE(app.state.layout_moved) << "at rest";
  app.state.steps.matrices = StepsLook::Matrices::digits;
  int moved = 0;
  for (int i = 0; i < 6; ++i) {
    frames(1);
    moved += app.state.layout_moved ? 1 : 0;
  }
  EXPECT_GT(moved, 0);
  EXPECT_FALSE(app.state.layout_moved) << "at rest again";
}

}  // namespace headscope::tests

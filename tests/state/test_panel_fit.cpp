#include <fstream>

#include "app/state/actions/actions.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/panels.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

TEST(PanelFit, the_view_comes_first) {
  struct Case {
    PanelWishes wishes;
    bool controls, inspector;
  };
  const Case cases[] = {
      {{80, 17, 15, Panel::none}, true, true},     {{47.4, 17, 15, Panel::none}, true, true},
      {{37, 17, 15, Panel::none}, true, false},    {{37, 17, 15, Panel::inspector}, false, true},
      {{37, 0, 15, Panel::none}, false, true},     {{24, 17, 15, Panel::none}, false, false},
      {{24, 17, 15, Panel::controls}, true, false}};
  for (const auto& [wishes, controls, inspector] : cases) {
    SCOPED_TRACE(wishes.width);
    const PanelWidths fit = fit_panels(wishes);
    EXPECT_EQ(fit.controls > 0, controls);
    EXPECT_EQ(fit.inspector > 0, inspector);
    EXPECT_LE(fit.controls, wishes.controls);
    EXPECT_LE(fit.inspector, wishes.inspector);
  }
  EXPECT_EQ(fit_panels({47.4, 17, 15, Panel::none, table_width}).inspector, 0);
  EXPECT_EQ(fit_panels({80, 17, 15}).controls, 17) << "as wide as it was chosen where there is room";
  EXPECT_EQ(fit_panels({80, 17, 15}).inspector, 15);
}

class PanelsTest : public StateFixture {};

TEST_F(PanelsTest, a_key_hides_each_panel_and_f9_all) {
  const auto visible = [&] {
    return std::array{is_visible(app, Panel::controls), is_visible(app, Panel::sentence),
                      is_visible(app, Panel::inspector)};
  };
  const std::array all{true, true, true}, none{false, false, false};
  EXPECT_EQ(visible(), all);
  run_action(app, "maps alone");
  EXPECT_EQ(visible(), none);
  run_action(app, "maps alone");
  EXPECT_EQ(visible(), all);
  for (const char* id : {"controls", "show sentence", "inspector"}) {
    run_action(app, id);
    EXPECT_NE(visible(), all) << id;
    run_action(app, id);
    EXPECT_EQ(visible(), all) << id;
  }
  run_action(app, "maps alone");
  run_action(app, "inspector");
  EXPECT_EQ(visible(), (std::array{false, false, true})) << "only what was asked for";
  run_action(app, "sentence");
  EXPECT_TRUE(is_visible(app, Panel::sentence)) << "who edits it sees it";
}

TEST_F(PanelsTest, what_gave_way_comes_when_it_is_requested) {
  app.state.inspector_gives_way = true;
  EXPECT_FALSE(is_visible(app, Panel::inspector));
  run_action(app, "inspector");
  EXPECT_TRUE(app.settings.show_inspector);
  EXPECT_EQ(app.state.panel_kept, Panel::inspector);
}

TEST_F(PanelsTest, what_has_no_room_next_to_the_view_covers_it) {
  app.state.controls_give_way = true;
  run_action(app, "controls");
  app.state.controls_give_way = true;  // it still does not fit
  EXPECT_TRUE(is_visible(app, Panel::controls));
  EXPECT_TRUE(overlays_view(app, Panel::controls));
  EXPECT_FALSE(overlays_view(app, Panel::inspector));
  run_action(app, "controls");
  EXPECT_FALSE(is_visible(app, Panel::controls));
  EXPECT_TRUE(app.settings.show_controls) << "where there is room it stands there";
  run_action(app, "controls");
  app.state.controls_give_way = true;
  app.state.lock = Cell{0, 0, 0};
  press(Key::escape);
  EXPECT_FALSE(is_visible(app, Panel::controls));
  EXPECT_TRUE(app.state.lock) << "one thing at a time";
}

TEST_F(PanelsTest, in_a_lesson_only_what_the_step_names_is_shown_until_the_user_says_otherwise) {
  const TempFolder folder;
  const auto step = [](const char* name) {
    return fmt::format("## S\n```state\n{{\"highlight\": [\"{}\"]}}\n```\n", name);
  };
  std::ofstream(folder.at("a.md")) << "# T\n"
                                   << step("map") << step("temperature") << step("inspector")
                                   << step("sentence");
  const auto visible = [&] {
    return std::pair(is_visible(app, Panel::controls), is_visible(app, Panel::inspector));
  };
  const std::pair neither{false, false}, both{true, true};
  app.settings.show_inspector = false;
  ASSERT_TRUE(play_lesson(app, folder.at("a.md")));
  EXPECT_EQ(visible(), neither);
  go_to_step(app, 1);
  EXPECT_EQ(visible(), std::pair(true, false));
  go_to_step(app, 2);
  EXPECT_EQ(visible(), std::pair(false, true));
  run_action(app, "controls");
  EXPECT_EQ(visible(), both);
  for (const int other : {0, 3}) {
    go_to_step(app, other);
    EXPECT_EQ(visible(), std::pair(true, false)) << "the user's choice stays";
  }
  run_action(app, "controls");
  go_to_step(app, 1);
  EXPECT_EQ(visible(), neither);
  close_lesson(app);
  EXPECT_EQ(visible(), std::pair(true, false)) << "as before the lesson";
  ASSERT_TRUE(play_lesson(app, folder.at("a.md")));
  go_to_step(app, 1);
  EXPECT_EQ(visible(), std::pair(true, false)) << "a new lesson begins without choices";
}

TEST(PanelFit, a_lesson_stays_and_the_others_are_wide_enough_or_gone) {
  for (const double width : {38.0, 47.4, 60.0, 80.0, 100.0, 120.0}) {
    PanelWishes wishes{width, 17, 15};
    wishes.lesson = 22;
    const PanelWidths fit = fit_panels(wishes);
    EXPECT_GE(fit.lesson, 11) << width;
    EXPECT_LE(fit.lesson, 22) << width;
    EXPECT_TRUE(fit.controls == 0 || fit.controls >= 11.7) << width;
    EXPECT_TRUE(fit.inspector == 0 || fit.inspector >= 9) << width;
    EXPECT_GE(width - fit.lesson - fit.controls - fit.inspector, 18) << width;
  }
  EXPECT_EQ(fit_panels({100, 17, 15}).lesson, 0);
}

}  // namespace headscope::tests

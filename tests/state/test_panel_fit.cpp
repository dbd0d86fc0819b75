#include "app/state/panel_fit.h"
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

TEST_F(PanelsTest, what_gave_way_comes_when_it_is_asked_for) {
  app.state.inspector_gives_way = true;
  EXPECT_FALSE(is_visible(app, Panel::inspector));
  run_action(app, "inspector");
  EXPECT_TRUE(app.settings.show_inspector);
  EXPECT_EQ(app.state.panel_kept, Panel::inspector);
}

}  // namespace headscope::tests

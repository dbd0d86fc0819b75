#include <nlohmann/json.hpp>

#include "app/panels/predictions.h"
#include "tests/support/model_folder.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// The window with a small trained model.
class PredictionViews : public AppFixture {
 protected:
  PredictionViews() {
    write_whole_model(folder.path, model_case("gpt2"));
    app.inputs.model = folder.path.string();
    app.inputs.sentence = "w3 w17 w5 w3 w9";
    for (int i = 0; i < 10; ++i) {
      frame();
      app.opening.wait();
    }
    frames(4);
    app.view_cache.wait();
    frames(3);
  }
  void view(ViewKind kind) {
    app.state.view.kind = kind;
    frames(3);
    app.view_cache.wait();
    frames(3);
  }

  TempFolder folder;
};

TEST_F(PredictionViews, list_ten_of_a_layer_and_lead_to_its_heads) {
  view(ViewKind::lens);
  click("lens 1 3");
  frames(2);
  click("expected 0");
  frames(3);
  EXPECT_EQ(app.state.view.kind, ViewKind::contributions);
  EXPECT_EQ(app.state.view.position, 3);
  ASSERT_FALSE(app.state.view.token.empty());
  app.view_cache.wait();
  frames(3);
  click("contribution self 1 2");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 2);
}

TEST_F(PredictionViews, have_the_heads_as_points_that_open) {
  app.state.view.table = TableHalf::scatter;
  view(ViewKind::head_table);
  click("point 1 2");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 2);
}

TEST_F(PredictionViews, show_no_number_made_of_weights_that_were_cut_short) {
  std::filesystem::resize_file(folder.path / "model.safetensors", 4096);
  for (const ViewKind kind : {ViewKind::lens, ViewKind::contributions}) {
    view(kind);
    EXPECT_TRUE(shows("error"));
    EXPECT_FALSE(shows("lens 1 3") || shows("contribution self 1 2"));
  }
}

TEST_F(PredictionViews, say_why_a_seeded_layer_expects_nothing) {
  app.inputs.model.clear();
  view(ViewKind::lens);
  EXPECT_FALSE(ui_anchors.rects().contains("lens 0 0"));
  view(ViewKind::contributions);
  EXPECT_FALSE(ui_anchors.rects().contains("generate"));
}

TEST_F(PredictionViews, go_on_with_the_text) {
  app.generation.settings.max_tokens = 2;
  click("generate");
  while (app.generation.running()) frame();
  frames(2);
  EXPECT_EQ(app.block()->n_q(), 7);
}

}  // namespace headscope::tests

// A vision transformer in the window: its picture, and every head over it.
#include "app/state/document/open_model.h"
#include "tests/support/picture_models.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class PicturesPanel : public AppFixture {
 protected:
  void open(const char* name) {
    const fs::path path = home.path / name;
    write_picture_model(path, name);
    app.inputs = Inputs{};
    app.inputs.picture = test_picture("photo.png");
    open_model(app, path.string());
    wait_until_idle();
    frames(3);
  }
  /// The middle of a patch of an overlay.
  ImVec2 patch(const char* overlay, int row, int column) const {
    const auto [x0, y0, x1, y1] = place(overlay);
    return {x0 + (x1 - x0) * (static_cast<float>(column) + 0.5F) / 3,
            y0 + (y1 - y0) * (static_cast<float>(row) + 0.5F) / 3};
  }
  OwnHome home;
};

TEST_F(PicturesPanel, show_every_head_from_the_patch_that_is_pointed_at) {
  open("vit");
  EXPECT_EQ(app.state.view.kind, ViewKind::picture);
  for (const char* overlay : {"overlay 1.1", "overlay 2.4"}) EXPECT_TRUE(shows(overlay));
  EXPECT_TRUE(shows("picture name"));
  EXPECT_FALSE(shows("sentence"));
  move(patch("overlay 2.3", 1, 2));
  frames(3);
  ASSERT_TRUE(app.state.hover);
  EXPECT_EQ(*app.state.hover, (Cell{2, 6, 6}));
}

TEST_F(PicturesPanel, a_click_keeps_a_patch_and_its_layer) {
  open("vit");
  click(patch("overlay 2.3", 0, 0));
  frames(3);
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 1);
  EXPECT_EQ(app.state.view.layer, 1);
  // What is pointed at is then a key of that patch.
  move(patch("overlay 1.1", 2, 2));
  frames(3);
  ASSERT_TRUE(app.state.hover);
  EXPECT_EQ(app.state.hover->query, 1);
  EXPECT_EQ(app.state.hover->key, 9);
}

TEST_F(PicturesPanel, a_right_click_opens_the_menu_of_a_head) {
  open("vit");
  const ImVec2 at = patch("overlay 2.3", 1, 1);
  click(at.x, at.y, 1);
  frames(3);
  ASSERT_TRUE(shows("map menu head off"));
  click("map menu head off");
  ASSERT_TRUE(app.compare);
  EXPECT_EQ(app.compare->ablated_heads, (std::set<HeadPlace>{{BlockKind::self, 1, 2}}));
}

TEST_F(PicturesPanel, hold_a_picture_against_sentences) {
  open("clip");
  EXPECT_TRUE(shows("sentence"));
  EXPECT_TRUE(shows("picture name"));
  app.inputs.sentence = "w5 w17\nw9 w49";
  wait_until_idle();
  frames(3);
  EXPECT_TRUE(shows("expected next 1"));
  EXPECT_FALSE(shows("target"));
}

TEST_F(PicturesPanel, without_a_picture_say_how_to_open_one) {
  open("vit");
  app.inputs.picture.clear();
  wait_until_idle();
  frames(3);
  EXPECT_TRUE(shows("placeholder"));
  EXPECT_TRUE(shows("open picture"));
}

}  // namespace headscope::tests

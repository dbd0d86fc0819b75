#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/open_model.h"
#include "app/state/view/steps.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class Captures : public AppFixture {
 protected:
  static std::string file(const std::string& name) {
    return fmt::format("{}/fuzz/capture/{}", TEST_DATA_DIR, name);
  }
  void open(const std::string& name) {
    ASSERT_TRUE(open_file(app, file(name)));
    frames(3);
    ASSERT_FALSE(app.runners.a.error()) << app.runners.a.error()->what();
  }
  /// The middle of a patch of the grid.
  ImVec2 patch(int row, int column, int rows, int columns) const {
    const auto [x0, y0, x1, y1] = place("patches");
    return {x0 + (x1 - x0) * (static_cast<float>(column) + 0.5F) / static_cast<float>(columns),
            y0 + (y1 - y0) * (static_cast<float>(row) + 0.5F) / static_cast<float>(rows)};
  }
};

TEST_F(Captures, sequences_are_chosen_from_a_list) {
  open("several.npz");
  EXPECT_EQ(app.block()->n_q(), 2);
  EXPECT_TRUE(shows("info capture"));
  EXPECT_FALSE(shows("sentence"));
  click("sequence");
  click("sequence 1");
  EXPECT_EQ(app.inputs.sequence, 1);
  EXPECT_EQ(app.block()->tokens[2].text, "barks");
  for (int key = '1'; key <= '7'; ++key) {
    app.state.view.kind = static_cast<ViewKind>(key - '1');
    frames(3);
  }
}

TEST_F(Captures, steps_go_as_far_as_the_arrays) {
  open("all.safetensors");
  app.state.view.kind = ViewKind::steps;
  frames(3);
  EXPECT_TRUE(shows("step next"));
  EXPECT_EQ(steps_of(app.scene(app.block())),
            (std::vector<std::string>{"x", "products", "softmax", "values"}));
  open("plain.npz");
  frames(3);
  EXPECT_FALSE(shows("step next"));
}

TEST_F(Captures, what_was_assumed_is_noted_while_they_are_open) {
  open("packed.npz");
  ASSERT_NE(app.notices.current(), nullptr);
  return_to_notebook(app);
  frames(2);
  EXPECT_EQ(app.notices.current(), nullptr);
}

TEST_F(Captures, sequences_are_chosen_by_keys) {
  open("several.npz");
  click("sequence");
  press_each({Key::down, Key::enter});
  EXPECT_EQ(app.inputs.sequence, 1);
  frames(2);
  EXPECT_FALSE(shows("sequence 1"));
}

TEST_F(Captures, one_that_is_not_there_is_requested) {
  Session session;
  session.inputs.capture = "/nowhere/moved.npz";
  session.bookmarks.resize(1);
  session.bookmarks.front().inputs.capture = session.inputs.capture;
  app.set_session(session);
  frames(3);
  EXPECT_THAT(app.runners.a.error()->what(), testing::HasSubstr("/nowhere/moved.npz"));
  click("locate");
  ASSERT_TRUE(app.dialogs.files.choosing && !app.dialogs.files.request.folders);
  answer_file(app, std::string(TEST_DATA_DIR) + "/notebook.npz");
  EXPECT_EQ(app.inputs.capture, "/nowhere/moved.npz") << "what is no capture is refused";
  app.notices.dismiss();
  frames(2);
  command_locate_source(app);
  ASSERT_TRUE(app.dialogs.files.choosing);
  answer_file(app, file("plain.npz"));
  EXPECT_EQ(app.notices.current(), nullptr) << app.notices.current()->text;
  frames(3);
  EXPECT_FALSE(app.runners.a.error());
  EXPECT_EQ(app.inputs.capture, file("plain.npz"));
  EXPECT_EQ(app.bookmarks.front().inputs.capture, file("plain.npz"));
  EXPECT_FALSE(shows("locate"));
}

TEST_F(Captures, the_head_that_a_session_names_is_kept_until_it_is_known) {
  Session session;
  session.inputs.capture = file("plain.npz");
  session.view.kind = ViewKind::head;
  session.view.head = 2;
  session.view.layer = 1;
  app.set_session(session);
  frames(3);
  EXPECT_EQ(app.state.view.head, 2);
  EXPECT_EQ(app.state.view.layer, 1);
  session.view.head = 7;
  app.set_session(session);
  frames(3);
  EXPECT_NE(app.state.view.head, 7);
}

TEST_F(Captures, what_is_wrong_with_the_numbers_is_reported_and_the_session_stays) {
  open("off.npz");
  EXPECT_TRUE(shows("doubt"));
  const Session before = app.session();
  EXPECT_FALSE(open_file(app, file("fortran.npz")));
  EXPECT_EQ(app.session(), before);
}

TEST_F(Captures, a_patch_is_its_token) {
  open("patches.safetensors");
  ASSERT_TRUE(shows("patches"));
  move(patch(1, 2, 2, 3));
  ASSERT_TRUE(app.state.focus(*app.block()));
  EXPECT_EQ(app.state.focus(*app.block())->query, 6);
  EXPECT_EQ(app.state.focus(*app.block())->key, 6);
  app.state.lock = Cell{1, 2, 3};
  frames(2);
  move(patch(0, 0, 2, 3));
  EXPECT_EQ(app.state.focus(*app.block()), (Cell{1, 2, 1}));
}

TEST_F(Captures, have_a_card_and_no_controls_that_cannot_act) {
  open("plain.npz");
  for (const char* mark : {"card name", "card block", "card tokens", "card size", "info capture"})
    EXPECT_TRUE(shows(mark)) << mark;
  for (const char* mark : {"section more", "temperature", "Causal"}) EXPECT_FALSE(shows(mark)) << mark;
  click("card path");
  EXPECT_EQ(clipboard, app.inputs.capture);
}

TEST_F(Captures, report_next_to_the_patches_that_their_picture_is_gone) {
  open("patches.safetensors");
  EXPECT_FALSE(shows("no picture"));
  TempFolder folder;
  fs::copy_file(file("patches.safetensors"), folder.at("lost.safetensors"));
  ASSERT_TRUE(open_file(app, folder.at("lost.safetensors")));
  frames(3);
  EXPECT_TRUE(shows("patches"));
  EXPECT_TRUE(shows("no picture"));
}

}  // namespace headscope::tests

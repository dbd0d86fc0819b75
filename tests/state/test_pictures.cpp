// A picture in the window: dropped, pasted, chosen.
#include "app/state/actions/actions.h"
#include "app/state/document/bookmarks.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/open_model.h"
#include "app/state/document/pasted_pictures.h"
#include "app/state/settings.h"
#include "core/io/file.h"
#include "tests/state/state_fixture.h"
#include "tests/support/model_inputs.h"
#include "tests/support/picture_models.h"

namespace headscope::tests {
namespace {

class PicturesInTheWindow : public StateFixture {
 protected:
  void open_model(const char* name) {
    write_picture_model(home.path / name, name);
    drop((home.path / name).string());
  }
  void drop(const std::string& path) {
    command_open_path(app, path);
    wait_until_idle();
  }
  std::string notice() const { return app.notices.current() != nullptr ? app.notices.current()->text : ""; }
  const Action& action(const std::string& id) const {
    return *std::ranges::find(app.actions, id, &Action::id);
  }
  OwnHome home;
};

TEST_F(PicturesInTheWindow, are_read_when_they_are_dropped) {
  open_model("vit");
  EXPECT_EQ(app.trace()->blocks.front().n_q(), 0);
  drop(test_picture("photo.jpg"));
  EXPECT_EQ(app.inputs.picture, test_picture("photo.jpg"));
  EXPECT_EQ(app.trace()->blocks.front().n_q(), 10);
  ASSERT_NE(app.trace()->predictions, nullptr);
  drop(test_picture("grey.png"));
  EXPECT_EQ(app.inputs.picture, test_picture("grey.png"));
}

TEST_F(PicturesInTheWindow, are_refused_where_the_source_reads_a_text) {
  frames(2);
  const Inputs before = app.inputs;
  drop(test_picture("photo.jpg"));
  EXPECT_EQ(app.inputs, before);
  EXPECT_THAT(notice(), testing::HasSubstr("the source reads no picture"));
  EXPECT_FALSE(is_enabled(app, action("open picture")));
}

TEST_F(PicturesInTheWindow, have_a_spectrogram_in_their_place_where_the_model_hears) {
  const Json entry = model_case("whisper");
  write_whole_model(home.path / "whisper", entry);
  drop((home.path / "whisper").string());
  EXPECT_FALSE(app.runners.a.error()) << "as a picture that is not there yet";
  EXPECT_EQ(app.trace()->blocks.front().n_q(), 0);
  EXPECT_TRUE(is_enabled(app, action("open sound")));
  EXPECT_FALSE(is_enabled(app, action("open picture")));
  const std::string sound = write_sound(home.path / "sound.npy", entry);
  drop(sound);
  EXPECT_EQ(app.inputs.features, sound);
  EXPECT_TRUE(app.inputs.mask.empty());
  EXPECT_EQ(app.trace()->blocks.front().n_q(), 8);
  Json longer = entry;
  longer["sound"] = {18, 5};
  drop(write_sound(home.path / "longer.npy", longer));
  EXPECT_EQ(app.inputs.features, sound);
  EXPECT_THAT(notice(), testing::HasSubstr("shape is [18, 5]; expected [16, 5]"));
  open_model("vit");
  EXPECT_EQ(app.inputs.features, "") << "which it does not hear";
  EXPECT_FALSE(is_enabled(app, action("open sound")));
}

TEST_F(PicturesInTheWindow, that_cannot_be_read_leave_the_one_before) {
  open_model("vit");
  drop(test_picture("photo.jpg"));
  write_file((home.path / "cut.png").string(), read_file(test_picture("photo.png"), 1 << 20).substr(0, 300));
  drop((home.path / "cut.png").string());
  EXPECT_EQ(app.trace()->blocks.front().n_q(), 10);
  ASSERT_TRUE(app.runners.a.error());
  EXPECT_THAT(app.runners.a.error()->what(), testing::HasSubstr("cut.png"));
}

TEST_F(PicturesInTheWindow, are_pasted_into_a_file_that_the_session_names) {
  open_model("vit");
  app.desktop.get_picture = [] { return std::optional<std::string>(); };
  command_paste_picture(app);
  EXPECT_EQ(app.inputs.picture, "");
  EXPECT_THAT(notice(), testing::HasSubstr("no picture on the clipboard"));
  app.desktop.get_picture = [] { return std::optional(read_file(test_picture("photo.png"), 1 << 20)); };
  command_paste_picture(app);
  wait_until_idle();
  EXPECT_EQ(read_file(app.inputs.picture, 1 << 20), read_file(test_picture("photo.png"), 1 << 20));
  EXPECT_EQ(app.trace()->blocks.front().n_q(), 10);
}

TEST_F(PicturesInTheWindow, that_were_pasted_are_deleted_when_no_session_names_them) {
  open_model("vit");
  const auto paste = [&](const std::string& end) {
    app.desktop.get_picture = [end] {
      return std::optional(read_file(test_picture("photo.png"), 1 << 20) + end);
    };
    command_paste_picture(app);
    wait_until_idle();
    return app.inputs.picture;
  };
  const std::string forgotten = paste("a"), named = paste("b"), today = paste("c"), figured = paste("d");
  session_for_others(app);
  const std::string bookmarked = paste("e");
  add_bookmark(app);
  const std::string saved = paste("f");
  bool by_others = false;
  EXPECT_TRUE(save_file(app, home.at("s.json"), true, by_others));
  const std::string shown = paste("g"), state = state_folder(), chosen = state + "/pictures/holiday.png",
                    numbered = state + "/pictures/2025112820251128.png", last_path = state + "/session.json";
  for (const std::string& path : {chosen, numbered}) write_file(path, "a user's");
  Session last;
  last.inputs.picture = named;
  save_session(last_path, last);
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 8);
  for (const std::string& path : {forgotten, named, saved, bookmarked, figured, chosen, numbered, shown})
    std::filesystem::last_write_time(path, old);
  // One that cannot be read may name any of them.
  std::filesystem::rename(last_path, last_path + ".aside");
  std::filesystem::create_directory(last_path);
  delete_forgotten_pictures(state, app.session());
  EXPECT_TRUE(std::filesystem::exists(forgotten));
  std::filesystem::remove(last_path);
  std::filesystem::rename(last_path + ".aside", last_path);
  delete_forgotten_pictures(state, app.session());
  EXPECT_FALSE(std::filesystem::exists(forgotten));
  for (const std::string& path : {named, today, saved, bookmarked, figured, chosen, numbered, shown})
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

TEST_F(PicturesInTheWindow, are_given_up_with_their_model) {
  open_model("vit");
  drop(test_picture("photo.jpg"));
  EXPECT_EQ(app.state.view.kind, ViewKind::grid) << "there was none when the model opened";
  write_whole_model(home.path / "bert", model_case("bert"));
  drop((home.path / "bert").string());
  EXPECT_EQ(app.inputs.picture, "");
}

}  // namespace
}  // namespace headscope::tests

#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class DocumentTest : public AppFixture {
 protected:
  std::string at(const std::string& name) const { return home.at(name); }
  bool save(const std::string& path) {
    bool others = false;
    return save_file(app, path, false, others);
  }

  OwnHome home;
};

TEST_F(DocumentTest, bookmarks_bring_inputs_and_view_back) {
  app.state.view.range.kind = Range::unit;
  press(Key::b, true);
  ASSERT_EQ(app.bookmarks.size(), 1U);
  click("heads fewer");
  app.state.view.range.kind = Range::head;
  frames(2);
  click("bookmark 0");
  EXPECT_EQ(app.inputs.heads, 8);
  EXPECT_EQ(app.state.view.range.kind, Range::unit);
  press(Key::z, true);
  EXPECT_EQ(app.inputs.heads, 4);
}

TEST_F(DocumentTest, saves_opens_and_asks_before_losing_changes) {
  const std::string path = at("a.json");
  app.inputs.heads = 2;
  ASSERT_TRUE(save(path));
  EXPECT_FALSE(is_modified(app));
  frames(2);
  click("heads fewer");
  EXPECT_TRUE(is_modified(app));
  press(Key::q, true);
  EXPECT_FALSE(app.quit);
  ASSERT_TRUE(shows("unsaved save"));
  click("unsaved save");
  EXPECT_TRUE(app.quit);
  EXPECT_EQ(load_session(path).inputs.heads, 1);
}

TEST_F(DocumentTest, a_question_is_answered_by_keys_and_begins_at_what_loses_nothing) {
  const std::string path = at("a.json");
  ASSERT_TRUE(save(path));
  const auto ask = [&](int heads) {
    app.inputs.heads = heads;
    frames(2);
    press(Key::q, true);
    frames(3);
    ASSERT_TRUE(shows("unsaved save"));
  };
  ask(4);
  press(Key::escape);
  frames(2);
  EXPECT_FALSE(shows("unsaved save"));
  EXPECT_FALSE(app.quit);
  ask(2);
  press(Key::tab, false, true);  // backwards around to Cancel
  press(Key::enter);
  frames(2);
  EXPECT_FALSE(shows("unsaved save"));
  EXPECT_FALSE(app.quit);
  EXPECT_EQ(app.inputs.heads, 2);
  ask(1);
  press_each({Key::tab, Key::left, Key::enter});
  frames(2);
  EXPECT_TRUE(app.quit);
  EXPECT_EQ(load_session(path).inputs.heads, 1);
}

TEST_F(DocumentTest, dont_save_is_one_tab_away) {
  const std::string path = at("a.json");
  ASSERT_TRUE(save(path));
  app.inputs.heads = 2;
  frames(2);
  press(Key::q, true);
  frames(3);
  press_each({Key::tab, Key::enter});
  frames(2);
  EXPECT_TRUE(app.quit);
  EXPECT_EQ(load_session(path).inputs.heads, 8);
}

TEST_F(DocumentTest, typing_replaces_the_whole_name_that_is_proposed) {
  for (const char* proposed : {"a.json", "much-longer.json"}) {
    FileRequest request;
    request.save = true;
    request.folder = home.path.string();
    request.name = proposed;
    std::string chosen;
    ask_for_file(app, std::move(request), [&](App&, const std::string& path) { chosen = path; });
    frames(3);
    type(U"b.json");
    press(Key::enter);
    frames(2);
    EXPECT_EQ(chosen, at("b.json")) << proposed;
  }
}

TEST_F(DocumentTest, anothers_work_on_the_same_file_is_not_overwritten) {
  const std::string path = at("a.json");
  ASSERT_TRUE(save(path));
  Session theirs = app.session();
  theirs.inputs.seed = 1;
  save_session(path, theirs);
  app.inputs.seed = 2;
  frames(2);
  press(Key::s, true);
  EXPECT_TRUE(app.dialogs.files.conflict);
  EXPECT_EQ(load_session(path).inputs.seed, 1U);
  click("conflict overwrite");
  EXPECT_EQ(load_session(path).inputs.seed, 2U);
}

TEST_F(DocumentTest, a_text_file_becomes_the_sentence_of_the_session_at_hand) {
  app.inputs.heads = 4;
  std::ofstream(at("a.txt")) << "\xEF\xBB\xBFLong ago\nand far away.\r\n";
  command_open_path(app, at("a.txt"));
  EXPECT_EQ(app.inputs.sentence, "Long ago\nand far away.");
  EXPECT_EQ(app.inputs.heads, 4);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("a.txt"));
  std::ofstream(at("b.txt")) << "caf\xE9";
  command_open_path(app, at("b.txt"));
  EXPECT_EQ(app.inputs.sentence, "Long ago\nand far away.");
  EXPECT_THAT(app.notices.current()->text, HasSubstr("byte 3 is not valid UTF-8"));
}

TEST_F(DocumentTest, a_figure_without_a_title_is_saved_as_that) {
  const std::string path = at("s.json");
  press(Key::e, true);
  click("show title");
  press(Key::escape);
  EXPECT_TRUE(is_modified(app));
  ASSERT_TRUE(save(path));
  EXPECT_FALSE(load_session(path).view.show_title);
}

TEST_F(DocumentTest, bookmarks_are_moved_and_taken_out) {
  for (const char* name : {"a", "b", "c"}) app.bookmarks.push_back({name, app.inputs, app.state.view, {}});
  frames(3);
  if (!shows("bookmark 0")) click("bookmarks");
  const auto names = [&] {
    std::string all;
    for (const Bookmark& bookmark : app.bookmarks) all += bookmark.name;
    return all;
  };
  click_each({"bookmark more 2", "bookmark up"});
  EXPECT_EQ(names(), "acb");
  click_each({"bookmark more 0", "bookmark down"});
  EXPECT_EQ(names(), "cab");
  click_each({"bookmark more 1", "bookmark out"});
  EXPECT_EQ(names(), "cb");
}

}  // namespace headscope::tests

#include "app/panels/dialogs.h"
#include "app/panels/file_dialogs.h"
#include "app/state/adjust.h"
#include "app/state/autosave.h"
#include "app/state/copy_text.h"
#include "app/state/session_store.h"
#include "core/figure/figure.h"
#include "core/io/npy.h"
#include "core/source/engine.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// A home of its own, so that no test reads or writes the user's files.
class DocumentTest : public AppFixture {
 protected:
  DocumentTest() {
    setenv("XDG_CONFIG_HOME", at("config").c_str(), 1);
    setenv("XDG_STATE_HOME", at("state").c_str(), 1);
  }

  std::string at(const std::string& name) const { return home.at(name); }
  std::string settings_file() const { return at("config/headscope/settings.json"); }
  std::string session_file() const { return at("state/headscope/session.json"); }
  bool save(const std::string& path) {
    bool others = false;
    return save_file(app, path, false, others);
  }
  int damaged_files() const {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(home.path))
      count += entry.path().filename().string().find(".damaged-") != std::string::npos;
    return count;
  }
  static void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
  }

  TempFolder home;
};

TEST_F(DocumentTest, notebook_can_be_undone) {
  click("heads fewer");
  press(Key::n, true, true);
  EXPECT_EQ(app.inputs, Inputs{});
  press(Key::z, true);
  EXPECT_EQ(app.inputs.heads, 4);
}

TEST_F(DocumentTest, bookmarks_bring_inputs_and_view_back) {
  app.state.view.range = Range::unit;
  press(Key::b, true);
  ASSERT_EQ(app.bookmarks.size(), 1U);
  click("heads fewer");
  app.state.view.range = Range::head;
  frames(2);
  click("bookmark 0");
  EXPECT_EQ(app.inputs.heads, 8);
  EXPECT_EQ(app.state.view.range, Range::unit);
  press(Key::z, true);
  EXPECT_EQ(app.inputs.heads, 4);
}

TEST_F(DocumentTest, saves_no_mask_of_tokens_that_are_gone) {
  const std::string path = at("a.json");
  app.inputs.mask = {parse_mask_part("padding:1,9"), parse_mask_part("global:8")};
  app.compare = app.inputs;
  app.inputs.sentence = "one two";
  ASSERT_TRUE(save(path));
  EXPECT_FALSE(is_modified(app));
  const Session saved = load_session(path);
  EXPECT_EQ(saved.inputs.mask, (std::vector{parse_mask_part("padding:1"), parse_mask_part("global:none")}));
  EXPECT_EQ(saved.compare->mask, app.compare->mask) << "whose sentence has them";
  EXPECT_EQ(app.inputs, saved.inputs);
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

TEST_F(DocumentTest, anothers_work_on_the_same_file_is_not_overwritten) {
  const std::string path = at("a.json");
  ASSERT_TRUE(save(path));
  Session theirs = app.session();
  theirs.inputs.seed = 1;
  save_session(path, theirs);
  app.inputs.seed = 2;
  frames(2);
  press(Key::s, true);
  EXPECT_TRUE(app.dialogs->files.conflict);
  EXPECT_EQ(load_session(path).inputs.seed, 1U);
  click("conflict overwrite");
  EXPECT_EQ(load_session(path).inputs.seed, 2U);
}

TEST_F(DocumentTest, a_bad_file_is_told_and_changes_nothing) {
  write(at("bad.json"), "{\"version\": 1, \"heads\": \"eight\"}");
  EXPECT_FALSE(open_file(app, at("bad.json")));
  EXPECT_EQ(app.inputs, Inputs{});
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->kind, Notice::Kind::error);
}

/// A .npy file of an array [n, n] whose elements are all zero.
void write_npy(const std::string& path, const char* type, int n, std::size_t bytes) {
  write_file(path, npy_header(type, {n, n}) + std::string(bytes, '\0'));
}

TEST_F(DocumentTest, dropped_files_of_each_kind_are_taken_whatever_their_names) {
  Session session;
  session.inputs.sentence = "from a session";
  const std::string dropped = at("课 文/100%20 #1.json");
  fs::create_directories(at("课 文"));
  save_session(dropped, session);
  command_open_path(app, dropped);
  frames(2);
  EXPECT_EQ(app.inputs, session.inputs);
  EXPECT_EQ(app.document.path, dropped);
  session.inputs.sentence = "from a figure";
  for (const char* name : {"课 文/50% a.png", "课 文/b.svg", "c.pdf"}) {
    new_session(app);
    export_figure(at(name), *Engine().run(session.inputs, {}), session, {});
    command_open_path(app, at(name));
    EXPECT_EQ(app.inputs, session.inputs) << name;
    EXPECT_EQ(app.document.path, "") << "a figure is not the session's file";
  }
}

TEST_F(DocumentTest, a_dropped_mask_is_added_once_and_only_if_it_fits) {
  const std::string fits = at("mask 你.npy"), large = at("large.npy"), real = at("real.npy");
  write_npy(fits, "|b1", 10, 100);
  write_npy(large, "|b1", 11, 121);
  write_npy(real, "<f8", 10, 800);
  for (const std::string& wrong : {large, real, at("none.npy")}) {
    command_open_path(app, wrong);
    EXPECT_TRUE(app.inputs.mask.empty()) << wrong;
    ASSERT_NE(app.notices.current(), nullptr);
    EXPECT_EQ(app.notices.current()->kind, Notice::Kind::error) << app.notices.current()->text;
  }
  for (int i = 0; i < 2; ++i) command_open_path(app, fits);
  ASSERT_EQ(app.inputs.mask.size(), 1U);
  EXPECT_EQ(app.inputs.mask[0].path, fits);
  frames(2);
  EXPECT_EQ(app.runner.error(), std::nullopt);
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

TEST_F(DocumentTest, the_last_session_comes_back) {
  {
    SessionStore session_store;
    session_store.start(app, std::nullopt, "", std::nullopt);
    app.inputs.heads = 16;
    app.settings.text_size = TextSize::large;
    session_store.finish(app);
  }
  App next;
  SessionStore session_store;
  session_store.start(next, std::nullopt, "", std::nullopt);
  EXPECT_EQ(next.inputs.heads, 16);
  EXPECT_EQ(next.settings.text_size, TextSize::large);
  EXPECT_EQ(next.notices.current(), nullptr);
}

TEST_F(DocumentTest, what_a_killed_window_left_is_recovered) {
  Session left;
  left.inputs.seed = 99;
  const std::string orphan = at("state/headscope/autosave-99999999.json");
  fs::create_directories(fs::path(orphan).parent_path());
  write_autosave(orphan, {left, ""});
  SessionStore session_store;
  session_store.start(app, std::nullopt, "", std::nullopt);
  EXPECT_EQ(app.inputs.seed, 99U);
  EXPECT_NE(app.notices.current(), nullptr);
  EXPECT_FALSE(fs::exists(orphan));
  session_store.finish(app);
  App next;
  SessionStore again;
  again.start(next, std::nullopt, "", std::nullopt);
  EXPECT_EQ(next.inputs.seed, 99U);
  EXPECT_EQ(next.notices.current(), nullptr);
}

TEST_F(DocumentTest, damaged_files_are_set_aside) {
  write(settings_file(), "{\"theme\": ");
  write(session_file(), "{\"version\": 1");
  SessionStore session_store;
  session_store.start(app, std::nullopt, "", Language::en);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_EQ(damaged_files(), 2);
  EXPECT_GE(app.notices.list().size(), 2U);
}

TEST_F(DocumentTest, settings_of_another_type_keep_their_defaults) {
  write(settings_file(),
        R"({"theme": 7, "window_width": "wide", "text_size": "large", "recent_files": [1, "/a"]})");
  const Settings settings = load_settings(settings_file()).settings;
  EXPECT_EQ(settings.theme, Theme::light);
  EXPECT_EQ(settings.window_width, Settings{}.window_width);
  EXPECT_EQ(settings.text_size, TextSize::large);
  EXPECT_EQ(settings.recent_files, std::vector<std::string>{"/a"});
  EXPECT_EQ(damaged_files(), 0);
}

TEST_F(DocumentTest, a_folder_that_cannot_be_written_is_a_notice) {
  write(at("config"), "a file where a folder should be");
  setenv("XDG_STATE_HOME", at("config").c_str(), 1);
  SessionStore session_store;
  session_store.start(app, std::nullopt, "", std::nullopt);
  app.inputs.seed = 5;
  app.settings.text_size = TextSize::large;
  session_store.keep(app);
  EXPECT_GE(session_store.due_in(), 0);
  EXPECT_LE(session_store.due_in(), 2);
  session_store.finish(app);
  EXPECT_NE(app.notices.current(), nullptr);
}

TEST_F(DocumentTest, copies_cell_row_and_head_as_tab_separated_text) {
  app.state.lock = Cell{1, 2, 3};
  frames(2);
  press(Key::c, true);
  EXPECT_TRUE(clipboard.starts_with("didn't\tcross\t0.")) << clipboard;
  press(Key::r, true, true);
  EXPECT_EQ(std::ranges::count(clipboard, '\n'), 2);
  press(Key::h, true, true);
  EXPECT_EQ(std::ranges::count(clipboard, '\n'), 11);
  EXPECT_EQ(std::ranges::count(clipboard, '\t'), 110);
}

}  // namespace headscope::tests

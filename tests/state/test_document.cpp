#include "app/state/document/adjust.h"
#include "app/state/document/autosave.h"
#include "app/state/document/bookmarks.h"
#include "app/state/document/document.h"
#include "app/state/document/figure_export.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/session_store.h"
#include "app/state/document/undo_steps.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/text/copy_text.h"
#include "core/figure/figure.h"
#include "core/io/file.h"
#include "core/io/npy.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class DocumentTest : public StateFixture {
 protected:
  std::string settings_file() const { return home.at("config/headscope/settings.json"); }
  std::string session_file() const { return home.at("state/headscope/session.json"); }
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

  OwnHome home;
};

TEST_F(DocumentTest, saves_no_mask_of_tokens_that_are_gone) {
  const std::string path = home.at("a.json");
  bool others = false;
  app.inputs.mask = {parse_mask_part("padding:1,9"), parse_mask_part("global:8")};
  app.compare = app.inputs;
  app.inputs.sentence = "one two";
  ASSERT_TRUE(save_file(app, path, false, others));
  EXPECT_FALSE(is_modified(app));
  const Session saved = load_session(path);
  EXPECT_EQ(saved.inputs.mask, (std::vector{parse_mask_part("padding:1"), parse_mask_part("global:none")}));
  EXPECT_EQ(saved.compare->mask, app.compare->mask) << "whose sentence has them";
  EXPECT_EQ(app.inputs, saved.inputs);
}

TEST_F(DocumentTest, a_bad_file_is_reported_and_changes_nothing) {
  write(home.at("bad.json"), "{\"version\": 1, \"heads\": \"eight\"}");
  EXPECT_FALSE(open_file(app, home.at("bad.json")));
  EXPECT_EQ(app.inputs, Inputs{});
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->kind, Notice::Kind::error);
}

TEST_F(DocumentTest, dropped_files_of_each_kind_are_taken_whatever_their_names) {
  Session session;
  session.inputs.sentence = "from a session";
  const std::string dropped = home.at("课 文/100%20 #1.json");
  fs::create_directories(home.at("课 文"));
  save_session(dropped, session);
  command_open_path(app, dropped);
  frames(2);
  EXPECT_EQ(app.inputs, session.inputs);
  EXPECT_EQ(app.document.path, dropped);
  session.inputs.sentence = "from a figure";
  for (const char* name : {"课 文/50% a.png", "课 文/b.svg", "c.pdf"}) {
    new_session(app);
    export_figure(home.at(name), scene_of(session, Engine().run(session.inputs)), to_json(session, false),
                  {});
    command_open_path(app, home.at(name));
    EXPECT_EQ(app.inputs, session.inputs) << name;
    EXPECT_EQ(app.document.path, "") << "a figure is not the session's file";
  }
}

/// A .npy file of an array [n, n] whose elements are all zero.
void write_npy(const fs::path& path, const char* type, int n, std::size_t bytes) {
  std::ofstream(path, std::ios::binary) << npy_header(type, {n, n}) << std::string(bytes, '\0');
}

TEST_F(DocumentTest, a_dropped_mask_is_added_once_and_only_if_it_fits) {
  const std::string fits = home.at("mask 你.npy"), large = home.at("large.npy"), real = home.at("real.npy");
  write_npy(fits, "|b1", 10, 100);
  write_npy(large, "|b1", 11, 121);
  write_npy(real, "<f8", 10, 800);
  for (const std::string& wrong : {large, real, home.at("none.npy")}) {
    command_open_path(app, wrong);
    EXPECT_TRUE(app.inputs.mask.empty()) << wrong;
    ASSERT_NE(app.notices.current(), nullptr);
    EXPECT_EQ(app.notices.current()->kind, Notice::Kind::error) << app.notices.current()->text;
  }
  for (int i = 0; i < 2; ++i) command_open_path(app, fits);
  ASSERT_EQ(app.inputs.mask.size(), 1U);
  EXPECT_EQ(app.inputs.mask[0].path, fits);
  frames(2);
  EXPECT_EQ(app.runners.a.error(), std::nullopt);
}

TEST_F(DocumentTest, complaints_end_when_what_they_complain_of_goes_right) {
  bool others = false;
  write(home.at("file"), "not a folder");
  EXPECT_FALSE(save_file(app, home.at("file/a.json"), false, others));
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_TRUE(save_file(app, home.at("a.json"), false, others));
  frames(12);
  EXPECT_EQ(app.notices.current(), nullptr);
  EXPECT_FALSE(open_file(app, home.at("none.json")));
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_TRUE(open_file(app, home.at("a.json")));
  EXPECT_EQ(app.notices.current(), nullptr);
  std::vector<double> matrix(4);
  paste_numbers(app, "1 2 3", 4, matrix);
  ASSERT_NE(app.notices.current(), nullptr);
  paste_numbers(app, "1 2 3 4", 4, matrix);
  EXPECT_EQ(app.notices.current(), nullptr);
}

TEST_F(DocumentTest, the_title_names_what_is_shown) {
  EXPECT_EQ(window_title(app), "Layer from seed 42 · 8 heads · “The animal didn't cross…” — Headscope");
  app.inputs.capture = "/tmp/The cat sat.npz";
  EXPECT_EQ(window_title(app), "• The cat sat.npz — Headscope");
  app.document.path = "/home/a/my-session.json";
  EXPECT_EQ(window_title(app), "• The cat sat.npz · my-session — Headscope");
  app.document.saved = app.session();
  EXPECT_EQ(window_title(app), "The cat sat.npz · my-session — Headscope");
  ASSERT_TRUE(play_lesson(app, "masks"));
  EXPECT_THAT(window_title(app), HasSubstr(" · " + app.lesson.lesson->title[Language::en] + " — Headscope"));
}

TEST_F(DocumentTest, the_last_session_comes_back) {
  {
    SessionStore session_store;
    session_store.start(app, std::nullopt, "", std::nullopt);
    app.inputs.heads = 16;
    app.settings.text_size = TextSize::large;
    app.settings.show_sentence = false;
    app.settings.maps_alone = true;
    session_store.finish(app);
  }
  App next;
  SessionStore session_store;
  session_store.start(next, std::nullopt, "", std::nullopt);
  EXPECT_EQ(next.inputs.heads, 16);
  EXPECT_EQ(next.settings.text_size, TextSize::large);
  EXPECT_FALSE(next.settings.show_sentence);
  EXPECT_FALSE(next.settings.maps_alone) << "nothing would show where the panels are";
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
        R"({"theme": 7, "window_width": "wide", "window_height": 1e308, "inspector_width": 1e308,
            "text_size": "large", "recent_files": [1, "/a"]})");
  const Settings settings = load_settings(settings_file()).settings;
  EXPECT_EQ(settings.theme, Theme::light);
  EXPECT_EQ(settings.window_width, Settings{}.window_width);
  EXPECT_EQ(settings.window_height, Settings{}.window_height);
  EXPECT_EQ(settings.inspector_width, 40);
  EXPECT_EQ(settings.text_size, TextSize::large);
  EXPECT_EQ(settings.recent_files, std::vector<std::string>{"/a"});
  EXPECT_EQ(damaged_files(), 0);
}

TEST_F(DocumentTest, a_folder_that_cannot_be_written_is_a_notice) {
  write(home.at("config"), "a file where a folder should be");
  setenv("XDG_STATE_HOME", (home.at("config")).c_str(), 1);
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

TEST_F(DocumentTest, notebook_shows_all_of_it_and_can_be_undone) {
  step_heads(app.inputs, -1);
  app.state.view.filter.hidden_keys = {1};
  app.state.view.hidden_heads = {2};
  app.state.view.sort.by = "similarity";
  app.state.view.colormap = Colormap::greys;
  app.state.brush.on = true;
  frame();
  press(Key::n, true, true);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_FALSE(app.state.view.filter.on() || app.state.brush.on);
  EXPECT_TRUE(app.state.view.hidden_heads.empty() && app.state.view.sort.by.empty());
  EXPECT_EQ(app.state.view.colormap, Colormap::greys) << "a matter of taste";
  press(Key::z, true);
  EXPECT_EQ(app.inputs.heads, 4);
}

TEST_F(DocumentTest, asks_before_losing_changes_and_goes_on_with_the_answer) {
  const std::string path = home.at("a.json");
  bool others = false;
  ASSERT_TRUE(save_file(app, path, false, others));
  app.inputs.heads = 2;
  press(Key::q, true);
  EXPECT_TRUE(app.dialogs.files.unsaved);
  answer_unsaved(app, UnsavedAnswer::cancel);
  EXPECT_FALSE(app.quit || app.dialogs.files.unsaved);
  press(Key::n, true);
  answer_unsaved(app, UnsavedAnswer::save);
  EXPECT_EQ(load_session(path).inputs.heads, 2);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_EQ(app.document.path, "");
}

TEST_F(DocumentTest, anothers_work_is_opened_or_saved_next_to) {
  const std::string path = home.at("a.json"), mine = home.at("mine");
  bool others = false;
  ASSERT_TRUE(save_file(app, path, false, others));
  Session theirs = app.session();
  theirs.inputs.seed = 1;
  save_session(path, theirs);
  app.inputs.seed = 2;
  press(Key::s, true);
  ASSERT_TRUE(app.dialogs.files.conflict);
  answer_conflict(app, ConflictAnswer::save_as);
  ASSERT_TRUE(app.dialogs.files.choosing) << "without a desktop the window asks";
  answer_file(app, mine);
  EXPECT_EQ(load_session(mine + ".json").inputs.seed, 2U);
  answer_conflict(app, ConflictAnswer::reload);
  EXPECT_EQ(app.document.path, mine + ".json") << "what is open now";
}

TEST_F(DocumentTest, bookmarks_are_gone_to_replaced_moved_and_removed) {
  app.state.view.range.kind = Range::unit;
  press(Key::b, true);
  app.inputs.heads = 4;
  app.state.view.range.kind = Range::head;
  add_bookmark(app);
  go_to_bookmark(app, 0);
  EXPECT_EQ(app.inputs.heads, 8);
  EXPECT_EQ(app.state.view.range.kind, Range::unit);
  app.inputs.heads = 2;
  replace_bookmark(app, 0);
  EXPECT_EQ(app.bookmarks[0].inputs.heads, 2);
  EXPECT_EQ(app.bookmarks[0].name, "Bookmark 1");
  move_bookmark(app, 0, 1);
  EXPECT_EQ(app.bookmarks[1].name, "Bookmark 1");
  frame();
  remove_bookmark(app, 0);
  EXPECT_EQ(app.bookmarks.size(), 1U);
  EXPECT_EQ(app.notices.current()->text, "Deleted Bookmark 2");
  frame();
  undo(app);
  EXPECT_EQ(app.bookmarks.size(), 2U);
}

TEST_F(DocumentTest, a_figure_is_written_in_the_background) {
  open_export(app, ExportDialog::What::figure);
  ExportDialog& dialog = app.dialogs.figure;
  dialog.path = home.at("figure.svg");
  app.state.shown_rows = 4;
  app.state.shown_columns = 2;
  frame();
  start_export(app, app.dialogs.figure);
  EXPECT_TRUE(is_busy(app));
  dialog.running.wait();
  frame();
  EXPECT_FALSE(dialog.open);
  EXPECT_EQ(session_from_figure(dialog.path).inputs, app.inputs);
  EXPECT_EQ(session_from_figure(dialog.path).view.rows, 0) << "what was left to the window stays so";
  start_export(app, app.dialogs.figure);
  EXPECT_TRUE(dialog.ask_overwrite && !dialog.running.started()) << "it is there already";
  dialog.ask_overwrite = false;
  app.desktop.page_address = [] { return "file:///a.html"; };
  start_export(app, app.dialogs.figure);
  EXPECT_TRUE(!dialog.ask_overwrite && dialog.running.started()) << "a browser names each download anew";
}

}  // namespace headscope::tests

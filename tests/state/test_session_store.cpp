#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "app/state/actions/actions.h"
#include "app/state/document/autosave.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/session_store.h"
#include "app/state/lesson/play_lesson.h"
#include "core/io/strict_json.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

/// No file can be written, as on a full disk: only new, empty ones can be created.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

class SessionStoreTest : public StateFixture {
 protected:
  SessionStoreTest() { fs::create_directories(folder); }

  /// What a killed window leaves, in a file of this name.
  std::string leave(std::uint64_t seed, const std::string& path = "",
                    const std::string& name = "autosave-99999999.json") const {
    Session left;
    left.inputs.seed = seed;
    nlohmann::json json{{"path", path}, {"session", nlohmann::json::parse(to_json(left))}};
    write_file(folder + "/" + name, json.dump());
    return folder + "/" + name;
  }
  std::vector<std::string> files(const std::string& part) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename().string().find(part) != std::string::npos)
        found.push_back(entry.path().filename().string());
    return found;
  }
  std::string saved_document(std::uint64_t seed) {
    Session session;
    session.inputs.seed = seed;
    save_session(home.at("a.json"), session);
    fs::last_write_time(home.at("a.json"), fs::file_time_type::clock::now() - std::chrono::hours(1));
    return home.at("a.json");
  }
  void start(SessionStore& store, App& started, const std::string& path = "") {
    store.start(started, path.empty() ? std::nullopt : std::optional(load_session(path)), path, Language::en);
  }

  /// The start was successful.
  static void show(SessionStore& store, App& started) {
    for (int pass = 0; pass < 3; ++pass) store.keep(started);
  }

  OwnHome home;
  const std::string folder = home.at("state/headscope");
};

TEST_F(SessionStoreTest, what_a_killed_window_left_is_recovered) {
  leave(99);
  SessionStore store;
  start(store, app);
  EXPECT_EQ(app.inputs.seed, 99U);
  EXPECT_NE(app.notices.current(), nullptr);
  store.finish(app);
  EXPECT_THAT(files("autosave"), IsEmpty());
  App next;
  SessionStore again;
  start(again, next);
  EXPECT_EQ(next.inputs.seed, 99U);
  EXPECT_EQ(next.notices.current(), nullptr);
}

TEST_F(SessionStoreTest, a_file_is_its_whose_lock_is_held_whatever_its_number) {
  leave(99, "", "autosave-" + std::to_string(getpid()) + ".json");
  SessionStore store;
  start(store, app);
  EXPECT_EQ(app.inputs.seed, 99U) << "a killed process had the same number";
  App other;
  SessionStore second;
  start(second, other);
  EXPECT_EQ(other.inputs.seed, Inputs{}.seed) << "the first window lives";
}

TEST_F(SessionStoreTest, recovering_writes_nothing) {
  leave(99);
  {
    const FullDisk full;
    SessionStore store;
    start(store, app);
    EXPECT_EQ(app.inputs.seed, 99U);
    store.keep(app);
    store.finish(app);
  }
  EXPECT_THAT(files("damaged"), IsEmpty());
  App next;
  SessionStore again;
  start(again, next);
  EXPECT_EQ(next.inputs.seed, 99U);
}

TEST_F(SessionStoreTest, a_bad_file_is_set_aside) {
  leave(2, "", "autosave-5.json");
  write_file(leave(1), std::string(200'000, '[') + std::string(200'000, ']'));
  SessionStore store;
  start(store, app);
  EXPECT_EQ(app.inputs.seed, 2U);
  EXPECT_THAT(files("damaged"), SizeIs(1));
}

TEST_F(SessionStoreTest, what_is_set_aside_opens_as_it_is) {
  Session left;
  left.inputs.seed = 99;
  left.inputs.capture = home.at("a.npz");
  nlohmann::json wrapped{{"path", ""}, {"session", nlohmann::json::parse(to_json(left))}, {"lesson", 3}};
  const std::string path = folder + "/autosave-5.json";
  write_file(path, wrapped.dump());
  EXPECT_EQ(load_session(path), left);
  const std::string aside = set_aside(path);
  EXPECT_THAT(aside, AllOf(StartsWith(folder + "/autosave-5.damaged-"), EndsWith(".json")));
  EXPECT_EQ(load_session(aside), left);
  ASSERT_TRUE(open_file(app, aside));
  EXPECT_EQ(app.inputs.seed, 99U);
  EXPECT_THAT(AutosaveFile::list(folder), IsEmpty());
}

TEST_F(SessionStoreTest, what_ended_one_start_is_opened_again) {
  leave(99);
  for (int start_of = 0; start_of < 2; ++start_of) {
    App killed;
    SessionStore store;
    start(store, killed);
    EXPECT_EQ(killed.inputs.seed, 99U);
  }
}

TEST_F(SessionStoreTest, what_ended_starts_repeatedly_is_asked_about) {
  Session last;
  last.inputs.seed = 5;
  save_session(folder + "/session.json", last);
  leave(99);
  // The autosave, then the last session, then nothing that could crash a start.
  for (const std::uint64_t seed : {std::uint64_t{99}, std::uint64_t{99}, std::uint64_t{5}, std::uint64_t{5},
                                   Inputs{}.seed, Inputs{}.seed}) {
    App killed;
    SessionStore store;
    start(store, killed);
    EXPECT_EQ(killed.inputs.seed, seed);
    EXPECT_EQ(killed.dialogs.files.left.has_value(), seed != 99);
  }
  EXPECT_THAT(files("damaged"), IsEmpty());
  // Both are there, each in an answer.
  std::set<std::uint64_t> found;
  for (int answered = 0; answered < 2; ++answered) {
    App opened;
    SessionStore store;
    start(store, opened);
    ASSERT_TRUE(opened.dialogs.files.left);
    show(store, opened);
    answer_left(opened, LeftAnswer::restore);
    store.keep(opened);
    show(store, opened);
    found.insert(opened.inputs.seed);
    store.finish(opened);
  }
  EXPECT_EQ(found, (std::set<std::uint64_t>{5, 99}));
  EXPECT_THAT(files("start-"), IsEmpty()) << "both have proved harmless";
}

TEST_F(SessionStoreTest, what_is_asked_about_is_kept_until_it_is_discarded) {
  leave(99);
  const auto opens = [&](LeftAnswer answer) {
    App opened;
    SessionStore store;
    start(store, opened);
    const bool asked = opened.dialogs.files.left.has_value();
    show(store, opened);
    answer_left(opened, answer);
    store.keep(opened);
    store.finish(opened);
    return asked;
  };
  for (int killed = 0; killed < 2; ++killed) {
    SessionStore store;
    App of;
    start(store, of);
  }
  EXPECT_TRUE(opens(LeftAnswer::later));
  EXPECT_TRUE(opens(LeftAnswer::later));
  EXPECT_TRUE(opens(LeftAnswer::discard));
  EXPECT_FALSE(opens(LeftAnswer::later));
  EXPECT_THAT(files("autosave"), IsEmpty());
}

TEST_F(SessionStoreTest, what_is_restored_and_ends_the_program_is_asked_about_again) {
  leave(99);
  for (const auto& [opened, asked] :
       {std::pair(true, false), {true, false}, {false, true}, {false, true}, {false, false}, {true, false}}) {
    App killed;
    SessionStore store;
    start(store, killed);
    EXPECT_EQ(killed.inputs.seed == 99, opened);
    EXPECT_EQ(killed.dialogs.files.left.has_value(), asked);
    if (!opened && !asked) {
      EXPECT_THAT(killed.notices.current()->text, HasSubstr("autosave-99999999.json: not opened"));
    }
    if (!asked) continue;
    show(store, killed);
    answer_left(killed, LeftAnswer::restore);
    store.keep(killed);
    EXPECT_EQ(killed.inputs.seed, 99U);
  }
}

TEST_F(SessionStoreTest, what_no_frame_has_shown_may_still_end_the_start) {
  leave(99);
  App hidden;
  SessionStore store;
  start(store, hidden);
  for (int pass = 0; pass < 5; ++pass) store.keep(hidden, false);
  EXPECT_THAT(files("start-"), SizeIs(1));
  show(store, hidden);
  EXPECT_THAT(files("start-"), IsEmpty());
}

TEST_F(SessionStoreTest, a_start_that_ends_before_it_opens_anything_leaves_no_mark) {
  { const SessionStore no_display; }
  EXPECT_THAT(files("start-"), IsEmpty());
}

TEST_F(SessionStoreTest, a_document_that_ended_two_starts_is_named_and_opened_at_the_next) {
  const std::string path = saved_document(7);
  for (const bool opened : {true, true, false, true}) {
    App killed;
    SessionStore store;
    start(store, killed, path);
    EXPECT_EQ(killed.inputs.seed == 7, opened);
    if (!opened) {
      EXPECT_THAT(killed.notices.current()->text, StartsWith(path + ": not opened"));
    }
  }
}

TEST_F(SessionStoreTest, nobody_is_waited_for_at_the_start_and_at_the_end) {
  fs::create_symlink("/dev/zero", folder + "/autosave-1.json");
  ASSERT_EQ(mkfifo((folder + "/session.json").c_str(), 0600), 0);
  fs::create_directories(home.at("config/headscope"));
  ASSERT_EQ(mkfifo(home.at("config/headscope/settings.json").c_str(), 0600), 0);
  {
    SessionStore store;
    start(store, app);
    EXPECT_THAT(app.notices.list(), SizeIs(3)) << "each could not be read";
    app.inputs.seed = 99;
    app.settings.maximized = true;
    store.break_off(app);
  }
  App next;
  SessionStore again;
  start(again, next);
  EXPECT_EQ(next.inputs.seed, 99U) << "in an autosave, as the last session is none";
}

TEST_F(SessionStoreTest, a_file_that_was_shown_is_kept_and_tried_again) {
  leave(99);
  for (int i = 0; i < 5; ++i) {
    App killed;
    SessionStore store;
    start(store, killed);
    EXPECT_EQ(killed.inputs.seed, 99U) << i;
    show(store, killed);
  }
  EXPECT_THAT(files("damaged"), IsEmpty());
}

TEST_F(SessionStoreTest, newer_changes_to_the_file_at_hand_are_offered) {
  const std::string path = saved_document(1);
  for (const LeftAnswer answer : {LeftAnswer::later, LeftAnswer::restore, LeftAnswer::discard}) {
    leave(99, path);
    App opened;
    SessionStore store;
    start(store, opened, path);
    ASSERT_TRUE(opened.dialogs.files.left);
    EXPECT_EQ(opened.inputs.seed, 1U) << "nothing happens unasked";
    show(store, opened);
    answer_left(opened, answer);
    store.keep(opened);
    EXPECT_EQ(opened.inputs.seed, answer == LeftAnswer::restore ? 99U : 1U);
    EXPECT_EQ(is_modified(opened), answer == LeftAnswer::restore);
    EXPECT_EQ(files("autosave-99999999.json").empty(), answer == LeftAnswer::discard);
  }
}

TEST_F(SessionStoreTest, what_is_older_equal_or_anothers_is_not_offered) {
  const std::string path = saved_document(1);
  const auto offers = [&] {
    App opened;
    SessionStore store;
    start(store, opened, path);
    return opened.dialogs.files.left.has_value();
  };
  leave(1, path);
  EXPECT_FALSE(offers());
  leave(99, home.at("b.json"));
  EXPECT_FALSE(offers());
  fs::last_write_time(leave(99, path), fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_FALSE(offers());
  EXPECT_THAT(files("autosave-99999999.json"), SizeIs(1));
}

TEST_F(SessionStoreTest, a_program_that_is_terminated_leaves_changes_to_a_file_for_the_next) {
  const std::string path = saved_document(1);
  {
    SessionStore store;
    start(store, app, path);
    app.inputs.seed = 99;
    store.break_off(app);
  }
  App next;
  SessionStore again;
  start(again, next, path);
  ASSERT_TRUE(next.dialogs.files.left);
  EXPECT_EQ(load_session(path).inputs.seed, 1U);
  answer_left(next, LeftAnswer::restore);
  again.keep(next);
  EXPECT_EQ(next.inputs.seed, 99U);
}

TEST_F(SessionStoreTest, a_program_that_is_terminated_keeps_a_session_without_a_file) {
  {
    SessionStore store;
    start(store, app);
    app.inputs.seed = 99;
    store.break_off(app);
  }
  App next;
  SessionStore again;
  start(again, next);
  EXPECT_EQ(next.inputs.seed, 99U);
  EXPECT_EQ(next.notices.current(), nullptr);
}

TEST_F(SessionStoreTest, two_windows_that_are_terminated_keep_the_work_of_both) {
  App apps[2];
  {
    SessionStore stores[2];
    for (std::size_t i : {0U, 1U}) {
      start(stores[i], apps[i]);
      apps[i].inputs.seed = 7 + i;
    }
    for (std::size_t i : {0U, 1U}) stores[i].break_off(apps[i]);
  }
  std::set<std::uint64_t> found;
  SessionStore next[2];
  for (SessionStore& store : next) {
    App opened;
    start(store, opened);
    found.insert(opened.inputs.seed);
    if (!opened.dialogs.files.left) continue;
    answer_left(opened, LeftAnswer::restore);
    store.keep(opened);
    found.insert(opened.inputs.seed);
  }
  EXPECT_EQ(found, (std::set<std::uint64_t>{7, 8}));
}

TEST_F(SessionStoreTest, what_is_older_than_the_last_session_is_offered_not_taken) {
  Session last;
  last.inputs.seed = 5;
  fs::last_write_time(leave(99), fs::file_time_type::clock::now() - std::chrono::hours(1));
  save_session(folder + "/session.json", last);
  for (const LeftAnswer answer : {LeftAnswer::later, LeftAnswer::restore}) {
    App opened;
    SessionStore store;
    start(store, opened);
    EXPECT_EQ(opened.inputs.seed, 5U);
    ASSERT_TRUE(opened.dialogs.files.left);
    EXPECT_FALSE(opened.dialogs.files.left_of_document);
    show(store, opened);
    answer_left(opened, answer);
    store.keep(opened);
    EXPECT_EQ(opened.inputs.seed, answer == LeftAnswer::restore ? 99U : 5U);
  }
}

TEST_F(SessionStoreTest, an_unsaved_session_outlives_a_start_with_a_file) {
  {
    SessionStore store;
    start(store, app);
    app.inputs.seed = 77;
    store.finish(app);
  }
  {
    App other;
    SessionStore store;
    start(store, other, saved_document(5));
    EXPECT_EQ(other.inputs.seed, 5U);
    EXPECT_FALSE(other.dialogs.files.left) << "not while another is wanted";
    store.finish(other);
  }
  App next;
  SessionStore store;
  start(store, next);
  ASSERT_TRUE(next.dialogs.files.left);
  EXPECT_EQ(next.dialogs.files.left->inputs.seed, 77U);
}

TEST_F(SessionStoreTest, newer_changes_are_offered_under_every_name_of_the_file) {
  const std::string path = saved_document(1);
  leave(99, path);
  fs::create_symlink(path, home.at("link.json"));
  App opened;
  SessionStore store;
  start(store, opened, home.at("link.json"));
  EXPECT_TRUE(opened.dialogs.files.left);
}

TEST_F(SessionStoreTest, an_edit_that_cannot_be_kept_is_requested_about) {
  SessionStore store;
  start(store, app);
  app.desktop.keep_session = [&] { return store.keep_for_next(app); };
  app.inputs.seed = 99;
  {
    const FullDisk full;
    command_quit(app);
  }
  EXPECT_FALSE(app.quit);
  EXPECT_TRUE(app.dialogs.files.unsaved);
  ASSERT_NE(app.notices.current(), nullptr) << "why";
  answer_unsaved(app, UnsavedAnswer::cancel);
  command_quit(app);
  EXPECT_TRUE(app.quit) << "there is room again";
}

TEST_F(SessionStoreTest, a_window_goes_on_with_another_work_and_comes_back_to_its_own) {
  fs::create_directories(folder + "/others");
  leave(7, "", "others/autosave-link.json");
  SessionStore store;
  start(store, app);
  store.list_works(app);
  const auto go = [&] {
    run_action(app, latest_work);
    store.keep(app);
    frames(2);
  };
  const auto works = [&] {
    std::vector<std::string> names;
    for (const Action& action : app.actions)
      if (action.is_in(works_menu)) names.emplace_back(action.text);
    return names;
  };
  ASSERT_EQ(works().size(), 1U);
  app.inputs.seed = 42;
  app.inputs.sentence = "My own ## words";
  frames(2);
  go();
  EXPECT_EQ(app.inputs.seed, 7U);
  EXPECT_THAT(works(), testing::ElementsAre("My own    words"));
  app.inputs.seed = 8;
  frames(2);
  go();
  EXPECT_EQ(app.inputs.seed, 42U);
  EXPECT_EQ(app.inputs.sentence, "My own ## words");
  EXPECT_EQ(works().size(), 1U);
  go();
  EXPECT_EQ(app.inputs.seed, 8U) << "what was changed there is kept as well";
  EXPECT_EQ(app.notices.current(), nullptr);
}

TEST_F(SessionStoreTest, the_default_session_is_no_work_to_come_back_to) {
  fs::create_directories(folder + "/others");
  leave(7, "", "others/autosave-link.json");
  SessionStore store;
  start(store, app);
  store.go_to_work(app, folder + "/others/autosave-link.json");
  EXPECT_EQ(app.inputs.seed, 7U);
  EXPECT_EQ(find_action(app, latest_work), nullptr);
}

TEST_F(SessionStoreTest, a_work_that_cannot_be_read_leaves_the_own_one_in_the_window) {
  fs::create_directories(folder + "/others");
  write_file(folder + "/others/autosave-1.json", "{");
  SessionStore store;
  start(store, app);
  app.inputs.seed = 42;
  frames(2);
  store.go_to_work(app, folder + "/others/autosave-1.json");
  EXPECT_EQ(app.inputs.seed, 42U);
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("autosave-1.json"));
  EXPECT_TRUE(fs::exists(folder + "/others/autosave-1.json"));
}

TEST_F(SessionStoreTest, a_page_that_is_left_while_it_starts_has_not_crashed) {
  leave(99);
  {
    SessionStore store;
    start(store, app);
    app.inputs.seed = 100;
    frames(2);
    store.leave(app);
  }
  App next;
  SessionStore again;
  start(again, next);
  EXPECT_EQ(next.inputs.seed, 100U);
}

class KilledLesson : public SessionStoreTest {
 protected:
  static void frames(App& of, int count) {
    for (int i = 0; i < count; ++i) {
      begin_frame(of, {});
      end_frame(of);
      of.runners.a.wait();
      of.runners.b.wait();
    }
  }
};

TEST_F(KilledLesson, comes_back_with_what_was_being_played_with) {
  {
    SessionStore store;
    start(store, app);
    app.inputs.seed = 7;
    frames(app, 2);
    ASSERT_TRUE(play_lesson(app, "masks"));
    go_to_step(app, 3);
    frames(app, 4);
    app.inputs.temperature = 3;
    app.state.view.colormap = Colormap::magma;
    app.state.lock = Cell{0, 1, 1};
    frames(app, 2);
    ASSERT_TRUE(is_free_play(app));
    store.keep(app);
    EXPECT_GT(store.due_in(), 0) << "there is something to keep";
    store.break_off(app);
    ASSERT_THAT(files("autosave-"), testing::Contains(HasSubstr(".json")));
  }
  App next;
  SessionStore again;
  start(again, next);
  EXPECT_EQ(next.session().inputs.seed, 7U) << "the user's own";
  ASSERT_TRUE(next.lesson.playing());
  EXPECT_EQ(next.lesson.path, "masks");
  EXPECT_EQ(next.lesson.step, 3);
  EXPECT_EQ(played_lesson(next)->free->inputs.temperature, 3) << "before the step itself was shown";
  frames(next, 8);
  EXPECT_EQ(next.inputs.temperature, 3);
  EXPECT_EQ(next.state.view.colormap, Colormap::magma);
  EXPECT_EQ(next.state.lock, (Cell{0, 1, 1}));
  EXPECT_TRUE(is_free_play(next));
  EXPECT_TRUE(next.lesson.shown->given) << "numbers of the step itself";
  return_to_lesson(next);
  frames(next, 3);
  EXPECT_FALSE(is_free_play(next));
  EXPECT_EQ(next.inputs.temperature, 1);
  close_lesson(next);
  EXPECT_EQ(next.inputs.seed, 7U);
  again.finish(next);
  EXPECT_THAT(files("autosave"), IsEmpty());
}

TEST_F(KilledLesson, that_ended_two_starts_is_left_out_once_and_the_own_session_comes_back) {
  {
    SessionStore store;
    start(store, app);
    app.inputs.seed = 7;
    frames(app, 2);
    ASSERT_TRUE(play_lesson(app, "masks"));
    frames(app, 2);
    store.break_off(app);
  }
  for (const bool played : {true, true, false, true}) {
    App next;
    SessionStore again;
    start(again, next);
    EXPECT_EQ(next.lesson.playing(), played);
    EXPECT_EQ(next.session().inputs.seed, 7U);
    EXPECT_THAT(files("autosave"), testing::Contains(HasSubstr(".json"))) << "with the lesson";
  }
  EXPECT_THAT(files("damaged"), IsEmpty());
}

TEST_F(KilledLesson, that_was_requested_and_ended_two_starts_is_played_at_the_fourth_try) {
  for (const bool played : {true, true, false, true}) {
    App next;
    SessionStore store;
    start(store, next);
    store.open_requested(next, "masks");
    EXPECT_EQ(next.lesson.playing(), played);
  }
}

TEST_F(KilledLesson, is_kept_where_it_is_terminated_and_lets_go_of_what_is_gone) {
  const std::string path = home.at("own.md");
  std::ofstream(path) << "# A\n## B\n```state\n{\"seed\": 5}\n```\n## C\n";
  {
    SessionStore store;
    start(store, app);
    ASSERT_TRUE(play_lesson(app, path));
    go_to_step(app, 1);
    frames(app, 3);
    store.break_off(app);
  }
  for (const bool gone : {false, true}) {
    if (gone) fs::remove(path);
    App next;
    SessionStore again;
    start(again, next);
    EXPECT_EQ(next.lesson.playing(), !gone);
    EXPECT_EQ(next.lesson.step, gone ? 0 : 1);
    EXPECT_EQ(next.session(), app.session());
  }
}

}  // namespace headscope::tests

#include "app/state/actions/actions.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/kept_works.h"
#include "app/state/document/session_store.h"
#include "app/state/document/work_link.h"
#include "app/state/lesson/play_lesson.h"
#include "core/session/session_link.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class WorkLinkTest : public StateFixture {
 protected:
  WorkLinkTest() {
    app.desktop.get_text = [this] { return clipboard; };
    store.start(app, std::nullopt, "", Language::en);
    frames(2);
  }

  /// What another window shows that opens the link.
  App& opened(const std::string& link) {
    store.open_link(app, link);
    run_until_idle(app, [this] { frame(); });
    frames(3);
    return app;
  }
  void keep() {
    store.keep(app);
    frames(2);
  }
  std::ptrdiff_t works() const {
    return std::ranges::count_if(app.actions, [](const Action& action) { return action.is_in(works_menu); });
  }
  std::string notice() const { return app.notices.current() != nullptr ? app.notices.current()->text : ""; }

  OwnHome home;
  SessionStore store;
};

TEST_F(WorkLinkTest, brings_sentence_view_and_lock) {
  app.inputs.sentence = "The cat sat on the mat";
  app.inputs.layers = 2;
  app.state.view.kind = ViewKind::head;
  app.state.view.layer = 1;
  app.state.view.head = 3;
  wait_until_idle();
  app.state.lock = Cell{3, 4, 2};
  frames(2);
  const std::string link = link_here(app);
  new_session(app);
  frames(2);
  ASSERT_FALSE(app.state.lock);
  opened(link);
  EXPECT_EQ(app.inputs.sentence, "The cat sat on the mat");
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.layer, 1);
  EXPECT_EQ(app.state.view.head, 3);
  EXPECT_EQ(app.state.lock, (Cell{3, 4, 2}));
  EXPECT_EQ(link_here(app), link);
}

TEST_F(WorkLinkTest, brings_the_step_of_a_lesson_and_what_was_changed_there) {
  ASSERT_TRUE(play_lesson(app, "masks"));
  go_to_step(app, 2);
  wait_until_idle();
  frames(3);
  const std::string as_it_is = link_here(app);
  app.inputs.temperature = 3;
  wait_until_idle();
  app.state.lock = Cell{1, 2, 1};
  frames(3);
  ASSERT_TRUE(is_free_play(app));
  const std::string changed = link_here(app);
  close_lesson(app);
  opened(as_it_is);
  ASSERT_TRUE(app.lesson.playing());
  EXPECT_EQ(app.lesson.path, "masks");
  EXPECT_EQ(app.lesson.step, 2);
  EXPECT_FALSE(is_free_play(app));
  close_lesson(app);
  opened(changed);
  EXPECT_EQ(app.lesson.step, 2);
  EXPECT_EQ(app.inputs.temperature, 3);
  EXPECT_EQ(app.state.lock, (Cell{1, 2, 1}));
  EXPECT_LT(as_it_is.size(), 200U) << "of a lecture's steps codes are read from afar";
}

TEST_F(WorkLinkTest, leaves_ones_own_work_and_offers_it) {
  Session linked;
  linked.inputs.seed = 7;
  app.inputs.seed = 99;
  frames(2);
  opened(link_to_session(linked));
  EXPECT_EQ(app.inputs.seed, 7U);
  EXPECT_EQ(notice(), link_note);
  run_action(app, latest_work);
  keep();
  EXPECT_EQ(app.inputs.seed, 99U);
  linked.inputs.seed = 8;
  for (int times = 0; times < 2; ++times) opened(link_to_session(linked));
  EXPECT_EQ(app.inputs.seed, 8U) << "one after the other";
  store.finish(app);
  App next;
  SessionStore again;
  again.start(next, std::nullopt, "", Language::en);
  EXPECT_EQ(next.inputs.seed, 99U) << "the next start goes on with it";
  EXPECT_EQ(find_action(next, latest_work), nullptr);
}

TEST_F(WorkLinkTest, that_was_changed_is_gone_on_with) {
  Session linked;
  linked.inputs.seed = 7;
  app.inputs.seed = 99;
  frames(2);
  opened(link_to_session(linked));
  app.inputs.seed = 8;
  frames(2);
  store.keep_now(app);
  store.finish(app);
  App next;
  SessionStore again;
  again.start(next, std::nullopt, "", Language::en);
  EXPECT_EQ(next.inputs.seed, 8U);
  EXPECT_NE(find_action(next, latest_work), nullptr) << "one's own is offered at the next start, too";
}

TEST_F(WorkLinkTest, forgets_the_oldest_works) {
  Session linked;
  for (unsigned seed = 0; seed < 25; ++seed) {
    linked.inputs.seed = 100 + seed;
    store.open_link(app, link_to_session(linked));
    app.inputs.seed += 100;
  }
  EXPECT_GE(works(), 20);
  EXPECT_LE(works(), 21);
  EXPECT_EQ(app.inputs.seed, 224U);
}

TEST_F(WorkLinkTest, that_was_only_looked_at_is_no_work) {
  app.inputs.seed = 99;
  frames(2);
  Session linked;
  for (unsigned seed = 0; seed < 5; ++seed) {
    linked.inputs.seed = 100 + seed;
    opened(link_to_session(linked));
    store.keep_now(app);
  }
  EXPECT_EQ(works(), 1);
  run_action(app, latest_work);
  keep();
  EXPECT_EQ(app.inputs.seed, 99U);
  EXPECT_EQ(works(), 0);
}

TEST_F(WorkLinkTest, offers_the_way_back_to_ones_own_work_alone) {
  opened(link_to_session({}));
  EXPECT_EQ(notice(), "") << "there was none";
  app.inputs.seed = 99;
  frames(2);
  Session linked;
  linked.inputs.seed = 7;
  opened(link_to_session(linked));
  app.inputs.seed = 8;
  frames(2);
  run_action(app, latest_work);
  keep();
  ASSERT_EQ(app.inputs.seed, 99U);
  EXPECT_EQ(notice(), "") << "it is shown";
  store.open_link(app, "#s=AAAA");
  EXPECT_THAT(notice(), HasSubstr("damaged"));
  opened(link_to_session(linked));
  EXPECT_EQ(notice(), link_note) << "what was refused before is said no more";
  run_action(app, latest_work);
  keep();
  EXPECT_EQ(app.inputs.seed, 99U) << "the last that was left, not the last that was changed";
}

TEST_F(WorkLinkTest, is_found_in_a_message) {
  const std::string link = "https://example.org/h.html" + link_to_session({});
  for (const char* const end : {"", " ", "\n", "。谢谢", ")"}) {
    clipboard = "看 http://example.org/ 请打开 " + link + end;
    EXPECT_EQ(copied_link(app), link);
  }
  clipboard = "the part " + link_to_session({});
  EXPECT_EQ(copied_link(app), link_to_session({}));
  clipboard = "a text";
  EXPECT_EQ(copied_link(app), "");
}

TEST_F(WorkLinkTest, is_in_the_address_of_a_page) {
  std::vector<std::string> address;
  app.desktop.set_link = [&](const std::string& link) { address.push_back(link); };
  app.inputs.seed = 99;
  frames(2);
  store.keep_now(app);
  EXPECT_EQ(address.back(), link_here(app));
  const std::string link = link_to_session({});
  opened("https://example.org/h.html" + link);
  EXPECT_EQ(address.back(), link);
  run_action(app, latest_work);
  keep();
  EXPECT_EQ(address.back(), link_here(app));
  app.inputs.model = "/home/me/gpt2";
  frames(2);
  store.keep_now(app);
  EXPECT_EQ(address.back(), "") << "no link leads to a file";
}

TEST_F(WorkLinkTest, that_cannot_be_opened_changes_nothing_and_says_why_in_one_line) {
  app.inputs.seed = 99;
  frames(2);
  const std::string
      of_file = link_from_json(R"({"version":1,"model":"/etc/gpt2"})"),
      in_lesson = link_from_json(
          R"({"path":"","session":{"version":1},"lesson":{"path":"masks","step":0,"located":{},)"
          R"("free":{"version":1,"capture":"/etc/a.npz"}}})"),
      of_other = link_from_json(
          R"({"path":"","session":{"version":1},"lesson":{"path":"/etc/a.md","step":0,"located":{}}})");
  const std::pair<std::string, std::string> cases[] = {{"#s=abc", "damaged"},
                                                       {of_file, "the session needs \"gpt2\""},
                                                       {in_lesson, "the session needs \"a.npz\""},
                                                       {of_other, "the lesson a.md"}};
  for (const auto& [link, why] : cases) {
    store.open_link(app, link);
    EXPECT_EQ(app.inputs.seed, 99U);
    EXPECT_THAT(notice(), AllOf(HasSubstr(why), Not(HasSubstr("\n"))));
    EXPECT_EQ(find_action(app, latest_work), nullptr);
  }
}

TEST_F(WorkLinkTest, is_pasted_outside_of_a_field) {
  Session linked;
  linked.inputs.seed = 7;
  clipboard = " https://example.org/h.html" + link_to_session(linked) + "\n";
  press(Key::v, true);
  keep();
  EXPECT_EQ(app.inputs.seed, 7U);
  clipboard = "https://example.org/h.html#s=broken";
  press(Key::v, true);
  EXPECT_THAT(notice(), HasSubstr("the link is damaged"));
  clipboard = "a text";
  press(Key::v, true);
  EXPECT_THAT(notice(), HasSubstr("There is no link on the clipboard"));
  EXPECT_TRUE(app.dialogs.link.chosen.empty());
  EXPECT_FALSE(app.dialogs.link.asks);
}

TEST_F(WorkLinkTest, is_asked_for_and_refused_in_the_dialog) {
  run_action(app, "open link");
  LinkDialog& dialog = app.dialogs.link;
  ASSERT_TRUE(dialog.asks);
  dialog.typed = "https://example.org/h.html";
  answer_link(app);
  ASSERT_TRUE(dialog.refused);
  EXPECT_TRUE(dialog.asks);
  dialog.typed += link_to_session({});
  answer_link(app);
  EXPECT_FALSE(dialog.refused);
  EXPECT_FALSE(dialog.asks);
  EXPECT_FALSE(dialog.chosen.empty());
}

TEST_F(WorkLinkTest, is_copied_with_the_address_of_the_page) {
  LinkDialog& dialog = app.dialogs.link;
  run_action(app, "copy link");
  EXPECT_TRUE(dialog.open) << "where the page is not known it is asked for";
  EXPECT_EQ(clipboard, "");
  dialog.address = "example.org";
  use_page_address(app);
  ASSERT_TRUE(dialog.problem);
  EXPECT_EQ(app.settings.page_address, "");
  dialog.address = " https://example.org/h.html#s=old ";
  use_page_address(app);
  EXPECT_FALSE(dialog.problem);
  EXPECT_EQ(app.settings.page_address, "https://example.org/h.html");
  ASSERT_TRUE(dialog.code);
  EXPECT_EQ(*dialog.code, qr_code("https://example.org/h.html" + link_here(app)));
  dialog.open = false;
  run_action(app, "copy link");
  EXPECT_FALSE(dialog.open);
  EXPECT_EQ(clipboard, "https://example.org/h.html" + link_here(app));
  app.desktop.page_address = [] { return "file:///a/headscope.html"; };
  run_action(app, "copy link");
  EXPECT_THAT(clipboard, StartsWith("file:///a/headscope.html#s="));
}

TEST_F(WorkLinkTest, of_what_needs_a_file_says_so) {
  app.inputs.model = "/home/me/gpt2";
  app.settings.page_address = "https://example.org/h.html";
  run_action(app, "link");
  ASSERT_TRUE(app.dialogs.link.problem);
  EXPECT_THAT(app.dialogs.link.problem->what(), HasSubstr("the session needs \"gpt2\""));
  EXPECT_FALSE(app.dialogs.link.code);
}

TEST_F(WorkLinkTest, code_is_saved) {
  app.settings.page_address = "https://example.org/h.html";
  run_action(app, "link");
  const QrCode code = *app.dialogs.link.code;
  save_code(app, ".svg");
  EXPECT_FALSE(app.dialogs.link.open);
  answer_file(app, home.at("code.svg"));
  EXPECT_EQ(read_file(home.at("code.svg")), qr_file(code, "code.svg"));
  EXPECT_TRUE(app.dialogs.link.open) << "it is still on the slide";
  EXPECT_THAT(notice(), HasSubstr("code.svg"));
}

TEST_F(WorkLinkTest, a_lock_is_kept_for_a_killed_window) {
  wait_until_idle();
  app.state.lock = Cell{1, 2, 3};
  frames(2);
  store.keep_now(app);
  {
    const auto file = AutosaveFile::list(home.at("state/headscope"));
    ASSERT_EQ(file.size(), 1U);
    EXPECT_EQ(autosave_from_json(read_file(file.front()), "a").lock, (Cell{1, 2, 3}));
  }
  app.state.lock.reset();
  frames(2);
  store.keep_now(app);
  EXPECT_FALSE(
      autosave_from_json(read_file(AutosaveFile::list(home.at("state/headscope")).front()), "a").lock);
}

}  // namespace headscope::tests

#include "app/state/actions/actions.h"
#include "app/state/document/document.h"
#include "app/state/lesson/play_lesson.h"
#include "core/teach/library.h"
#include "core/teach/write_lesson.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class LessonPlayerTest : public StateFixture {
 protected:
  static std::string text(const std::string& second = "\"temperature\": 4") {
    return R"(# Lesson | 课

## One | 一

```state
{"sentence": "a b a c d e f g h i j k l", "d_model": 8, "heads": 2,
 "view": {"kind": "head", "head": 1}, "cell": {"head": 1, "query": 12, "key": 0}}
```

### English
Weight {weight:.3f} of {tokens}, {weight("z", 0)}.

## Two | 二

```state
{)" + second +
           R"(, "compare": {"seed": 3}, "highlight": ["temperature"]}
```

### English
{weight(0, 0, side="b"):.3f}

```question
en: Cool it.
check: temperature < 1
```

```claims
row_sum = 1
```
)";
  }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder.at(name)) << content;
    return folder.at(name);
  }
  std::string number(std::size_t which = 0) {
    std::vector<const TextSpan*> spans;
    for_each_span(app.lesson.at().text[Language::en].blocks, [&](const TextSpan& span) {
      if (!span.value.empty()) spans.push_back(&span);
    });
    return lesson_number(app, *spans.at(which));
  }

  TempFolder folder;
};

TEST_F(LessonPlayerTest, lays_the_session_aside_and_brings_all_of_it_back) {
  app.inputs.seed = 7;
  frame();
  app.inputs.heads = 4;
  frames(2);
  app.state.lock = Cell{2, 3, 4};
  app.document = {folder.at("mine.json"), app.session(), 0};
  app.inputs.dropout = 0.25;
  frames(2);
  const Session mine = app.session();
  const std::size_t steps = app.undo.history.steps().size();
  ASSERT_TRUE(is_modified(app));

  ASSERT_TRUE(open_file(app, write("a.md", text())));
  frames(2);
  EXPECT_EQ(app.inputs.sentence.size(), 25U);
  EXPECT_EQ(app.state.lock, (Cell{1, 12, 0})) << "beyond the tokens there were before";
  EXPECT_FALSE(app.undo.history.can_undo());
  EXPECT_EQ(app.session(), mine) << "what is kept for a killed window";
  EXPECT_TRUE(is_modified(app));
  EXPECT_EQ(app.document.path, folder.at("mine.json"));
  app.bookmarks.push_back({"kept", app.inputs, app.state.view, {}});
  bool others = false;
  app.inputs.temperature = 3;
  frames(2);
  ASSERT_TRUE(save_file(app, folder.at("mine.json"), true, others));
  EXPECT_EQ(load_session(folder.at("mine.json")).inputs, mine.inputs) << "not the lesson's";
  EXPECT_FALSE(is_modified(app));
  EXPECT_EQ(app.inputs.temperature, 3);

  run_action(app, "lesson close");
  frames(2);
  EXPECT_EQ(app.inputs, mine.inputs);
  EXPECT_EQ(app.state.view.kind, mine.view.kind);
  EXPECT_EQ(app.state.lock, (Cell{2, 3, 4}));
  EXPECT_EQ(app.bookmarks.size(), 1U);
  EXPECT_FALSE(is_modified(app));
  EXPECT_EQ(app.undo.history.steps().size(), steps + 1) << "the bookmark";
  run_action(app, "undo");
  run_action(app, "undo");
  EXPECT_EQ(app.inputs.dropout, 0);
  EXPECT_FALSE(app.lesson.playing());
}

TEST_F(LessonPlayerTest, locks_its_cell_where_the_program_begins_with_it) {
  App fresh;
  ASSERT_TRUE(play_lesson(fresh, "temperature"));
  for (int i = 0; i < 3; ++i) {
    begin_frame(fresh, {});
    end_frame(fresh);
    fresh.runners.a.wait();
  }
  EXPECT_EQ(fresh.state.lock, fresh.lesson.at().cell);
  EXPECT_NE(fresh.state.lock, std::nullopt);
  EXPECT_FALSE(is_free_play(fresh));
}

TEST_F(LessonPlayerTest, what_is_given_stays_while_the_reader_answers) {
  std::string lesson = text();
  lesson.replace(lesson.find("{weight:.3f}"), 12, "{given(tokens)} {tokens}");
  ASSERT_TRUE(play_lesson(app, write("given.md", lesson)));
  frames(3);
  EXPECT_EQ(number(0), "13");
  app.inputs.sentence = "a b";
  frames(3);
  EXPECT_EQ(number(0), "13");
  EXPECT_EQ(number(1), "2");
  run_action(app, "lesson return");
  frames(3);
  EXPECT_EQ(number(1), "13");
}

TEST_F(LessonPlayerTest, keys_read_on_in_the_text_before_they_turn_the_page) {
  ASSERT_TRUE(play_lesson(app, write("a.md", text())));
  frames(2);
  app.lesson.text_below = true;
  press(Key::page_down);
  EXPECT_EQ(std::pair(app.lesson.step, app.lesson.scroll > 0), std::pair(0, true));
  run_action(app, "lesson next");
  EXPECT_EQ(app.lesson.step, 1) << "what says so does so";
  app.lesson.text_above = true;
  frame();
  press(Key::page_up);
  EXPECT_EQ(std::pair(app.lesson.step, app.lesson.scroll < 0), std::pair(1, true));
  app.lesson.text_below = false;
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 1) << "the last";
}

TEST_F(LessonPlayerTest, steps_by_keys_and_knows_free_play) {
  ASSERT_TRUE(play_lesson(app, write("a.md", text())));
  frames(2);
  EXPECT_FALSE(is_free_play(app));
  EXPECT_THAT(step_changes(app), IsEmpty());
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 1);
  EXPECT_EQ(app.inputs.temperature, 4);
  EXPECT_THAT(step_changes(app), Contains("Temperature 1 → 4"));
  EXPECT_THAT(app.lesson.at().highlight, testing::Contains("temperature"));
  EXPECT_THAT(app.lesson.at().highlight, testing::Not(testing::Contains("heads")));
  press(Key::space);
  EXPECT_EQ(app.lesson.step, 1) << "the last";
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"an input", [&] { app.inputs.temperature = 0.5; }},
      {"B", [&] { app.compare.reset(); }},
      {"the view", [&] { app.state.view.kind = ViewKind::grid; }},
      {"the cell",
       [&] {
         app.state.lock = Cell{0, 1, 1};
       }},
  };
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    EXPECT_FALSE(is_free_play(app));
    change();
    frames(2);
    EXPECT_TRUE(is_free_play(app));
    run_action(app, "lesson return");
    frames(2);
  }
  EXPECT_FALSE(is_free_play(app));
  EXPECT_EQ(app.state.lock, (Cell{1, 12, 0}));
  app.state.view.steps.stage = "softmax";
  app.set_theme(Theme::dark);
  frames(2);
  EXPECT_FALSE(is_free_play(app)) << "another look at the same";
  press(Key::space, false, true);
  EXPECT_EQ(app.lesson.step, 0);
  app.state.brush.on = true;
  press(Key::space);
  EXPECT_EQ(app.lesson.step, 0) << "paints";
}

TEST_F(LessonPlayerTest, numbers_and_questions_follow_what_is_shown) {
  ASSERT_TRUE(play_lesson(app, write("a.md", text())));
  EXPECT_EQ(number(), "…") << "no number of another run";
  frames(2);
  EXPECT_EQ(number(), fmt::format("{:.3f}", app.block()->maps->weight(0, 1, 12, 0)));
  EXPECT_EQ(number(1), "13");
  EXPECT_EQ(number(2), "–");
  step_lesson(app, 1);
  frames(2);
  EXPECT_EQ(number(), fmt::format("{:.3f}", app.block(Side::b)->maps->weight(0, 1, 0, 0)));
  EXPECT_EQ(question_answered(app), false);
  app.inputs.temperature = 0.5;
  frames(2);
  EXPECT_EQ(question_answered(app), true);
}

TEST_F(LessonPlayerTest, a_saved_file_is_shown_at_its_step_and_a_mistake_by_its_line) {
  const std::string path = write("a.md", text());
  ASSERT_TRUE(play_lesson(app, path));
  step_lesson(app, 1);
  frames(2);
  EXPECT_FALSE(reload_lesson(app));
  write("a.md", text("\"temperature\": 25"));
  EXPECT_TRUE(reload_lesson(app));
  frames(2);
  EXPECT_EQ(app.lesson.step, 1);
  EXPECT_EQ(app.inputs.temperature, 25);
  app.inputs.heads = 4;
  frames(2);
  write("a.md", text("\"temperature\": 125"));
  EXPECT_TRUE(reload_lesson(app));
  EXPECT_EQ(app.inputs.temperature, 25) << "what the user plays with stays";
  write("a.md", text("\"temperature\": -3125"));
  EXPECT_TRUE(reload_lesson(app));
  ASSERT_EQ(app.lesson.mistakes.size(), 1U);
  EXPECT_EQ(app.lesson.mistakes.front().line, 16);
  EXPECT_EQ(app.lesson.at().session.inputs.temperature, 125);
  fs::remove(path);
  EXPECT_TRUE(reload_lesson(app));
  ASSERT_EQ(app.lesson.mistakes.size(), 1U);
  EXPECT_EQ(app.lesson.mistakes.front().line, 0) << "the file is none, no line of it";
  EXPECT_TRUE(app.lesson.playing());
  write("a.md", text() + "```claims\nrow_sum = 2\n```\n");
  EXPECT_TRUE(reload_lesson(app));
  run_action(app, "lesson return");
  frames(2);
  ASSERT_EQ(step_mistakes(app).size(), 1U);
  EXPECT_EQ(step_mistakes(app).front().line, 31);
}

TEST_F(LessonPlayerTest, reports_what_is_wrong_with_a_step_once_it_is_run) {
  const auto step = [](const std::string& state, const std::string& rest) {
    return "# T\n## S\n```state\n{" + state + "}\n```\n### English\n" + rest + "\n";
  };
  const std::tuple<std::string, int, const char*> cases[] = {
      {step("\"cell\": {\"head\": 99, \"query\": 0, \"key\": 0}", "a"), 3,
       "cell.head is 99; expected 0 to 7"},
      {step("\"sentence\": \"a\"", "a\n{weight(\"zzz\", 0, head=0)}"), 8, "there is no token “zzz”"},
      {step("", "{1/0}"), 7, "1/0 has no value here"},
      {step("\"mask\": [\"global:99\"]", "a"), 3, "names token 99"},
      {step("\"sentence\": \"" + std::string(70'000, '.') + "\"", "a"), 3, "tokens"},
      {step("", "a\n```claims\nheads = 7\n```"), 9, "heads = 7 does not hold (8, 7)"},
  };
  const std::string path = write("a.md", step("", "good"));
  ASSERT_TRUE(play_lesson(app, path));
  frames(3);
  EXPECT_THAT(step_mistakes(app), IsEmpty());
  for (const auto& [file, line, reported] : cases) {
    SCOPED_TRACE(reported);
    write("a.md", file);
    ASSERT_TRUE(reload_lesson(app));
    frames(3);
    EXPECT_THAT(app.lesson.mistakes, IsEmpty());
    std::vector<LessonMistake> mistakes = step_mistakes(app);
    if (const auto refused = step_refused(app)) mistakes.push_back(*refused);
    ASSERT_EQ(mistakes.size(), 1U);
    EXPECT_EQ(mistakes.front().line, line);
    EXPECT_THAT(mistakes.front().error.what(), HasSubstr(reported));
    EXPECT_FALSE(is_free_play(app));
    EXPECT_EQ(app.state.lock, std::nullopt);
  }
  app.inputs.heads = 4;
  frames(3);
  EXPECT_THAT(step_mistakes(app), IsEmpty()) << "the user plays";
}

TEST_F(LessonPlayerTest, computes_what_a_step_names_once_while_the_same_is_shown) {
  ASSERT_TRUE(play_lesson(app, write("a.md", text())));
  step_lesson(app, 1);
  frames(3);
  EXPECT_THAT(step_mistakes(app), IsEmpty());
  EXPECT_EQ(question_answered(app), false);
  const auto before = app.lesson.computed.numbers;
  app.state.view.colormap = Colormap::magma;
  run_action(app, "lesson return");
  frames(3);
  EXPECT_EQ(question_answered(app), false);
  EXPECT_THAT(step_mistakes(app), IsEmpty());
  EXPECT_EQ(app.lesson.computed.numbers, before);
  app.state.lock = Cell{0, 1, 1};
  frames(2);
  number();
  EXPECT_NE(app.lesson.computed.numbers, before);
}

TEST_F(LessonPlayerTest, of_a_bad_file_is_not_played) {
  EXPECT_FALSE(open_file(app, write("a.md", "# T\n## S\n```state\n{\"heads\": 0}\n```\n")));
  EXPECT_FALSE(app.lesson.playing());
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("a.md: line 4: state: heads is 0; expected"));
}

TEST_F(LessonPlayerTest, is_written_from_what_is_shown_and_from_bookmarks) {
  const std::string path = folder.at("new.md");
  app.inputs.sentence = "a b";
  app.inputs.d_model = 16;
  app.inputs.mask = {parse_mask_part("causal")};
  app.compare = app.inputs;
  app.compare->temperature = 2;
  app.state.view.kind = ViewKind::compare;
  app.state.lock = Cell{1, 1, 0};
  app.bookmarks = {{"First: \"x\"", app.inputs, app.state.view, app.compare}, {"第二", Inputs{}, View{}, {}}};
  frames(2);
  add_state_to_lesson(app, path);
  app.inputs = Inputs{};
  app.state.view.kind = ViewKind::grid;
  app.compare.reset();
  frames(2);
  add_state_to_lesson(app, path);
  const Lesson lesson = load_lesson(path);
  ASSERT_EQ(lesson.steps.size(), 2U);
  EXPECT_EQ(lesson.steps[0].session.inputs, app.bookmarks[0].inputs);
  EXPECT_EQ(lesson.steps[0].session.compare, app.bookmarks[0].compare);
  EXPECT_EQ(lesson.steps[0].session.view.kind, ViewKind::compare);
  EXPECT_EQ(lesson.steps[0].cell, (Cell{1, 1, 0}));
  EXPECT_EQ(lesson.steps[1].session.inputs, Inputs{});
  EXPECT_FALSE(lesson.steps[1].session.compare);

  const std::string other = write("notes.md", "# Notes\n\nNot a lesson.\n");
  add_state_to_lesson(app, other);
  EXPECT_EQ(read_file(other), "# Notes\n\nNot a lesson.\n");
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("notes.md: line 3: "));

  write_bookmarks_as_lesson(app, folder.at("marks.md"));
  EXPECT_TRUE(app.lesson.playing());
  ASSERT_EQ(app.lesson.last(), 1);
  EXPECT_EQ(app.lesson.lesson->steps[1].title[Language::zh], "第二");
  EXPECT_EQ(app.lesson.lesson->steps[0].session.inputs, app.bookmarks[0].inputs);

  app.bookmarks = {{"", Inputs{}, View{}, {}}, {"a | b", Inputs{}, View{}, {}}};
  write_bookmarks_as_lesson(app, folder.at("odd.md"));
  ASSERT_EQ(app.lesson.path, folder.at("odd.md"));
  EXPECT_EQ(app.lesson.lesson->steps[0].title[Language::en], "New step");
  EXPECT_EQ(app.lesson.lesson->steps[1].title[Language::zh], "a | b");
}

const char* const asked = R"(# Lesson | 课
## One | 一
```state
{"sentence": "a b c d", "d_model": 8, "heads": 2, "view": {"kind": "head"}, "cell": {"head": 0, "query": 2, "key": 1}}
```
### English
*c* gives *b* {weight("c", "b"):.3f}. It is {temperature} now.
```question
en: Cool it.
check: temperature < 1
solution: {"temperature": 0.5}
```
```question
en: Which?
- [x] a
- [ ] b
- [heads = 2] c
answer-en: All but b.
```
```question
en: How much?
number: weight("c", "b") ± 0.01
```
```claims
> It is # now
temperature = 1
```
)";

TEST_F(LessonPlayerTest, keeps_answers_in_the_users_session_and_undoes_them) {
  ASSERT_TRUE(play_lesson(app, write("own.md", asked)));
  frames(3);
  EXPECT_EQ(question_answered(app, 0), false);
  EXPECT_EQ(question_answered(app, 1), std::nullopt) << "nothing is chosen";
  EXPECT_EQ(number(), "?") << "to be predicted";
  const double weight = app.block()->maps->weight(0, 0, 2, 1);
  predict_answer(app, 2, weight + 0.02);
  frames(2);
  EXPECT_EQ(question_answered(app, 2), false);
  EXPECT_EQ(number(), fmt::format("{:.3f}", weight)) << "after the prediction";
  predict_answer(app, 2, weight + 0.009);
  choose_answer(app, 1, {0});
  frames(2);
  EXPECT_EQ(question_answered(app, 1), false) << "one of two";
  EXPECT_EQ(takes_one_choice(app, 1), false);
  choose_answer(app, 1, {0, 2});
  frames(2);
  EXPECT_EQ(question_answered(app, 1), true);
  EXPECT_EQ(answer_given(app, 1)->tries, 2);
  EXPECT_EQ(answer_given(app, 2)->tries, 2);
  EXPECT_EQ(question_answered(app, 2), true);
  run_action(app, "undo");
  frames(2);
  EXPECT_EQ(question_answered(app, 1), false);
  run_action(app, "redo");
  app.inputs.temperature = 0.5;
  frames(3);
  EXPECT_EQ(question_answered(app, 0), true);
  ASSERT_EQ(app.answers.size(), 3U);
  app.inputs.temperature = 2;
  frames(3);
  EXPECT_EQ(question_answered(app, 0), false);
  const LessonAnswer* found = answer_given(app, 0);
  ASSERT_NE(found, nullptr) << "what was found is kept";
  EXPECT_EQ(found->state->inputs.temperature, 0.5);
  EXPECT_EQ(found->lesson, "own.md");
  bool others = false;
  ASSERT_TRUE(save_file(app, folder.at("mine.json"), true, others));
  const Session saved = load_session(folder.at("mine.json"));
  EXPECT_EQ(saved.answers.size(), 3U);
  EXPECT_EQ(saved.inputs.sentence, Session{}.inputs.sentence) << "not the lesson's";
  run_action(app, "lesson close");
  frames(2);
  EXPECT_EQ(app.answers.size(), 3U);
  EXPECT_TRUE(open_file(app, write("other.json", to_json(Session{}))));
  frames(2);
  EXPECT_THAT(app.answers, IsEmpty());
  run_action(app, "undo");
}

TEST_F(LessonPlayerTest, an_answer_that_is_undone_does_not_come_back_by_itself) {
  ASSERT_TRUE(play_lesson(app, write("own.md", asked)));
  frames(3);
  app.inputs.temperature = 0.5;
  frames(3);
  ASSERT_EQ(app.answers.size(), 1U);
  run_action(app, "undo");
  frames(3);
  EXPECT_THAT(app.answers, IsEmpty()) << "with the change that found it";
  EXPECT_EQ(app.inputs.temperature, 1);
  run_action(app, "redo");
  frames(3);
  EXPECT_EQ(app.answers.size(), 1U);
  EXPECT_EQ(app.inputs.temperature, 0.5);
}

TEST_F(LessonPlayerTest, takes_numbers_as_they_are_typed_and_says_why_not) {
  ASSERT_TRUE(play_lesson(app, write("own.md", asked)));
  frames(3);
  EXPECT_TRUE(hides_numbers(app));
  app.lesson.predicted[2] = "0.5.";
  predict_answer(app, 2);
  EXPECT_THAT(app.lesson.refused[2], HasSubstr("“0.5.” is not a number; expected one such as 0.25"));
  EXPECT_EQ(answer_given(app, 2), nullptr);
  app.lesson.predicted[2] = "１／４";
  predict_answer(app, 2);
  ASSERT_NE(answer_given(app, 2), nullptr);
  EXPECT_EQ(answer_given(app, 2)->number, 0.25);
  EXPECT_EQ(app.lesson.predicted[2], "0.25") << "as it was understood";
  EXPECT_THAT(app.lesson.refused, IsEmpty());
  EXPECT_FALSE(hides_numbers(app)) << "there is an answer";
}

TEST_F(LessonPlayerTest, an_answer_counts_in_the_lesson_and_in_a_course_that_has_its_step) {
  write("own.md", asked);
  const std::string course =
      write("two.course.md", "# C\nversion: 1\n## P\n- masks 1: 3 min\n- own.md: 1 min\n");
  ASSERT_TRUE(play_lesson(app, course));
  go_to_step(app, 1);
  frames(3);
  choose_answer(app, 1, {0, 2});
  ASSERT_TRUE(play_lesson(app, folder.at("own.md")));
  frames(3);
  EXPECT_EQ(question_answered(app, 1), true);
  choose_answer(app, 1, {0});
  ASSERT_TRUE(play_lesson(app, course));
  go_to_step(app, 1);
  frames(3);
  EXPECT_EQ(question_answered(app, 1), false);
  EXPECT_EQ(app.answers.size(), 1U);
}

TEST_F(LessonPlayerTest, greys_what_is_not_true_of_the_users_state) {
  ASSERT_TRUE(play_lesson(app, write("own.md", asked)));
  frames(3);
  const auto grey = [&] {
    std::string all;
    for_each_span(text_now(app, app.lesson.at().text).blocks,
                  [&](const TextSpan& span) { all += span.changed ? span.text : ""; });
    return all;
  };
  EXPECT_EQ(grey(), "");
  app.inputs.temperature = 2;
  EXPECT_EQ(grey(), "") << "not known yet";
  frames(3);
  EXPECT_EQ(grey(), " It is temperature now. changed");
  run_action(app, "lesson return");
  frames(3);
  EXPECT_EQ(grey(), "");
  app.inputs.sentence = "x y z w";
  frames(3);
  EXPECT_EQ(grey(), "c gives b weight(\"c\", \"b\"). changed");
}

TEST_F(LessonPlayerTest, shows_answers_by_a_key_while_presenting) {
  ASSERT_TRUE(play_lesson(app, write("own.md", asked)));
  frames(3);
  run_action(app, "present");
  frames(2);
  press(Key::a);
  EXPECT_EQ(app.lesson.answers_shown.size(), 3U);
  EXPECT_TRUE(app.presentation.text);
  EXPECT_NE(number(), "?");
  press(Key::a);
  EXPECT_THAT(app.lesson.answers_shown, IsEmpty());
}

TEST_F(LessonPlayerTest, those_that_come_along_are_in_the_menu_by_their_titles) {
  const Translator zh(Language::zh);
  for (const BuiltInLesson& row : built_in_lessons()) {
    const Action* action = find_action(app, "lesson " + row.name);
    ASSERT_NE(action, nullptr);
    action->run(app);
    ASSERT_TRUE(app.lesson.playing()) << row.name;
    EXPECT_EQ(app.lesson.lesson->title[Language::en], action->text);
    EXPECT_EQ(app.lesson.lesson->title[Language::zh], text_of(*action, zh));
    for (int i = 0; i <= app.lesson.last(); ++i) {
      go_to_step(app, i);
      wait_until_idle();
      EXPECT_FALSE(app.runners.a.error()) << row.name << " " << i + 1;
      EXPECT_FALSE(is_free_play(app)) << row.name << " " << i + 1;
      for (const auto& text : app.lesson.at().text.each)
        for_each_span(text.blocks, [&](const TextSpan& span) {
          if (span.value.empty()) return;
          EXPECT_THAT(lesson_number(app, span), Not(AnyOf("–", "…"))) << span.text;
        });
    }
  }
  EXPECT_EQ(app.session(), Session{});
}

}  // namespace headscope::tests

#include <filesystem>
#include <fstream>

#include "core/io/file.h"
#include "core/teach/causal_words.h"
#include "core/teach/changed_text.h"
#include "core/teach/check.h"
#include "core/teach/handout.h"
#include "core/teach/library.h"
#include "core/teach/mark.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

// Questions of lessons and how answers are marked; marks of sentences about causes; texts of a state that a
// reader has changed.

namespace headscope::tests {

std::vector<std::string> texts(const std::vector<LessonMistake>& mistakes) {
  std::vector<std::string> all;
  for (const LessonMistake& mistake : mistakes) all.push_back(in_file(mistake, "F").what());
  return all;
}

std::string with_step(const std::string& step) {
  return "# T\n## S\n```state\n{\"sentence\": \"a b c d\", \"d_model\": 8, \"heads\": 2,\n"
         " \"cell\": {\"head\": 0, \"query\": 2, \"key\": 1}}\n```\n" +
         step;
}

const std::string three_kinds = with_step(
    "### English\nIts weight is {weight(2, 1):.3f}, of 4.\n"
    "```question\nen: Cool it.\ncheck: temperature < 1\nsolution: {\"temperature\": 0.5}\n```\n"
    "```question\nen: Which?\n- [weight(2, 0) > weight(2, 1)] *a* | 甲\n- [weight(2, 0) <= weight(2, 1)] b\n"
    "- [ ] none\nanswer-en: The larger.\n```\n"
    "```question\nen: How much?\nnumber: weight( 2, 1 ) ± 0.01\nanswer-en: {weight(2, 1):.3f}.\n```\n");

TEST(Questions, are_of_three_kinds) {
  const ReadLesson read = read_lesson(three_kinds, "F");
  EXPECT_THAT(texts(read.mistakes), IsEmpty());
  const LessonStep& step = read.lesson.steps.front();
  ASSERT_EQ(step.questions.size(), 3U);
  EXPECT_EQ(step.questions[0].solution->inputs.temperature, 0.5);
  ASSERT_EQ(step.questions[1].choices.size(), 3U);
  EXPECT_EQ(plain_text(step.questions[1].choices[0].text.in(Language::zh)), "甲\n");
  EXPECT_EQ(step.questions[2].number->within.text(), "0.01");
  EXPECT_TRUE(is_asked(step, Expression("weight(2, 1)")));
  EXPECT_FALSE(is_asked(step, Expression("weight(1, 2)")));
  Engine engine(1);
  EXPECT_THAT(texts(check_lesson(read.lesson, engine)), IsEmpty());
}

TEST(Questions, that_cannot_be_answered_are_reported) {
  const std::pair<const char*, const char*> cases[] = {
      {"number: 1", "F: line 9: 1 has no ±"},
      {"number: 1 = 1 ± 2", "F: line 9: 1 = 1 is a comparison"},
      {"number: foo ± 1", "F: line 9: foo is not a measure"},
      {"number: 1 ± 0 - 1", "F: line 9: 0 - 1 is negative"},
      {"number: 1 ± 1\ncheck: 1 = 1", "F: line 7: the question is of two kinds"},
      {"- [x] a\n- [x] b", "F: line 7: 2 of 2 choices are right"},
      {"- [ ] a\n- [ ] b", "F: line 7: 0 of 2 choices are right"},
      {"- [heads = 2] a\n- [heads = 2] b", "F: line 7: 2 of 2 choices are right"},
      {"- [x] a", "F: line 7: there are 1 choices; expected 2 to 20"},
      {"- [x]\n- [ ] b\n- [x] c", "F: line 9: a choice is x]"},
      {"- [2] a\n- [ ] b", "F: line 9: 2 is a number; expected a comparison"},
      {"check: 1 = 1", "F: line 9: check: is not tried; expected solution:"},
      {"- [weight(9, 9) > 0] a\n- [ ] b\n- [x] c", "F: line 9: "},
  };
  for (const auto& [lines, complaint] : cases) {
    SCOPED_TRACE(lines);
    const ReadLesson read =
        read_lesson(with_step("```question\nen: ?\n" + std::string(lines) + "\n```\n### English\nt\n"), "F");
    Engine engine(1);
    std::vector<std::string> found = texts(read.mistakes);
    for (const std::string& one : texts(check_lesson(read.lesson, engine))) found.push_back(one);
    EXPECT_THAT(found, Contains(testing::StartsWith(complaint)));
    if (std::string_view(lines).starts_with("- [")) EXPECT_EQ(found.size(), 1U) << "one mistake for one";
  }
}

TEST(Questions, have_boxes_and_a_gap_on_paper_and_what_is_right_with_the_answers) {
  Engine engine(1);
  const Lesson lesson = read_lesson(three_kinds, "F").lesson;
  const Handout handout = make_handout(lesson, "F", Language::en, engine);
  ASSERT_EQ(handout.steps.front().questions.size(), 3U);
  EXPECT_EQ(handout.steps.front().questions[2].number, 3);
  const std::string html = handout_html(handout, Paper::a4);
  EXPECT_THAT(html, HasSubstr("Its weight is ______, of 4."));
  const std::size_t answers = html.find("Answers");
  ASSERT_NE(answers, std::string::npos);
  const std::string asked = html.substr(0, answers), answered = html.substr(answers);
  EXPECT_THAT(asked, HasSubstr("<li>○ <em>a</em>"));
  EXPECT_EQ(asked.find("●"), std::string::npos);
  const double weight = Expression("weight(2, 1)")
                            .evaluate(lesson_numbers(engine.run(lesson.steps.front().session.inputs), nullptr,
                                                     {}, Cell{0, 2, 1}));
  EXPECT_EQ(asked.find(fmt::format("{:.3f}.", weight)), std::string::npos);
  EXPECT_THAT(answered, HasSubstr("●"));
  EXPECT_THAT(answered, HasSubstr(fmt::format("{:.3f}.", weight)));
}

class Marking : public testing::Test {
 protected:
  static LessonAnswer answer(int question) { return {"own.md", 0, question}; }
  static LessonAnswer state(const std::string& fields) {
    LessonAnswer given = answer(0);
    given.state =
        Bookmark{"S", inputs_of("\"sentence\": \"a b c d\", \"d_model\": 8, \"heads\": 2" + fields), {}, {}};
    return given;
  }
  void hand_in(const std::string& name, const std::vector<LessonAnswer>& answers) const {
    Session session;
    session.answers = answers;
    save_session(folder.at(name), session);
  }
  Marks mark() {
    const Lesson lesson = read_lesson(three_kinds, "own.md").lesson;
    return mark_sessions(lesson, "own.md", folder.path.string(), Language::en, engine);
  }
  static std::string row(const Marks& marks, const std::string& session, std::size_t question) {
    for (const Marked& row : marks.rows)
      if (row.session == session && row.question == question)
        return row.error ? row.error->what() : !row.right ? "none" : *row.right ? "yes" : "no";
    return "missing";
  }

  TempFolder folder;
  Engine engine{1};
};

TEST_F(Marking, computes_each_answer_anew) {
  const Lesson lesson = read_lesson(three_kinds, "own.md").lesson;
  const auto trace = engine.run(lesson.steps.front().session.inputs);
  const auto& maps = *trace->blocks.front().maps;
  const double weight = maps.weight(0, 0, 2, 1);
  LessonAnswer choice = answer(1), number = answer(2);
  choice.choices = {maps.weight(0, 0, 2, 0) > weight ? 0 : 1};
  number.number = weight + 0.009;
  hand_in("good.json", {state(", \"temperature\": 0.5"), choice, number});
  choice.choices.insert(2);
  number.number = weight + 0.011;
  hand_in("wrong.json", {state(", \"temperature\": 2"), choice, number});
  hand_in("nothing.json", {});
  std::ofstream(folder.at("broken.json")) << "{\"version\": 1, \"heads\": 3";
  std::ofstream(folder.at("notes.txt")) << "no session";
  const Marks marks = mark();
  EXPECT_EQ(marks.sessions, 3U);
  ASSERT_EQ(marks.questions.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(row(marks, "good.json", i), "yes") << i;
    EXPECT_EQ(row(marks, "wrong.json", i), "no") << i;
    EXPECT_EQ(row(marks, "nothing.json", i), "none") << i;
    EXPECT_EQ(marks.questions[i].answered, 2U);
    EXPECT_EQ(marks.questions[i].right, 1U);
  }
  EXPECT_EQ(marks.rows.size(), 10U);
  const std::string csv = marks_csv(marks, Translator(Language::en));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 11);
  EXPECT_THAT(csv, HasSubstr("\ngood.json,1,1,Cool it.,S,yes,1,\n"));
  EXPECT_THAT(csv, HasSubstr("\nbroken.json,,,,,,,"));
}

TEST_F(Marking, does_not_run_what_asks_for_more_than_the_lesson) {
  const std::pair<const char*, const char*> cases[] = {
      {", \"d_model\": 4096, \"temperature\": 0.5", "d_model takes 4096; the lesson allows 8: not run"},
      {", \"heads\": 4, \"temperature\": 0.5", "heads takes 4; the lesson allows 2"},
      {", \"layers\": 12, \"temperature\": 0.5", "layers takes 12; the lesson allows 1"},
      {", \"model\": \"translator\"", "model is translator, which the lesson does not use; not run"},
      {", \"model\": \"/tmp/other\"", "model is other, which"},
      {", \"capture\": \"x.npz\"", "capture is x.npz, which"},
      {", \"mask\": [\"file:/etc/passwd\"]", "mask is passwd, which"},
  };
  int number = 0;
  for (const auto& [fields, complaint] : cases) {
    const std::string name = fmt::format("{}.json", ++number);
    std::string text = to_json(Session{});
    const std::string given = fields;
    nlohmann::json json = nlohmann::json::parse(text);
    nlohmann::json inputs = nlohmann::json::parse("{\"sentence\": \"a b c d\"" + given + "}");
    if (!inputs.contains("d_model")) inputs["d_model"] = 8;
    if (!inputs.contains("heads")) inputs["heads"] = 2;
    json["answers"] = {{{"lesson", "own.md"}, {"state", {{"name", "S"}, {"inputs", inputs}}}}};
    std::ofstream(folder.at(name)) << json.dump();
  }
  Inputs longer = inputs_of("\"d_model\": 8, \"heads\": 2");
  longer.sentence = sentence_of(20);
  LessonAnswer given = answer(0);
  given.state = Bookmark{"S", longer, {}, {}};
  hand_in("long.json", {given});
  const Marks marks = mark();
  number = 0;
  for (const auto& [fields, complaint] : cases)
    EXPECT_THAT(row(marks, fmt::format("{}.json", ++number), 0), HasSubstr(complaint));
  EXPECT_THAT(row(marks, "long.json", 0), HasSubstr("(characters: 70, at most 28): not run"));
  EXPECT_EQ(marks.questions.front().failed, std::size(cases) + 1);
}

TEST_F(Marking, takes_answers_from_the_lesson_where_a_course_has_its_step) {
  write_file(folder.at("own.md"), three_kinds);
  write_file(folder.at("two.course.md"), "# C\nversion: 1\n## P\n- masks 1: 3 min\n- own.md: 1 min\n");
  LessonAnswer first = state(", \"temperature\": 0.5");
  hand_in("a.json", {first});
  const std::string path = folder.at("two.course.md");
  const Marks marks =
      mark_sessions(open_lesson(path).lesson, path, folder.path.string(), Language::en, engine);
  ASSERT_EQ(marks.questions.size(), 5U);
  EXPECT_EQ(row(marks, "a.json", 2), "yes");
  EXPECT_EQ(row(marks, "a.json", 3), "none");
}

TEST_F(Marking, needs_sessions_and_questions) {
  EXPECT_THAT(complaint([&] { mark(); }), HasSubstr("has no session; expected files .json or .headscope"));
  hand_in("a.json", {});
  const Lesson lesson = read_lesson(with_step("### English\nt\n"), "own.md").lesson;
  EXPECT_THAT(complaint([&] { mark_sessions(lesson, "own.md", folder.path.string(), Language::en, engine); }),
              HasSubstr("own.md has no question that can be checked"));
}

TEST(Answers, are_numbers_as_people_type_them) {
  const std::pair<const char*, double> cases[] = {{"0.5", 0.5},
                                                  {" 1,5 ", 1.5},
                                                  {"１．５", 1.5},
                                                  {"１，５", 1.5},
                                                  {"1/2", 0.5},
                                                  {"３／４", 0.75},
                                                  {"25%", 0.25},
                                                  {"２５％", 0.25},
                                                  {"−3", -3},
                                                  {"–0,25", -0.25},
                                                  {"+2", 2},
                                                  {"1,050,624", 1050624},
                                                  {"1 050 624", 1050624},
                                                  {"12,345.6", 12345.6},
                                                  {"0,125", 0.125},
                                                  {".5", 0.5},
                                                  {"1e-3", 0.001},
                                                  {"1050", 1050},
                                                  {"1,050", 1050},
                                                  {"0。5", 0.5}};
  for (const auto& [typed, number] : cases) EXPECT_DOUBLE_EQ(read_answer(typed), number) << typed;
  for (const char* typed : {"0.5.", "half", "1,2,3", "1//2", "1/0", "", "%", "1.234,5", "nan", "inf", "0.5x",
                            "二分之一", "weight(0, 1)", "1/2/3"})
    EXPECT_THAT(complaint([&] { read_answer(typed); }), HasSubstr("is not a number; expected one such as"))
        << typed;
}

TEST(Answers, to_one_question_are_one) {
  EXPECT_THAT(
      complaint([] {
        session_from_json(R"({"version": 1, "answers": [{"lesson": "a"}, {"lesson": "b"}, {"lesson": "a"}]})",
                          "t");
      }),
      HasSubstr("t: answers[2] answers a question that another one answers; expected one answer to each"));
}

TEST(Answers, come_back_from_a_session_as_they_were) {
  Session session;
  session.answers = {LessonAnswer{"masks", 2, 1, {0, 3}, {}, {}, 3}, LessonAnswer{"own.md", 0, 0, {}, -0.25}};
  session.answers.emplace_back(LessonAnswer{"own.md", 1, 0}).state =
      Bookmark{"One", inputs_of("\"heads\": 4"), {}, Inputs{}, Cell{1, 2, 3}};
  for (const bool indent : {false, true})
    EXPECT_EQ(session_from_json(to_json(session, indent), "t"), session);
  EXPECT_EQ(to_json(Session{}).find("answers"), std::string::npos);
  EXPECT_THAT(complaint([] { session_from_json(R"({"version": 1, "answers": [{"step": -1}]})", "t"); }),
              HasSubstr("t: answers[0].step is -1; expected a whole number from 0"));
}

const std::string causes =
    "### English\nHead 1 carries it, because *need* needs “need”. Need it? It need not.\n";

TEST(Causes, are_found_by_words_in_both_languages_but_not_in_tokens_and_questions) {
  const auto words = [](const std::string& markdown, Language language) {
    Budget budget("test", 0);
    std::vector<LessonMistake> mistakes;
    LessonText text = lesson_text(markdown, 1, budget, mistakes);
    std::string found;
    for (const Sentence& sentence : divide_sentences(text)) {
      for (const std::string& word : causal_words(sentence, language)) found += word + " ";
      found += "/ ";
    }
    return found;
  };
  EXPECT_EQ(
      words("It carried *because* and `needs`. Because! Who decides? It need not, \"needs\".", Language::en),
      "carried / because / / / ");
  EXPECT_EQ(words("Needles are because-free undecided.", Language::en), "because / ");
  EXPECT_EQ(words("“因为”之后，它取决于输入。因为如此，由它决定！需要吗？", Language::zh),
            "/ 因为 决定 / / ");
  EXPECT_EQ(words("| a | b |\n|---|---|\n| it | decides |", Language::en), "/ decides / ");
}

TEST(Causes, are_marked_with_an_experiment_or_as_something_else) {
  const auto mistakes = [](const std::string& claims, const std::string& text = causes) {
    const ReadLesson read = read_lesson(with_step(text + "```claims\n" + claims + "\n```\n"), "F");
    std::vector<std::string> all = texts(read.mistakes);
    for (const std::string& flaw : texts(read.lesson.flaws)) all.push_back(flaw);
    return all;
  };
  EXPECT_THAT(mistakes("row_sum = 1"), IsEmpty()) << "a lesson without marks";
  EXPECT_THAT(mistakes("> by definition: Head 1 carries\nrow_sum = 1"), IsEmpty());
  EXPECT_THAT(
      mistakes("> by definition: It need not"),
      ElementsAre(HasSubstr("F: line 2: “because” is in a sentence that no claim marks (Head 1 carries")));
  const char* none = "F: line 10: no claim behind because: tries a change";
  EXPECT_THAT(mistakes("> because: Head 1 carries\nrow_sum = 1\nweight(0, 0, side=\"b\") > 0"),
              ElementsAre(HasSubstr(none)));
  EXPECT_THAT(mistakes("> because: Head 1 carries\nwith {\"seed\": 3}\nrow_sum = 1"),
              ElementsAre(HasSubstr(none)));
  EXPECT_THAT(
      mistakes("> because: Head 1 carries\n> It need not\nwith {\"heads_off\": \"0.1\"}\nrow_sum = 1"),
      ElementsAre(HasSubstr(none)));
  EXPECT_THAT(mistakes("> because: Head 1 carries\nwith {\"heads_off\": \"0.1\"}\nrow_sum = 1"), IsEmpty());
  EXPECT_THAT(mistakes("> because: Head 1 carries\nwith {\"compare\": {\"temperature\": 2}}\n"
                       "weight(0, 0, side=\"b\") > 0"),
              IsEmpty());
  EXPECT_THAT(mistakes("> because: Head 1 carries\nknock_out(\"a\", 1) < 0"), IsEmpty());
  EXPECT_THAT(mistakes("> because: Head 9\nwith {\"temperature\": 2}\nrow_sum = 1"),
              Contains(HasSubstr("the step's text does not have “Head 9”")));
}

class ChangedText : public testing::Test {
 protected:
  /// The sentences that are marked, in brackets.
  std::string changed(const std::string& text, const std::string& claims, const Inputs& now,
                      const Cell& cell = {0, 2, 1}) {
    const Lesson lesson =
        read_lesson(with_step("### English\n" + text + "\n```claims\n" + claims + "\n```\n"), "F").lesson;
    const LessonStep& step = lesson.steps.front();
    LessonNumbers numbers = lesson_numbers(engine.run(now), nullptr, step.session.view, cell);
    numbers.set_given(std::make_shared<const LessonNumbers>(
        lesson_numbers(engine.run(step.session.inputs), nullptr, step.session.view, step.cell)));
    std::string all;
    bool inside = false;
    const LessonText shown = with_changes(step.text[Language::en], Language::en, step, numbers, "changed");
    for_each_span(shown.blocks, [&](const TextSpan& span) {
      if (span.changed != inside) all += span.changed ? "[" : "]";
      inside = span.changed;
      if (span.link == way_back)
        all += "^";
      else if (span.kind == TextSpan::Kind::number)
        all += "#";
      else
        all += span.text;
    });
    return inside ? all + "]" : all;
  }
  static Inputs own(const std::string& fields = "") {
    return inputs_of("\"sentence\": \"a b c d\", \"d_model\": 8, \"heads\": 2" + fields);
  }
  Engine engine{1};
};

TEST_F(ChangedText, greys_a_sentence_whose_claim_is_false_now) {
  const std::string text = "It is cold. It is {temperature}, of {heads}.",
                    claims = "> It is cold\ntemperature <= 1";
  EXPECT_EQ(changed(text, claims, own()), "It is cold. It is #, of #.");
  EXPECT_EQ(changed(text, claims, own(", \"temperature\": 0.5")), "It is cold. It is #, of #.");
  EXPECT_EQ(changed(text, claims, own(", \"temperature\": 2")), "[It is cold. ^] It is #, of #.");
  EXPECT_EQ(changed("It is.", "> It is\nwith {\"seed\": 2}\ntemperature = 1", own(", \"temperature\": 2")),
            "It is.")
      << "not about this state";
}

TEST_F(ChangedText, tries_a_claim_of_the_locked_cell_at_the_words_that_the_sentence_names) {
  const std::string claims = "> weight\nweight = weight(\"c\", \"b\")";
  const Cell other{0, 3, 0};
  EXPECT_EQ(changed("The weight of *c* and *b*. A weight of this cell.", claims, own(), other),
            "The weight of c and b.[ A weight of this cell. ^]");
  EXPECT_EQ(changed("Its weight is {weight(\"c\", \"b\")}.", claims, own(), other), "Its weight is #.")
      << "the number names them";
  Inputs moved = own();
  moved.sentence = "a c b d";
  EXPECT_EQ(changed("The weight of *c* and *b*.", claims, moved, {0, 2, 1}), "The weight of c and b.")
      << "wherever they are now";
  EXPECT_EQ(changed("The weight of *c* and *b*.", "> weight\nweight < 0.0001", own(), other),
            "[The weight of c and b. ^]");
}

TEST_F(ChangedText, greys_a_number_of_another_cell_than_the_named_one) {
  const std::string claims = "row_sum = 1";
  const Cell other{0, 3, 0};
  EXPECT_EQ(changed("*c* gives *b* {weight}.", claims, own(), other), "[c gives b #. ^]");

  EXPECT_EQ(changed("*c* gives *b* {weight(\"c\", \"b\")}.", claims, own(), other), "c gives b #.");
  EXPECT_EQ(changed("This cell has {weight}.", claims, own(), other), "This cell has #.");
  EXPECT_EQ(changed("Head 1 has {max_weight(2)}.", claims, own(), {1, 2, 1}), "[Head 1 has #. ^]");
}

TEST_F(ChangedText, greys_words_that_are_gone) {
  Inputs now = own();
  now.sentence = "a b x y";
  EXPECT_EQ(changed("*a* and “b”. The *c* is last. No word.", "row_sum = 1", now),
            "a and “b”.[ The c is last. ^] No word.");
  EXPECT_EQ(changed("It has {weight(\"c\", \"b\")}.", "row_sum = 1", now), "[It has #. ^]");
}

}  // namespace headscope::tests

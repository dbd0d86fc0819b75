#include "core/io/file.h"
#include "core/source/engine/engine.h"
#include "core/teach/check.h"
#include "core/teach/course.h"
#include "core/teach/library.h"
#include "core/teach/step_pictures.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

ReadLesson read_course_at(std::string_view markdown, const std::string& path) {
  return read_course(markdown, path, lessons_beside(path));
}

std::vector<std::string> complaints(std::string_view markdown) {
  std::vector<std::string> texts;
  for (const LessonMistake& mistake : read_course_at(markdown, "F").mistakes)
    texts.push_back(in_file(mistake, "F").what());
  return texts;
}

const std::string head = "# A | 甲\nversion: 1\n## Part | 部分\n";

}  // namespace

TEST(Course, is_a_lesson_made_of_the_steps_of_others) {
  const TempFolder folder;
  write_file((folder.path / "own.md").string(),
             "# Own | 自编\n## One | 一\n## Two | 二\n```state\n{\"temperature\": 3}\n```\n");
  const ReadLesson read = read_course_at(
      "# A | 甲\nversion: 1\n### English\nWhat *for*.\n- a list\n\n## Part | 部分\n### 中文\n两人一组。\n- "
      "masks 2, 4–5: 9 min\n"
      "## Rest\r\n- [mine](own.md) 2 : 2.5 min\r\n* own.md: 1 min\n",
      (folder.path / "two.course.md").string());
  ASSERT_TRUE(read.mistakes.empty()) << in_file(read.mistakes.front(), "F").what();
  const Lesson& course = read.lesson;
  EXPECT_EQ(course.title[Language::zh], "甲");
  EXPECT_EQ(plain_text(course.text[Language::en]), "What for.\na list\n\n");
  ASSERT_EQ(course.parts.size(), 2U);
  EXPECT_EQ(plain_text(course.parts[0].text[Language::zh]), "两人一组。\n");
  EXPECT_EQ(course.parts[1].title[Language::zh], "Rest");
  ASSERT_EQ(course.steps.size(), 6U);
  const Lesson masks = open_lesson("masks").lesson;
  for (const auto& [step, number] : {std::pair{0, 2}, {1, 4}, {2, 5}}) {
    const LessonStep& taken = course.steps[static_cast<std::size_t>(step)];
    EXPECT_EQ(taken.session, masks.steps[static_cast<std::size_t>(number - 1)].session);
    EXPECT_EQ(std::tuple(taken.lesson_name, taken.lesson_step, taken.minutes),
              std::tuple("masks", number, 3.0));
    EXPECT_EQ(taken.line, 10) << "mistakes are reported at the course's line";
    for (const LessonClaim& claim : taken.claims) EXPECT_EQ(claim.line, 10);
  }
  EXPECT_EQ(course.steps[3].session.inputs.temperature, 3);
  EXPECT_EQ(course.steps[3].lesson[Language::zh], "自编");
  EXPECT_EQ(part_of(course, 2), 0U);
  EXPECT_EQ(part_of(course, 3), 1U);
  EXPECT_EQ(minutes_of(course, steps_of(course, 1)), 3.5);
  EXPECT_EQ(minutes_text(3.5) + " " + minutes_text(9) + " " + minutes_text(8.0 / 3), "3.5 9 3");
}

TEST(Course, reports_what_is_wrong_with_its_line) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "F: line 1: there is no title; expected a line # Title | 标题"},
      {"# A\n## P\n- masks 1: 1 min\n", "F: line 1: there is no version; expected a line version: 1"},
      {"# A\nversion: 2\n", "F: line 2: version is 2; expected 1"},
      {"# A\nversion: 1\n",
       "F: line 2: there is no step; expected a line such as - why-many-heads 1–3: 8 min"},
      {head + "- masks 1–30: 1 min\n",
       "F: line 4: steps 1 to 30 of masks do not exist; expected those from 1 to 10"},
      {head + "- masks 0: 1 min\n",
       "F: line 4: steps 0 to 0 of masks do not exist; expected those from 1 to 10"},
      {head + "- masks 3-1: 1 min\n",
       "F: line 4: steps 3 to 1 of masks do not exist; expected those from 1 to 10"},
      {head + "- masks 1-99999999999: 1 min\n",
       "F: line 4: 99999999999 is too large; expected a smaller number"},
      {head + "- masks 1: 1e999 min\n", "F: line 4: 1e999 is too large"},
      {"# A\nversion: 99999999999\n", "F: line 2: 99999999999 is too large"},
      {"# " + std::string(3'000'000, 'a') + "\nversion: 1\n",
       "F: line 1: the title has 3000000 bytes; expected at most 1000"},
      {head + "- masks 1\n",
       "F: line 4: the line is - masks 1; expected one such as - why-many-heads 1–3: 8 min"},
      {head + "- masks 1, : 3 min\n", "F: line 4: the line is - masks 1, : 3 min; expected one such as"},
      {head + "- masks 1: 3\n", "F: line 4: the line is - masks 1: 3; expected one such as"},
      {head + "- masks 1: 0 min\n", "F: line 4: the minutes are 0; expected more than 0 and at most 600"},
      {head + "- masks 1: nan min\n", "F: line 4: the minutes are nan; expected more than 0 and at most 600"},
      {head + "- mosks 1: 3 min\n",
       "F: line 4: mosks is not a lesson; expected a file (.md) or one of: why-many-heads"},
      {head + "- lecture: 3 min\n", "F: line 4: lecture is a course; expected a lesson"},
      {head + "- other.course.md: 3 min\n", "F: line 4: other.course.md is a course; expected a lesson"},
      {head + "- none.md: 3 min\n", "F: line 4: none.md"},
      {head + "some words\n", "F: line 4: there is text outside of a language; expected a line such as"},
      {head + "### Deutsch\n", "F: line 4: there is a heading ### Deutsch; expected ### English or ### 中文"},
      {head + "### English\nIt is {weight}.\n",
       "F: line 5: {weight} is a live number; expected it in a lesson's step"},
      {head + "# B\n", "F: line 4: there is a second title; expected one line # at the top"},
      {head + "##  \n", "F: line 4: the title is empty; expected English | 中文, or one of them"},
  };
  for (const auto& [markdown, expected] : cases)
    EXPECT_THAT(complaints(markdown), testing::Contains(testing::StartsWith(expected))) << markdown;
}

TEST(Course, has_bounds) {
  std::string many = head;
  for (int i = 0; i < 60; ++i) many += "- masks: 1 min\n";
  EXPECT_THAT(complaints(many),
              testing::Contains("F: line 54: the course has more than 500 steps; expected fewer"));
  EXPECT_THROW(read_course_at("# A\n\xff", "F"), Error);
}

TEST(Course, of_a_lesson_with_a_mistake_names_both_lines) {
  const TempFolder folder;
  write_file((folder.path / "own.md").string(), "# Own\n## One\n```state\n{\"temprature\": 3}\n```\n");
  const ReadLesson read =
      read_course_at(head + "- own.md 1: 1 min\n", (folder.path / "a.course.md").string());
  ASSERT_EQ(read.mistakes.size(), 1U);
  EXPECT_THAT(in_file(read.mistakes[0], "F").what(),
              testing::StartsWith("F: line 4: own.md: line 4: temprature is not a field of a state"));
}

TEST(Course, of_ninety_minutes_has_these_steps) {
  const ReadLesson read = open_lesson("lecture");
  ASSERT_TRUE(read.mistakes.empty()) << in_file(read.mistakes.front(), "lecture").what();
  EXPECT_EQ(read.lesson.steps.size(), 25U);
  EXPECT_NEAR(minutes_of(read.lesson, all_steps(read.lesson)), 90, 1e-9);
  std::vector<std::string> titles;
  for (const LessonStep& step : read.lesson.steps) titles.push_back(step.title[Language::en]);
  EXPECT_THAT(titles,
              testing::ElementsAre("q·k and the scale", "Softmax", "The weighted values", "The output",
                                   "One head, one map", "A row adds up to 1", "Eight heads, eight maps",
                                   "Random heads show nothing", "Concatenation and output projection",
                                   "view cuts the columns", "transpose brings the heads forward",
                                   "Sums grow with their length", "Saturation: why that is bad for learning",
                                   "Your turn", "The causal mask", "Blocked before softmax", "Your turn",
                                   "Order is invisible", "Sinusoidal: added to X", "Who asks, who answers",
                                   "The cross half has no causal mask", "The induction head",
                                   "Without the induction head", "Does anybody need it?", "What it proves"));
  const Lesson weeks = open_lesson("three-weeks").lesson;
  for (std::size_t part = 0; part < weeks.parts.size(); ++part)
    EXPECT_NEAR(minutes_of(weeks, steps_of(weeks, part)), 90, 1e-9) << part;
  for (const BuiltInLesson& lesson : built_in_lessons())
    if (!lesson.course)
      EXPECT_TRUE(std::ranges::any_of(weeks.steps, [&](const LessonStep& step) {
        return step.lesson_name == lesson.name;
      })) << lesson.name;
}

// Each lesson has a budget of its own: together they may take more than one of them.
TEST(Course, is_checked_as_its_lessons_are) {
  const ReadLesson read = read_course_at(head + "- cost 1: 1 min\n- masks 2: 1 min\n", "F");
  Engine engine(2);
  EXPECT_TRUE(check_lesson(read.lesson, engine).empty());
  Lesson wrong = read.lesson;
  wrong.steps[1].claims.push_back({7, Expression("row_sum > 2")});
  ASSERT_EQ(check_lesson(wrong, engine).size(), 1U);
}

TEST(Course, shows_small_pictures_of_its_steps) {
  Lesson course = read_course_at(head + "- masks 1–2: 1 min\n", "F").lesson;
  course.steps.push_back(course.steps.back());
  course.steps.back().session.inputs.model = "/no/such/folder";
  Engine engine(2);
  std::vector<std::ptrdiff_t> drawn;
  const StepPicturesLook look{Language::zh, Theme::dark, 120, 80};
  const StepPictures pictures = step_pictures(course, look, engine, {}, [&](const StepPictures& so_far) {
    drawn.push_back(std::ranges::count_if(so_far, [](const auto& one) { return one != nullptr; }));
  });
  EXPECT_EQ(drawn, (std::vector<std::ptrdiff_t>{1, 2, 2}));
  for (int i = 0; i < 2; ++i) {
    ASSERT_NE(pictures[static_cast<std::size_t>(i)], nullptr);
    EXPECT_EQ(std::pair(pictures[static_cast<std::size_t>(i)]->width,
                        pictures[static_cast<std::size_t>(i)]->height),
              std::pair(120, 80));
  }
  EXPECT_EQ(pictures[2], nullptr);
}

}  // namespace headscope::tests

#include <gmock/gmock.h>

#include "core/teach/course.h"
#include "core/teach/library.h"
#include "core/teach/presenter_page.h"
#include "tests/support/recording_canvas.h"

namespace headscope::tests {

constexpr int page_width = 1120, page_height = 720;
constexpr double page_em = 19;

/// The page of a step, as it is drawn.
struct DrawnPage {
  DrawnPage(const Lesson& lesson, int step, double em, Language language,
            std::set<std::pair<int, int>> right = {}) {
    PresenterPage page{lesson, {step, 0}, "14:05", "12 minutes"};
    page.right = std::move(right);
    draw_presenter_page(
        canvas, page, page_width, page_height, em, shaper,
        [](const TextSpan&) { return std::string("0.123"); }, Translator(language));
  }
  /// All of it, blanks left out.
  std::string text() const {
    std::string all;
    for (const std::string& one : canvas.texts) all += one;
    return all;
  }
  TextShaper shaper;
  RecordingCanvas canvas{shaper};
};

TEST(PresenterPage, has_notes_question_choices_answer_minutes_clock_and_the_next_step) {
  const Lesson course = open_lesson("lecture").lesson;
  const auto asks = [](const LessonStep& step) {
    return !step.questions.empty() && !step.questions.front().choices.empty();
  };
  const auto found = std::ranges::find_if(course.steps, asks);
  ASSERT_NE(found, course.steps.end());
  const auto step = static_cast<int>(found - course.steps.begin());
  const DrawnPage page(course, step, page_em, Language::en, {{0, 0}});
  EXPECT_THAT(page.canvas.texts, testing::IsSupersetOf({"14:05", "12 minutes", "Answer", "✓", "•"}));
  const std::string all = page.text();
  EXPECT_THAT(
      all, testing::HasSubstr(fmt::format("Step {} of 25 · {} min", step + 1, minutes_text(found->minutes))));
  EXPECT_THAT(all, testing::HasSubstr("planned until its end"));
  EXPECT_THAT(all, testing::HasSubstr("Next: " + (found + 1)->title[Language::en]));
}

TEST(PresenterPage, has_the_numbers_of_answers) {
  const Lesson lesson = open_lesson("temperature").lesson;
  const auto has_number = [](const LessonStep& step) {
    bool number = false;
    for (const LessonQuestion& question : step.questions)
      for_each_span(question.answer[Language::en].blocks,
                    [&](const TextSpan& span) { number |= span.kind == TextSpan::Kind::number; });
    return number;
  };
  const auto found = std::ranges::find_if(lesson.steps, has_number);
  ASSERT_NE(found, lesson.steps.end());
  const DrawnPage page(lesson, static_cast<int>(found - lesson.steps.begin()), page_em, Language::en);
  EXPECT_THAT(page.text(), testing::HasSubstr("0.123"));
}

TEST(PresenterPage, of_every_step_of_both_lectures_is_whole_and_can_be_read) {
  for (const char* name : {"lecture", "three-weeks"}) {
    const Lesson course = open_lesson(name).lesson;
    for (const Language language : {Language::en, Language::zh})
      for (int step = 0; step < std::ssize(course.steps); ++step) {
        SCOPED_TRACE(fmt::format("{} {}", name, step + 1));
        const DrawnPage page(course, step, page_em, language);
        const auto& fills = page.canvas.fills;
        const auto foot = std::ranges::find_if(
            fills.rbegin(), fills.rend(),
            [](const RecordingCanvas::Filled& fill) { return fill.rect.width == page_width; });
        const auto before_foot = static_cast<std::size_t>(fills.rend() - foot) - 1;
        EXPECT_GE(foot->rect.y, 0.5 * page_height);
        for (const RecordingCanvas::Written& text : page.canvas.written) {
          EXPECT_GE(text.box.x, 0) << text.where();
          EXPECT_LE(text.box.right(), page_width) << text.where();
          EXPECT_LE(text.box.bottom(), page_height) << text.where();
          if (text.fills <= before_foot) {
            EXPECT_LE(text.box.bottom(), foot->rect.y + 1) << "covered: " << text.where();
          }
        }
      }
  }
}

TEST(PresenterPage, has_larger_type_with_larger_text) {
  const Lesson lesson = open_lesson("why-many-heads").lesson;
  const auto size = [&](double em) {
    return DrawnPage(lesson, 0, em, Language::en).canvas.only("14:05").style.size;
  };
  EXPECT_GT(size(1.5 * page_em), 1.4 * size(page_em));
}

}  // namespace headscope::tests

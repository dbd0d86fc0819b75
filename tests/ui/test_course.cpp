#include "app/state/actions/actions.h"
#include "app/state/lesson/play_course.h"
#include "app/state/lesson/play_lesson.h"
#include "core/base/utf8.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class CourseWindow : public AppFixture {
 protected:
  CourseWindow() : CourseWindow({1600, 960}, 16) {}
  CourseWindow(ImVec2 size, float text) : AppFixture(size, text) {
    run_action(app, "lesson lecture");
    frames(5);
  }
  std::size_t shown() const {
    const auto course = app.settings.courses.find("lecture");
    return course == app.settings.courses.end() ? 0 : course->second.size();
  }
};

TEST_F(CourseWindow, opens_on_a_page_of_its_steps_and_notes_those_that_were_shown) {
  ASSERT_TRUE(app.dialogs.course.open);
  EXPECT_EQ(app.lesson.lesson->steps.size(), 25U);
  for (int step = 1; step <= 4; ++step) EXPECT_TRUE(shows("course step " + std::to_string(step)));
  EXPECT_TRUE(shows("course part 1") && shows("course progress"));
  EXPECT_EQ(shown(), 0U) << "nothing has been shown yet";
  press(Key::enter);
  frames(3);
  EXPECT_FALSE(app.dialogs.course.open);
  EXPECT_EQ(app.lesson.step, 0);
  EXPECT_EQ(shown(), 1U);
  for (int step = 1; step <= 4; ++step) {
    go_to_step(app, step);
    frames(3);
  }
  EXPECT_EQ(shown(), 5U);
  EXPECT_TRUE(app.settings.courses["lecture"].contains("why-many-heads 1"));
  EXPECT_TRUE(was_shown(app, 4) && !was_shown(app, 5));
  EXPECT_EQ(next_of_course(app), 5);
}

TEST_F(CourseWindow, a_click_on_a_step_goes_there) {
  click("course step 3");
  frames(3);
  EXPECT_FALSE(app.dialogs.course.open);
  EXPECT_EQ(app.lesson.step, 2);
  ASSERT_TRUE(shows("course page"));
  click("course page");
  frames(3);
  EXPECT_TRUE(app.dialogs.course.open);
  press(Key::escape);
  frames(2);
  EXPECT_FALSE(app.dialogs.course.open);
  EXPECT_EQ(app.lesson.step, 2) << "as it was";
  run_action(app, "lesson masks");
  frames(3);
  EXPECT_FALSE(shows("course page")) << "a lesson has no parts";
}

TEST_F(CourseWindow, its_page_begins_at_the_present_step_and_has_the_keys_of_text_size_and_presenting) {
  press(Key::enter);
  frames(3);
  go_to_step(app, 20);
  frames(3);
  run_action(app, "course page");
  frames(6);
  ASSERT_TRUE(shows("course step 21"));
  EXPECT_GE(place("course step 21")[1], 0);
  EXPECT_LE(place("course step 21")[3], 960);
  const TextSize before = app.settings.text_size;
  press(Key::equal, true);
  EXPECT_GT(app.settings.text_size, before);
  press(Key::minus, true);
  EXPECT_EQ(app.settings.text_size, before);
  press(Key::f11);
  frames(3);
  EXPECT_TRUE(app.presentation.on);
  EXPECT_FALSE(app.dialogs.course.open);
  EXPECT_EQ(app.lesson.step, 20);
}

TEST_F(CourseWindow, a_page_that_opens_with_the_course_frames_the_step_to_go_on_with) {
  for (int step = 1; step <= 9; ++step) {
    go_to_step(app, step - 1);
    app.dialogs.course.open = false;
    frames(2);
  }
  close_lesson(app);
  frames(2);
  run_action(app, "lesson lecture");
  frames(6);
  ASSERT_TRUE(app.dialogs.course.open);
  EXPECT_TRUE(app.dialogs.course.begins);
  EXPECT_EQ(next_of_course(app), 9);
  EXPECT_TRUE(shows("course step here 10"));
}

TEST_F(CourseWindow, draws_small_pictures_of_the_steps) {
  const StepPicturesLook look{Language::en, Theme::light, 60, 40};
  app.dialogs.course.pictures.leave();
  std::shared_ptr<const StepPictures> pictures;
  while (!pictures || pictures->back() == nullptr) {
    pictures = pictures_of_course(app, look);
    app.dialogs.course.pictures.wait();
  }
  EXPECT_EQ(std::ranges::count(*pictures, nullptr), 0);
}

TEST(CoursePage, fits_in_a_small_window_with_the_largest_text_in_both_languages) {
  struct Window : CourseWindow {
    Window() : CourseWindow({1280, 720}, 27) {}
    void TestBody() override {}
    using CourseWindow::app;
    using CourseWindow::frames;
    using CourseWindow::place;
  };
  Window window;
  for (const Language language : {Language::en, Language::zh}) {
    window.app.set_language(language);
    window.frames(4);
    for (const char* mark : {"course step 1", "course progress", "course begin"}) {
      const auto at = window.place(mark);
      EXPECT_LE(at[2], 1280) << mark;
      EXPECT_LE(at[3], 720) << mark;
    }
  }
}

}  // namespace headscope::tests

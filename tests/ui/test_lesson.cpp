#include "core/teach/library.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// A window in which the first lesson is played.
struct Played : AppFixture {
  Played(ImVec2 size, float text) : AppFixture(size, text) {
    run_action(app, "lesson why-many-heads");
    frames(4);
  }
  void TestBody() override {}
  using AppFixture::app;
  using AppFixture::frames;
  using AppFixture::place;
  using AppFixture::shows;
};

TEST(LessonPanel, shows_every_step_of_every_lesson_whole_in_width_at_all_sizes) {
  for (const auto& [size, text] :
       {std::pair{ImVec2{1600, 960}, 16.0F}, {{1280, 720}, 27.0F}, {{1000, 700}, 20.0F}})
    for (const Language language : {Language::en, Language::zh}) {
      Played window(size, text);
      window.app.set_language(language);
      for (const BuiltInLesson& lesson : built_in_lessons()) {
        run_action(window.app, std::string("lesson ") + lesson.name);
        for (int step = 0; step <= window.app.lesson.last(); ++step) {
          SCOPED_TRACE(fmt::format("{} {} at {} x {}, text {}", lesson.name, step + 1, size.x, size.y, text));
          go_to_step(window.app, step);
          window.frames(2);
          const auto panel = window.place("panel lesson");
          EXPECT_LE(panel[2], size.x + 1);
          EXPECT_GT(panel[2] - panel[0], 9 * text);
          for (const char* mark : {"lesson title", "lesson step", "lesson words", "lesson back",
                                   "lesson next", "lesson return", "lesson close"}) {
            if (mark == std::string("lesson words") && !window.shows(mark)) continue;  // below the others
            ASSERT_TRUE(window.shows(mark)) << mark;
            const auto at = window.place(mark);
            EXPECT_GE(at[0], panel[0]) << mark;
            EXPECT_LE(at[2], panel[2] + 1) << mark;
            EXPECT_LE(at[3], panel[3] + 1) << mark;
          }
          EXPECT_LT(window.place("lesson back")[2], window.place("lesson next")[0] + 1);
        }
      }
      EXPECT_GT(window.place("panel stage")[2] - window.place("panel stage")[0], 17 * text);
    }
}

class LessonWindow : public AppFixture {
 protected:
  LessonWindow() : AppFixture({1600, 960}, 16) {}
};

TEST_F(LessonWindow, is_gone_through_by_its_buttons_and_dots) {
  run_action(app, "lesson why-many-heads");
  frames(4);
  const auto next = place("lesson next");
  click("lesson next");
  EXPECT_EQ(app.lesson.step, 1);
  EXPECT_EQ(place("lesson next"), next) << "it stays under the pointer";
  click("lesson dot 4");
  EXPECT_EQ(app.lesson.step, 3);
  click("lesson back");
  EXPECT_EQ(app.lesson.step, 2);
  app.inputs.temperature = 3;
  frames(3);
  click("lesson return");
  EXPECT_FALSE(is_free_play(app));
  EXPECT_EQ(app.inputs.temperature, 1);
  go_to_step(app, app.lesson.last());
  frames(3);
  ASSERT_TRUE(shows("lesson not yet"));
  app.inputs.heads = 16;
  frames(3);
  EXPECT_TRUE(shows("lesson answered"));
  click("lesson close");
  EXPECT_FALSE(app.lesson.playing());
  EXPECT_FALSE(shows("panel lesson"));
}

TEST_F(LessonWindow, shows_what_is_wrong_with_a_step_and_with_the_file) {
  const TempFolder folder;
  const std::string path = folder.at("a.md");
  std::ofstream(path) << "# T\n## S\n```state\n{\"cell\": {\"head\": 99, \"query\": 0, \"key\": 0}}\n```\n";
  ASSERT_TRUE(play_lesson(app, path));
  frames(4);
  EXPECT_TRUE(shows("lesson claim"));
  fs::remove(path);
  EXPECT_TRUE(reload_lesson(app));
  frames(2);
  EXPECT_TRUE(shows("lesson mistake"));
}

TEST_F(LessonWindow, welcome_offers_a_sentence_and_a_lesson_until_it_is_closed) {
  EXPECT_FALSE(shows("welcome close"));
  app.settings.welcome = true;
  frames(3);
  click("welcome lesson");
  EXPECT_TRUE(app.lesson.playing());
  EXPECT_FALSE(app.settings.welcome);
  close_lesson(app);
  app.settings.welcome = true;
  frames(3);
  click("welcome sentence");
  EXPECT_EQ(app.state.panel, Panel::sentence);
  app.settings.welcome = true;
  frames(3);
  click("welcome close");
  EXPECT_FALSE(app.settings.welcome);
  EXPECT_FALSE(shows("welcome close"));
}

}  // namespace headscope::tests

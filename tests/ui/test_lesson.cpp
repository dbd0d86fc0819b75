#include <imgui_internal.h>

#include "app/state/lesson/play_lesson.h"
#include "core/teach/library.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// A window in which the first lesson is being played.
struct Played : AppFixture {
  Played(ImVec2 size, float text) : AppFixture(size, text) {
    run_action(app, "lesson why-many-heads");
    frames(4);
  }
  void TestBody() override {}
  using AppFixture::app;
  using AppFixture::click;
  using AppFixture::frames;
  using AppFixture::memory;
  using AppFixture::place;
  using AppFixture::press;
  using AppFixture::shows;
  using AppFixture::wait_until_idle;
};

TEST(LessonPanel, shows_every_step_of_every_lesson_whole_in_width_at_all_sizes) {
  for (const auto& [size, text] :
       {std::pair{ImVec2{1600, 960}, 16.0F}, {{1280, 720}, 27.0F}, {{1000, 700}, 20.0F}})
    for (const Language language : {Language::en, Language::zh}) {
      Played window(size, text);
      window.app.set_language(language);
      for (const BuiltInLesson& lesson : built_in_lessons()) {
        if (lesson.course) continue;  // of the same steps
        run_action(window.app, "lesson " + lesson.name);
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

/// ImGui windows that have a scroll bar.
std::vector<std::string> scrolling_windows() {
  std::vector<std::string> names;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && (window->ScrollbarX || window->ScrollbarY)) names.emplace_back(window->Name);
  return names;
}

TEST(LessonPanel, leaves_a_way_to_the_controls_and_to_the_rest_of_its_text_in_a_small_window) {
  Played window({1280, 720}, 27);
  const auto over = [&] { return window.shows("panel over view"); };
  run_action(window.app, "lesson temperature");
  go_to_step(window.app, window.app.lesson.last());
  window.frames(4);
  EXPECT_FALSE(window.shows("panel controls"));
  EXPECT_TRUE(window.shows("lesson controls")) << "tells the key";
  for (const Key key : {Key::f7, Key::escape}) {
    window.press(Key::f7);
    ASSERT_TRUE(over());
    EXPECT_LT(window.place("panel over view")[2], window.place("panel lesson")[0]);
    EXPECT_TRUE(window.shows("temperature"));
    ASSERT_TRUE(window.memory.locked);
    const auto over_view = window.place("panel over view");
    EXPECT_TRUE((*window.memory.locked)[1] <= over_view[0] || (*window.memory.locked)[0] >= over_view[2])
        << "the locked cell stays in sight";
    window.press(key);
    EXPECT_FALSE(over());
  }
  window.press(Key::f7);
  window.click("lesson back");
  EXPECT_FALSE(over()) << "who goes elsewhere leaves it";
  window.press(Key::i, true);
  EXPECT_TRUE(over()) << "the inspector too";
  window.press(Key::i, true);

  run_action(window.app, "lesson why-many-heads");
  window.frames(4);
  ASSERT_TRUE(window.app.lesson.text_below);
  const float top = window.place("lesson words")[1];
  window.press(Key::page_down);
  window.frames(2);
  EXPECT_EQ(window.app.lesson.step, 0);
  EXPECT_LT(window.place("lesson words")[1], top) << "the text first";
  for (int press = 0; press < 4 && window.app.lesson.step == 0; ++press) window.press(Key::page_down);
  EXPECT_EQ(window.app.lesson.step, 1);
  window.frames(3);
  EXPECT_FALSE(window.app.lesson.text_above) << "from its beginning";
  for (const std::string& name : scrolling_windows()) {
    EXPECT_THAT(name, testing::Not(testing::HasSubstr("lesson caption")));
    EXPECT_FALSE(name.find("right side") != std::string::npos &&
                 name.find('/', name.find("right side")) == std::string::npos)
        << name;
  }
}

TEST(LessonPanel, leaves_large_maps_at_the_largest_text_in_a_small_window) {
  Played window({1280, 720}, 27);
  const auto side = [&](const std::string& mark) {
    const auto map = window.place(mark);
    return std::min(map[2] - map[0], map[3] - map[1]);
  };
  go_to_step(window.app, 2);
  window.wait_until_idle();
  for (int head = 1; head <= 8; ++head) EXPECT_GE(side(fmt::format("map {}", head)), 120) << head;
  run_action(window.app, "lesson masks");
  go_to_step(window.app, 5);
  window.wait_until_idle();
  for (const int map : {0, 1, 2}) EXPECT_GE(side(fmt::format("compare map {}", map)), 150) << map;
}

TEST(LessonPanel, a_click_on_changed_shows_every_step_again_as_it_was) {
  Played window({1280, 720}, 19);
  int clicked = 0;
  for (const char* lesson : {"why-many-heads", "masks", "cross-attention", "temperature", "relations"}) {
    run_action(window.app, std::string("lesson ") + lesson);
    for (int step = 0; step <= window.app.lesson.last(); ++step) {
      SCOPED_TRACE(fmt::format("{} {}", lesson, step + 1));
      go_to_step(window.app, step);
      window.wait_until_idle();
      const Inputs own = window.app.inputs;
      window.app.inputs.sentence = "red birds sing near old trees";
      window.app.inputs.mask.clear();
      window.wait_until_idle();
      if (!window.shows("lesson way back")) continue;  // below what there is room for
      ++clicked;
      window.click("lesson way back");
      window.wait_until_idle();
      EXPECT_EQ(window.app.inputs, own);
      EXPECT_FALSE(is_free_play(window.app));
      EXPECT_FALSE(window.shows("lesson way back"));
    }
  }
  EXPECT_GT(clicked, 20);
}

class LessonWindow : public AppFixture {
 protected:
  LessonWindow() : AppFixture({1600, 960}, 16) {}
};

TEST_F(LessonWindow, reports_next_to_a_step_what_of_it_is_not_there) {
  const TempFolder folder;
  std::ofstream(folder.at("a.md")) << "# A\n## B\n```state\n{\"model\": \"gone\"}\n```\n## C\n```state\n"
                                      "{\"model\": \"\", \"capture\": \"gone.npz\"}\n```\n";
  ASSERT_TRUE(play_lesson(app, folder.at("a.md")));
  for (const int step : {0, 1}) {
    go_to_step(app, step);
    wait_until_idle();
    EXPECT_TRUE(shows("lesson refused")) << step;
    EXPECT_TRUE(shows("lesson locate")) << step;
  }
  click("lesson locate");
  EXPECT_TRUE(app.dialogs.files.choosing);
  EXPECT_FALSE(app.dialogs.files.request.folders) << "a capture is a file";
}

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

TEST_F(LessonWindow, asks_by_choices_and_for_a_number) {
  run_action(app, "lesson masks");
  frames(4);
  ASSERT_TRUE(shows("lesson prediction"));
  enter("lesson prediction", U"45");
  frames(3);
  ASSERT_EQ(app.answers.size(), 1U);
  EXPECT_EQ(app.answers.front().number, 45);
  app.lesson.scroll = 9;
  frames(3);
  click("lesson choice 2 1");
  click("lesson choice 2 3");
  EXPECT_EQ(app.answers.size(), 1U) << "not all are chosen yet";
  click("lesson check 2");
  EXPECT_EQ(question_answered(app, 1), false);
  click("lesson choice 2 3");
  click("lesson choice 2 2");
  click("lesson check 2");
  EXPECT_EQ(app.answers.back().choices, (std::set<int>{0, 1}));
  EXPECT_EQ(app.answers.back().tries, 2);
  EXPECT_EQ(question_answered(app, 1), true);
  go_to_step(app, 7);
  frames(4);
  app.lesson.scroll = 9;
  frames(3);
  click("lesson choice 2");
  EXPECT_EQ(app.answers.back().choices, std::set<int>{1}) << "one is right: a click answers";
  click("lesson choice 1");
  EXPECT_EQ(app.answers.back().choices, std::set<int>{0});
  EXPECT_FALSE(shows("lesson check"));
}

TEST_F(LessonWindow, brings_the_control_that_a_step_is_about_into_view) {
  run_action(app, "lesson cost");
  frames(4);
  go_to_step(app, 4);
  ASSERT_EQ(app.lesson.at().highlight, std::vector<std::string>{"kv_heads"});
  frames(4);
  ASSERT_TRUE(shows("kv heads")) << "its section was folded";
  const auto control = place("kv heads"), panel = place("panel controls");
  EXPECT_GE(control[1], panel[1]);
  EXPECT_LE(control[3], panel[3]);
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

TEST_F(LessonWindow, welcome_requests_the_frame_that_shows_it_at_its_height) {
  app.settings.welcome = true;
  frames(1);
  EXPECT_TRUE(app.state.layout_moved);
  frames(2);
  EXPECT_FALSE(app.state.layout_moved) << "at rest";
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

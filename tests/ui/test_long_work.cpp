#include <chrono>
#include <thread>

#include "app/state/actions/long_work.h"
#include "app/state/document/figure_export.h"
#include "core/base/stopped.h"
#include "tests/support/inputs.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

/// A window in which a file is being written until it is stopped, in either language.
struct LongWorkWindow : AppFixture {
  LongWorkWindow(ImVec2 size, float text, Language language) : AppFixture(size, text) {
    app.set_language(language);
    write_beside(app.dialogs.figure, app.wake, "a.pdf",
                 [](const std::stop_token& stop, WorkProgress& progress) {
                   progress.report({125, 4.3e9});
                   progress.show(0.4);
                   while (!stop.stop_requested()) std::this_thread::yield();
                   check_stop(stop);
                 });
    while (!shows("stop work")) frame();
  }
  void TestBody() override {}
  using AppFixture::app;
  using AppFixture::click;
  using AppFixture::frames;
  using AppFixture::place;
  using AppFixture::shows;
  using AppFixture::ui_anchors;
};

TEST(LongWork, has_a_forecast_a_bar_and_a_button_in_the_status_bar) {
  for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1000, 700}})
    for (const float text : {16.0F, 27.0F})
      for (const Language language : {Language::en, Language::zh}) {
        LongWorkWindow window(size, text, language);
        SCOPED_TRACE(fmt::format("{} wide, text {}", size.x, text));
        const auto words = window.place("long work"), bar = window.place("work progress"),
                   stop = window.place("stop work");
        EXPECT_LE(stop[2], words[0]) << "it keeps its place while the text changes";
        EXPECT_LE(words[2], bar[0]);
        EXPECT_LT(bar[2], size.x - 2 * text);
        EXPECT_LE(stop[3], size.y);
        EXPECT_FALSE(window.ui_anchors.cut().contains("stop work"));
        window.click("stop work");
        window.app.dialogs.figure.running.wait();
        window.frames(2);
        EXPECT_FALSE(window.shows("stop work"));
        ASSERT_NE(window.app.notices.current(), nullptr);
        EXPECT_EQ(window.app.notices.current()->text,
                  language == Language::en ? "Stopped; a.pdf was not written" : "已停止；a.pdf 未写入");
      }
}

/// A window in which nothing waits for a run.
struct HastyWindow : AppFixture {
  HastyWindow() : AppFixture({1280, 720}, 16) {}
  void TestBody() override {}
  void frame() override {
    if (waits) return AppFixture::frame();
    ui_anchors.clear();
    queue.feed(ImGui::GetIO());
    ImGui::NewFrame();
    draw_app(app, memory, *maps_by);
    ImGui::Render();
    end_frame(app);
  }
  bool waits = true;
  using AppFixture::app;
  using AppFixture::click;
  using AppFixture::frames;
  using AppFixture::shows;
};

TEST(LongWork, that_was_stopped_can_be_run_again) {
  HastyWindow window;
  window.waits = false;
  window.app.inputs.sentence = sentence_of(700);
  window.app.inputs.layers = 4;
  window.frames(1);
  ASSERT_TRUE(window.app.runners.a.busy());
  stop_work(window.app);
  window.frames(2);
  EXPECT_TRUE(window.shows("run again"));
  EXPECT_FALSE(window.shows("stop work"));
  EXPECT_NE(window.app.trace()->inputs, window.app.inputs);
  window.waits = true;
  window.click("run again");
  window.frames(2);
  EXPECT_FALSE(window.shows("run again"));
  EXPECT_EQ(window.app.trace()->inputs, window.app.inputs);
}

// A long text, whose heads are measured unasked as soon as its maps are there.
TEST(LongWork, that_was_stopped_is_not_followed_by_other_work) {
  HastyWindow window;
  App& app = window.app;
  app.inputs.sentence = sentence_of(16'000);
  app.inputs.heads = 1;
  app.inputs.d_model = 16;
  app.state.view.kind = ViewKind::head;
  window.waits = false;
  for (int i = 0; i < 20'000 && !app.long_blocks.busy(); ++i) {
    window.frames(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(app.long_blocks.busy());
  stop_work(app);
  for (int i = 0; i < 20 && !window.shows("run again"); ++i) window.frames(1);
  EXPECT_TRUE(window.shows("run again"));
  window.frames(5);
  EXPECT_FALSE(is_busy(app));
  EXPECT_FALSE(app.view_cache.busy());
  EXPECT_TRUE(window.shows("run again"));
}

}  // namespace headscope::tests

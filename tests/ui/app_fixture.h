#pragma once
#include <imgui.h>

#include "app/panels/shell/draw_app.h"
#include "app/panels/shell/input_queue.h"
#include "app/panels/widgets/theme.h"
#include "tests/support/settle.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

/// All panels of the window in a bare ImGui context, used as by a user: keys and clicks go through the same
/// queue as in the window, and places are found by their marks.
class AppFixture : public ImGuiTest {
 protected:
  using Kind = InputEvent::Kind;

  static const char* get_copied(void* text) { return static_cast<std::string*>(text)->c_str(); }
  static void set_copied(void* text, const char* copied) { *static_cast<std::string*>(text) = copied; }

  AppFixture() : AppFixture({1280, 1000}, 13) {}
  /// A window of this size with text that many pixels high.
  AppFixture(ImVec2 size, float text_size) : ImGuiTest(size) {
    const float small = text_size == 13 ? 13 : std::round(text_size * 0.82F);
    Style& style = memory.style;
    set_text_sizes({{&style.font_size, text_size}, {&style.small, small}, {&style.large, text_size}});
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    use_clipboard(text_clipboard_);
    app.desktop.put_text = [this](const std::string& text) { clipboard = text; };
    memory.ui_anchors = &ui_anchors;
    apply_theme(memory.style);
    frames(3);
  }

  void frame() override {
    ui_anchors.clear();
    if (memory.heard != nullptr) carry_out(memory.heard->begin(), queue);
    queue.feed(ImGui::GetIO());
    memory.typed = queue.characters();
    ImGui::NewFrame();
    draw_app(app, memory, *maps_by);
    if (memory.heard != nullptr) memory.heard->end();
    ImGui::Render();
    end_frame(app);
    app.runners.a.wait();
  }
  /// Frames until nothing is pending, and two more, as in the window.
  void settle() override {
    while (!queue.empty()) frame();
    frames(2);
  }
  void wait_until_idle() {
    run_until_idle(app, [this] { settle(); });
  }

  void press(Key key, bool ctrl = false, bool shift = false) override {
    queue.push({.kind = Kind::key, .key = key, .down = true, .ctrl = ctrl, .shift = shift});
    queue.push({.kind = Kind::key, .key = key});
    settle();
  }
  void type(const std::u32string& text) {
    for (const char32_t c : text) queue.push({.kind = Kind::character, .character = c});
    settle();
  }
  void point_to(ImVec2 place) override {
    queue.push({.kind = Kind::position, .x = place.x, .y = place.y});
    settle();
  }
  void button(bool down, int which = 0) override {
    queue.push({.kind = Kind::button, .button = which, .down = down});
  }
  void wheel_at(ImVec2 place, float steps) {
    point_to(place);
    queue.push({.kind = Kind::wheel, .y = steps});
    settle();
  }
  /// Types a number into a field in place of the present one.
  void enter(const std::string& mark, const std::u32string& number) {
    click(mark);
    press(Key::a, true);
    type(number);
    press(Key::enter);
  }

  std::string clipboard;
  FakePainter painter;
  HeatmapPainter* maps_by = &painter;
  InputQueue queue;
  App app;
  PanelMemory memory;

 private:
  TextClipboard text_clipboard_{&clipboard, get_copied, set_copied};
};

}  // namespace headscope::tests

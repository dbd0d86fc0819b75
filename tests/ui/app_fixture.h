#pragma once
#include <gtest/gtest.h>
#include <imgui.h>

#include <array>
#include <stdexcept>
#include <string>

#include "app/panels/compat.h"
#include "app/panels/draw_app.h"
#include "app/panels/input_queue.h"
#include "app/panels/theme.h"
#include "app/panels/ui_anchors.h"
#include "tests/ui/ui_fixture.h"

namespace headscope {

/// The whole window's panels in a bare ImGui context, used as a person does: keys and clicks go through the
/// same queue as in the window, and places are found by their marks.
class AppFixture : public testing::Test {
 protected:
  AppFixture() {
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 1000};
    io.DeltaTime = 1.0F / 60;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.ClipboardUserData = &clipboard;
    io.GetClipboardTextFn = [](void* text) -> const char* {
      return static_cast<std::string*>(text)->c_str();
    };
    io.SetClipboardTextFn = [](void* text, const char* copied) { *static_cast<std::string*>(text) = copied; };
    app.put_text = [this](const std::string& text) { clipboard = text; };
    map_keys(io);
    for (ImFont** font : {&memory.style.small, &memory.style.regular, &memory.style.large}) {
      ImFontConfig config;
      config.SizePixels = 13;
      *font = io.Fonts->AddFontDefault(&config);
    }
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    memory.style.font_size = 13;
    memory.ui_anchors = &ui_anchors;
    apply_theme(memory.style);
    frames(3);
  }
  ~AppFixture() override { ImGui::DestroyContext(context_); }

  void frame() {
    ui_anchors.clear();
    queue.feed(ImGui::GetIO());
    memory.typed = queue.characters();
    ImGui::NewFrame();
    draw_app(app, memory, painter);
    ImGui::Render();
    end_frame(app);
    app.runner.wait();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  /// Frames until nothing waits, and two more, as in the window.
  void settle() {
    while (!queue.empty()) frame();
    frames(2);
  }

  void press(Key key, bool ctrl = false, bool shift = false) {
    for (const bool down : {true, false}) {
      InputEvent event;
      event.kind = InputEvent::Kind::key;
      event.key = key;
      event.down = down;
      event.ctrl = ctrl && down;
      event.shift = shift && down;
      queue.push(event);
    }
    settle();
  }
  void type(const std::u32string& text) {
    for (const char32_t c : text) {
      InputEvent event;
      event.kind = InputEvent::Kind::character;
      event.character = c;
      queue.push(event);
    }
    settle();
  }
  void move(float x, float y) {
    InputEvent event;
    event.kind = InputEvent::Kind::position;
    event.x = x;
    event.y = y;
    queue.push(event);
    settle();
  }
  void button(bool down) {
    InputEvent event;
    event.kind = InputEvent::Kind::button;
    event.down = down;
    queue.push(event);
  }
  void click(float x, float y) {
    move(x, y);
    button(true);
    button(false);
    settle();
    ImGui::GetIO().DeltaTime = 1;  // so that two clicks in a row are no double click
    frame();
    ImGui::GetIO().DeltaTime = 1.0F / 60;
  }
  std::array<float, 4> place(const std::string& mark) const {
    const auto found = ui_anchors.rects().find(mark);
    if (found == ui_anchors.rects().end()) throw std::runtime_error("not on the screen: " + mark);
    return found->second;
  }
  bool shows(const std::string& mark) const { return ui_anchors.rects().contains(mark); }
  void click(const std::string& mark) {
    const auto [left, top, right, bottom] = place(mark);
    click((left + right) / 2, (top + bottom) / 2);
  }
  /// Types a number into a field in place of the one that is there.
  void enter(const std::string& mark, const std::u32string& number) {
    click(mark);
    press(Key::a, true);
    type(number);
    press(Key::enter);
  }

  std::string clipboard;
  UiAnchors ui_anchors;
  FakePainter painter;
  InputQueue queue;
  App app;
  PanelMemory memory;

 private:
  ImGuiContext* context_ = nullptr;
};

}  // namespace headscope

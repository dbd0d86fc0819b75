#pragma once
#include <imgui.h>

#include "app/panels/compat.h"
#include "app/panels/ui.h"
#include "app/state/view_cache.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// Draws nothing and remembers what it was asked for.
class FakePainter : public HeatmapPainter {
 public:
  ImTextureID draw(int slot, const HeatmapRequest& request) override {
    requests[slot] = request;
    return reinterpret_cast<ImTextureID>(std::intptr_t{1});
  }
  std::map<int, HeatmapRequest> requests;
};

/// A bare ImGui context, without window or graphics.
class ImGuiTest : public testing::Test {
 protected:
  explicit ImGuiTest(ImVec2 size) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 1.0F / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    map_keys(io);
  }
  ~ImGuiTest() override { ImGui::DestroyContext(context_); }

  static void add_fonts(const std::vector<std::pair<ImFont**, float>>& fonts) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    for (const auto& [font, size] : fonts) {
      ImFontConfig config;
      config.SizePixels = size;
      *font = atlas.AddFontDefault(&config);
    }
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  }

  virtual void frame() = 0;
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  /// A second passes: no two clicks of a test are a double click by accident.
  void pause() {
    ImGui::GetIO().DeltaTime = 1;
    frame();
    ImGui::GetIO().DeltaTime = 1.0F / 60;
  }

 private:
  ImGuiContext* context_ = ImGui::CreateContext();
};

/// Everything a panel gets, and a person with mouse and keys. frame() runs one frame with `panel` in a window
/// that fills the display.
class UiFixture : public ImGuiTest {
 protected:
  UiFixture() : ImGuiTest({1200, 700}) {
    add_fonts({{&style.tiny, 11.0F}, {&style.small, 13.0F}, {&style.regular, 16.0F}, {&style.large, 24.0F}});
    ImGui::GetIO().FontDefault = style.regular;
  }

  void set_trace(std::shared_ptr<const Trace> shown) {
    trace = std::move(shown);
    inputs = trace->inputs;
  }
  /// Sets it and waits until it is drawn.
  void show_trace(std::shared_ptr<const Trace> shown) {
    set_trace(std::move(shown));
    frames(2);
  }

  /// One frame, as the window runs it.
  void frame() override {
    state.last_hover = state.hover;
    state.hover.reset();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    const auto block = block_of(trace, state.view.block);
    if (!shown_ || shown_->block != block || shown_->layer != state.view.layer ||
        filter_ != state.view.filter)
      shown_ = filter_layer(block, state.view.layer, state.view.filter);
    filter_ = state.view.filter;
    OtherSide other{compare, other_trace ? block_of(other_trace, state.view.block) : nullptr, false, {}};
    const auto scene =
        std::make_shared<const Scene>(make_scene(block, other.block, state.view, labels, {}, state.locked()));
    Ui ui{tr,    style,  painter, block,  shown_, stale,      error,
          scene, inputs, state,   labels, other,  view_cache, memory};
    panel(ui);
    ImGui::End();
    ImGui::Render();
  }

  void move(float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
    frames(2);
  }
  void move(ImVec2 to) { move(to.x, to.y); }
  void button(bool down, int which = 0) {
    ImGui::GetIO().MouseDown[which] = down;
    frame();
  }
  void click(float x, float y, int which = 0) {
    move(x, y);
    button(true, which);
    button(false, which);
    pause();
  }
  void click(ImVec2 at, int which = 0) { click(at.x, at.y, which); }
  void double_click(float x, float y) {
    move(x, y);
    for (int i = 0; i < 2; ++i) {
      button(true);
      button(false);
    }
  }
  void drag(ImVec2 from, ImVec2 to, int steps = 5, int which = 0) {
    move(from);
    button(true, which);
    for (int i = 1; i <= steps; ++i) {
      const float share = float(i) / float(steps);
      ImGui::GetIO().MousePos = {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
      frame();
    }
    button(false, which);
  }
  void wheel(float notches) {
    ImGui::GetIO().MouseWheel = notches;
    frame();
    ImGui::GetIO().MouseWheel = 0;
    frame();
  }
  void press(Key key, bool ctrl = false, bool shift = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    set_key(key, true);
    frame();
    set_key(key, false);
    io.KeyCtrl = io.KeyShift = false;
    frame();
  }
  void press_each(std::initializer_list<Key> keys) {
    for (const Key key : keys) press(key);
  }

  /// Texts of a frame can't be read back; what can is how much was drawn.
  static int drawn_vertices() { return ImGui::GetDrawData()->TotalVtxCount; }

  Translator tr{Language::en};
  PanelMemory memory;
  Style& style = memory.style;
  FakePainter painter;
  std::shared_ptr<const Trace> trace = synthetic_trace(8, 10, 10);
  bool stale = false;
  std::string error;
  Inputs inputs = trace->inputs;
  ViewState state;
  std::vector<HeadLabel> labels;
  std::optional<Inputs> compare;
  std::shared_ptr<const Trace> other_trace;
  ViewCache view_cache;
  std::function<void(Ui&)> panel = [](Ui&) {};

 private:
  static void set_key(Key key, bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeysDown[native_key(key)] = down;
#else
    ImGui::GetIO().AddKeyEvent(native_key(key), down);
#endif
  }

  std::shared_ptr<const FilteredLayer> shown_;
  Filter filter_;
};

}  // namespace headscope::tests

#pragma once
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/panels/compat.h"
#include "app/panels/ui.h"
#include "app/state/view_cache.h"

namespace headscope {

/// Draws nothing and remembers what it was asked for.
class FakePainter : public HeatmapPainter {
 public:
  ImTextureID draw(int slot, const HeatmapRequest& request) override {
    requests[slot] = request;
    return reinterpret_cast<ImTextureID>(std::intptr_t{1});
  }
  std::map<int, HeatmapRequest> requests;
};

/// A trace without an engine: head h attends from query i to key (i + h) mod n with 0.7, the rest evenly.
/// Words are "w0", "w1" …
inline std::shared_ptr<const Trace> synthetic_trace(int heads, int n_q, int n_k, int layers = 1,
                                                    const std::vector<MaskPart>& mask = {}) {
  auto trace = std::make_shared<Trace>();
  trace->inputs.heads = heads;
  trace->inputs.d_model = heads * 8;
  trace->inputs.layers = layers;
  trace->inputs.mask = mask;
  const char* key_letter = n_q == n_k ? "w" : "k";
  for (int i = 0; i < n_q; ++i) trace->tokens.push_back({"w" + std::to_string(i), 0, 0, 0});
  for (int i = 0; i < n_k; ++i) trace->key_tokens.push_back({key_letter + std::to_string(i), 0, 0, 0});
  if (n_q == 0 || n_k == 0) return trace;
  trace->mask = build_mask(mask, trace->tokens, trace->key_tokens, heads);
  for (int l = 0; l < layers; ++l) {
    LayerTrace layer;
    layer.scores = Tensor({heads, n_q, n_k});
    layer.weights = Tensor({heads, n_q, n_k});
    for (Index at = 0; at < layer.weights.size(); ++at) {
      const auto j = at % n_k, i = at / n_k % n_q, h = at / n_k / n_q;
      const float weight = n_k == 1 ? 1.0F : j == (i + h + l) % n_k ? 0.7F : 0.3F / float(n_k - 1);
      layer.scores.data()[at] = std::log(weight);
      layer.weights.data()[at] = trace->mask.blocked(int(h), i, j) ? 0 : weight;
    }
    trace->layers.push_back(std::move(layer));
    trace->statistics.emplace_back(std::size_t(heads));
  }
  return trace;
}

/// A bare ImGui context without window or graphics, everything a panel gets, and a person with mouse and
/// keys. frame() runs one frame with `panel` in a window that fills the display.
class UiFixture : public testing::Test {
 protected:
  UiFixture() {
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1200, 700};
    io.DeltaTime = 1.0F / 60;
    for (ImFont** font : {&style.tiny, &style.small, &style.regular, &style.large}) {
      ImFontConfig config;
      config.SizePixels = font == &style.tiny      ? 11.0F
                          : font == &style.small   ? 13.0F
                          : font == &style.regular ? 16.0F
                                                   : 24.0F;
      *font = io.Fonts->AddFontDefault(&config);
    }
    io.FontDefault = style.regular;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    map_keys(io);
  }
  ~UiFixture() override { ImGui::DestroyContext(context_); }

  void set_trace(std::shared_ptr<const Trace> shown) {
    trace = std::move(shown);
    inputs = trace->inputs;
  }

  /// One frame, as the window runs it.
  void frame() {
    state.last_hover = state.hover;
    state.hover.reset();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    if (!shown_ || shown_->trace != trace || shown_->layer != state.view.layer ||
        filter_ != state.view.filter)
      shown_ = filter_layer(trace, state.view.layer, state.view.filter);
    filter_ = state.view.filter;
    OtherSide other{compare, other_trace, false, {}};
    std::vector<int> heads;
    for (int h = 0; h < trace->inputs.heads; ++h) heads.push_back(h);
    Ui ui{tr,    style,  painter, trace,  shown_, stale,      error,
          heads, inputs, state,   labels, other,  view_cache, memory};
    panel(ui);
    ImGui::End();
    ImGui::Render();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
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
    // No two clicks of a test are a double click by accident.
    ImGui::GetIO().DeltaTime = 1;
    frame();
    ImGui::GetIO().DeltaTime = 1.0F / 60;
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

  ImGuiContext* context_ = nullptr;
  std::shared_ptr<const FilteredLayer> shown_;
  Filter filter_;
};

}  // namespace headscope

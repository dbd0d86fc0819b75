#pragma once
#include <imgui.h>

#include "app/panels/ui/ui.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/ui_anchors.h"
#include "app/state/derived/view_cache.h"
#include "tests/support/traces.h"
#include "tests/ui/imgui_versions.h"

namespace headscope::tests {

/// Draws nothing and remembers the requests.
class FakePainter : public HeatmapPainter {
 public:
  ImTextureID draw(int slot, const HeatmapRequest& request) override {
    requests[slot] = request;
    return texture_of(1);
  }
  std::map<int, HeatmapRequest> requests;
};

/// A key with its modifiers.
struct Chord {
  Chord(Key with_key, bool with_ctrl = false, bool with_shift = false)
      : key(with_key), ctrl(with_ctrl), shift(with_shift) {}
  Key key;
  bool ctrl, shift;
};

/// Whether tests/ui/anchors.txt has the name, with # for each number: a name that no panel records any more
/// must not make a test pass that expects it to be hidden.
inline bool is_listed_anchor(const std::string& name) {
  static const std::set<std::string> names = [] {
    std::istringstream lines(read_file(SOURCE_DIR "/tests/ui/anchors.txt"));
    std::set<std::string> found;
    for (std::string line; std::getline(lines, line);) found.insert(line);
    return found;
  }();
  std::string numbered;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || !numbered.ends_with('#')) numbered += digit ? '#' : c;
  }
  return names.contains(numbered);
}

/// A bare ImGui context, without window or graphics, and a simulated user with mouse and keys who finds
/// places by their marks.
class ImGuiTest : public testing::Test {
 protected:
  explicit ImGuiTest(ImVec2 size) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 1.0F / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    set_up_keys(io);
  }
  ~ImGuiTest() override { ImGui::DestroyContext(context_); }

  /// Sets these sizes of text, and adds fonts for them where a font has one size.
  static void set_text_sizes(const std::vector<std::pair<float*, float>>& sizes) {
    for (const auto& [size, height] : sizes) {
      *size = height;
      add_font(height);
    }
    draw_without_graphics();
  }
  static void add_font(float height) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (fonts_have_any_size && !atlas.Fonts.empty()) return;
    ImFontConfig config;
    config.SizePixels = height;
    ImFont* const font = atlas.AddFontDefault(&config);
    if (ImGui::GetIO().FontDefault == nullptr) ImGui::GetIO().FontDefault = font;
  }

  virtual void frame() = 0;
  virtual void point_to(ImVec2 place) = 0;
  virtual void button(bool down, int which = 0) = 0;
  virtual void press(Key key, bool ctrl = false, bool shift = false) = 0;
  /// Frames until everything has arrived.
  virtual void settle() {}

  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  void press_each(std::initializer_list<Chord> chords) {
    for (const Chord& chord : chords) press(chord.key, chord.ctrl, chord.shift);
  }
  void move(float x, float y) { point_to({x, y}); }
  void move(ImVec2 to) { point_to(to); }
  void click(float x, float y, int which = 0) {
    move(x, y);
    button(true, which);
    button(false, which);
    settle();
    pause();
  }
  void click(ImVec2 at, int which = 0) { click(at.x, at.y, which); }
  void click(const std::string& mark) { click(middle(mark)); }
  void click_each(std::initializer_list<const char*> marks) {
    for (const char* mark : marks) click(mark);
  }
  bool shows(const std::string& mark) const {
    EXPECT_TRUE(is_listed_anchor(mark)) << mark << " is not in tests/ui/anchors.txt";
    return ui_anchors.rects().contains(mark);
  }
  std::array<float, 4> place(const std::string& mark) const {
    if (!shows(mark)) throw std::runtime_error("not on the screen: " + mark);
    return ui_anchors.rects().at(mark);
  }
  ImVec2 middle(const std::string& mark) const {
    const auto [left, top, right, bottom] = place(mark);
    return {(left + right) / 2, (top + bottom) / 2};
  }
  /// A second passes, so that no two clicks of a test are an accidental double click.
  void pause() {
    ImGui::GetIO().DeltaTime = 1;
    frame();
    ImGui::GetIO().DeltaTime = 1.0F / 60;
  }

  UiAnchors ui_anchors;

 private:
  ImGuiContext* context_ = ImGui::CreateContext();
};

/// Everything a panel gets. frame() runs one frame with `panel` in a window that fills the display.
class UiFixture : public ImGuiTest {
 protected:
  UiFixture() : ImGuiTest({1200, 700}) {
    set_text_sizes({{&style.font_size, 16}, {&style.small, 13}, {&style.large, 24}});
  }

  /// Draws this panel from now on.
  void show(std::function<void(Ui&)> draw) {
    panel = std::move(draw);
    frames(3);
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
    const SideFrame other{Side::b, other_trace ? block_of(other_trace, state.view.block) : nullptr};
    const auto scene = std::make_shared<const Scene>(
        make_scene(block, other.block, state.view, labels, {}, state.locked(*block)));
    Ui ui{
        Frame{{Side::a, block, stale, error}, shown_, scene, std::make_shared<const View>(state.view), other},
        tr,
        style,
        painter,
        inputs,
        compare,
        state,
        labels,
        view_cache,
        memory};
    ui_anchors.clear();
    memory.ui_anchors = &ui_anchors;
    use_widget_memory(memory);
    panel(ui);
    ImGui::End();
    ImGui::Render();
  }

  void point_to(ImVec2 place) override {
    ImGui::GetIO().MousePos = place;
    frames(2);
  }
  void button(bool down, int which = 0) override {
    ImGui::GetIO().MouseDown[which] = down;
    frame();
  }
  void double_click(float x, float y) {
    move(x, y);
    for (int i = 0; i < 2; ++i) {
      button(true);
      button(false);
    }
  }
  /// Where a head of the grid is.
  const PanelLayout& panel_of(int head) const {
    for (const PanelLayout& placed : memory.maps.last_layout(0).panels)
      if (placed.head == head) return placed;
    throw std::runtime_error(fmt::format("head {} is not shown", head));
  }
  /// The centre of a cell of the grid, by the rows and columns that are shown.
  ImVec2 cell_center(int head, int row, int column) {
    const Rect map = panel_of(head).map;
    const auto n_q = double(memory.maps.look().rows().size()),
               n_k = double(memory.maps.look().columns().size());
    return {float(map.x + map.width * (column + 0.5) / n_k), float(map.y + map.height * (row + 0.5) / n_q)};
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
  void press(Key key, bool ctrl = false, bool shift = false) override {
    ImGuiIO& io = ImGui::GetIO();
    set_modifiers(io, ctrl, shift);
    set_key(io, key, true);
    frame();
    set_key(io, key, false);
    set_modifiers(io, false, false);
    frame();
  }

  /// Texts of a frame can't be read back, only how much was drawn.
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
  std::shared_ptr<const FilteredLayer> shown_;
  Filter filter_;
};

}  // namespace headscope::tests

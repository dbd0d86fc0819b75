#include "app/state/adjust.h"
#include "app/state/panel_fit.h"
#include "core/inputs/mask_kinds.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// A window of any size with text of any size, for a look.
struct Window : AppFixture {
  Window(ImVec2 size, float text) : AppFixture(size, text) { frames(3); }
  void TestBody() override {}

  using AppFixture::app;
  using AppFixture::frames;
  using AppFixture::place;
  float side(int head = 1) const {
    const auto [left, top, right, bottom] = place(fmt::format("map {}", head));
    return std::min(right - left, bottom - top);
  }
  float pitch() const { return place("map 2")[0] - place("map 1")[0]; }
  const std::map<std::string, std::array<float, 4>>& marks() const { return ui_anchors.rects(); }
};

constexpr std::array text_sizes{16.0F, 20.0F, 27.0F};  // as high as the three sizes are
const ImVec2 windows[] = {{1280, 720}, {1600, 925}, {1000, 700}};

TEST(Room, maps_fill_their_columns) {
  for (const auto& [size, today] : {std::pair{ImVec2{1280, 720}, 116}, {ImVec2{1600, 925}, 168}}) {
    const Window window(size, 16);
    EXPECT_GT(window.side(), today);
    EXPECT_GE(window.side(), 0.8F * window.pitch());
  }
}

TEST(Room, larger_text_never_halves_a_map) {
  for (const ImVec2 size : windows) {
    const float normal = Window(size, 16).side();
    for (const float text : text_sizes)
      EXPECT_GE(Window(size, text).side(), normal / 2) << size.x << " wide, text " << text;
  }
}

bool overlap(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  constexpr float slack = 0.51F;  // of a pixel, on which edges are put
  return a[0] < b[2] - slack && b[0] < a[2] - slack && a[1] < b[3] - slack && b[1] < a[3] - slack;
}

bool inside(const std::array<float, 4>& a, const std::array<float, 4>& b) {
  return a[0] >= b[0] - 1 && a[1] >= b[1] - 1 && a[2] <= b[2] + 1 && a[3] <= b[3] + 1;
}

TEST(Room, nothing_lies_over_another_or_outside_of_its_panel) {
  for (const ImVec2 size : windows)
    for (const float text : text_sizes)
      for (int kind = 0; kind < 2; ++kind) {
        SCOPED_TRACE(fmt::format("{} x {}, text {}, view {}", size.x, size.y, text, kind));
        Window window(size, text);
        window.app.state.view.kind = static_cast<ViewKind>(kind);
        window.frames(3);
        const std::array<float, 4> all{0, 0, size.x, size.y};
        std::vector<std::string> names;
        for (const auto& [name, rect] : window.marks()) {
          const bool of_view = name.starts_with("map ") || name.starts_with("title ");
          EXPECT_TRUE(inside(rect, of_view ? window.place("panel stage") : all)) << name;
          const bool panel = name.starts_with("panel ");
          for (const std::string& other : names)
            EXPECT_FALSE(panel == other.starts_with("panel ") && rect != window.place(other) &&
                         overlap(rect, window.place(other)))
                << name << " over " << other;
          names.push_back(name);
        }
      }
}

/// Every control of the window, used by the mouse where its mark stands.
class ByMouse : public AppFixture, public testing::WithParamInterface<float> {
 protected:
  ByMouse() : AppFixture({1280, 720}, GetParam()) {}

  /// Scrolls the controls until the mark can be seen whole.
  void reach(const std::string& mark) {
    const auto panel = place("panel controls");
    const ImVec2 over{panel[0] + 4, (panel[1] + panel[3]) / 2};
    wheel_at(over, 1000);
    for (int i = 0; i < 200; ++i) {
      if (shows(mark) && place(mark)[3] < panel[3] - 5) return;
      wheel_at(over, -1);
    }
    FAIL() << mark << " is nowhere";
  }
  void reach_and_click(const std::string& mark) {
    reach(mark);
    click(mark);
  }
  static bool popup() {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  }
};

TEST_P(ByMouse, menus_open_and_choose_nothing) {
  const Session before = app.session();
  const Settings settings = app.settings;
  for (const char* menu : {"menu file", "menu edit", "menu attention", "menu view", "menu help"}) {
    click(menu);
    EXPECT_TRUE(popup()) << menu;
    for (const auto& [name, rect] : ui_anchors.rects())
      EXPECT_FALSE(name.starts_with("item ") && overlap(rect, place(menu))) << name << " over " << menu;
    press(Key::escape);
    EXPECT_FALSE(popup()) << menu;
  }
  EXPECT_TRUE(app.is_session(before));
  EXPECT_EQ(app.settings, settings);
}

TEST_P(ByMouse, lists_open) {
  for (const char* id : {"section weights", "section stack"}) reach_and_click(id);
  for (const char* list : {"colormap", "range", "kind of weights", "kv heads", "heads"}) {
    reach_and_click(list);
    EXPECT_TRUE(popup()) << list;
    press(Key::escape);
    EXPECT_FALSE(popup()) << list;
  }
  if (shows("filter")) click("filter");
  const bool folded = popup();
  click("order of heads");
  EXPECT_TRUE(popup());
  press(Key::escape);
  if (folded) press(Key::escape);
  EXPECT_FALSE(popup());
}

TEST_P(ByMouse, switches_toggle_twice_at_one_spot) {
  for (const MaskKindRow& row : mask_kinds()) {
    if (row.pattern || !row.has_controls()) continue;
    reach(row.mark);
    const ImVec2 spot = middle(row.mark);
    click(spot);
    EXPECT_TRUE(part_on(app.inputs, row.kind)) << row.mark;
    click(spot);
    EXPECT_FALSE(part_on(app.inputs, row.kind)) << row.mark << ": nothing moves from under the pointer";
  }
  for (const auto& [mark, field] : {std::pair{"Divide scores by √d_k", &Inputs::scale}}) {
    const bool before = app.inputs.*field;
    reach(mark);
    const ImVec2 spot = middle(mark);
    click(spot);
    EXPECT_NE(app.inputs.*field, before);
    click(spot);
    EXPECT_EQ(app.inputs.*field, before);
  }
}

TEST_P(ByMouse, a_double_click_on_a_swatch_shows_that_head_alone) {
  click("views 2");
  move(middle("head 3"));
  for (int i = 0; i < 2; ++i) {
    button(true);
    button(false);
  }
  settle();
  EXPECT_EQ(app.state.view.hidden_heads, (std::set<int>{0, 1, 3, 4, 5, 6, 7}));
  pause();
  EXPECT_TRUE(shows("hidden heads")) << "a badge, in every view";
  for (const char* view : {"views 0", "views 1", "views 3", "views 5"}) {
    click(view);
    EXPECT_TRUE(shows("hidden heads")) << view;
  }
  click("hidden heads");
  EXPECT_TRUE(app.state.view.hidden_heads.empty());
}

TEST_P(ByMouse, what_cannot_be_run_moves_no_map) {
  const auto before = place("map 1");
  app.inputs.heads = 7;
  frames(3);
  ASSERT_TRUE(shows("error"));
  EXPECT_EQ(place("map 1"), before);
  EXPECT_TRUE(inside(place("error"), place("panel stage")));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ByMouse, testing::ValuesIn(text_sizes));

}  // namespace headscope::tests

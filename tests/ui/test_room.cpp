#include "app/state/actions/present.h"
#include "app/state/document/adjust.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/available_views.h"
#include "app/state/view/panels.h"
#include "core/inputs/mask_kinds.h"
#include "core/scene/view_kinds.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

/// A window of any size with text of any size, for layout checks.
struct Window : AppFixture {
  Window(ImVec2 size, float text) : AppFixture(size, text) { frames(3); }
  void TestBody() override {}

  using AppFixture::app;
  using AppFixture::click;
  using AppFixture::frames;
  using AppFixture::place;
  using AppFixture::wait_until_idle;
  float side(int head = 1) const {
    const auto [left, top, right, bottom] = place(fmt::format("map {}", head));
    return std::min(right - left, bottom - top);
  }
  float pitch() const { return place("map 2")[0] - place("map 1")[0]; }
  const std::map<std::string, std::array<float, 4>>& marks() const { return ui_anchors.rects(); }
  const std::set<std::string>& cut() const { return ui_anchors.cut(); }
};

constexpr std::array text_sizes{16.0F, 20.0F, 27.0F};  // the heights of the three sizes
const ImVec2 windows[] = {{1280, 720}, {1600, 925}, {1000, 700}};

TEST(Room, maps_fill_their_columns) {
  for (const auto& [size, today] : {std::pair{ImVec2{1280, 720}, 116}, {ImVec2{1600, 925}, 168}}) {
    const Window window(size, 16);
    EXPECT_GT(window.side(), today);
    EXPECT_GE(window.side(), 0.8F * window.pitch());
  }
}

TEST(Room, in_a_narrow_window_the_icons_give_way_to_the_menus) {
  const Window window({640, 800}, 13);
  const float menus = window.marks().at("menu help")[2];
  for (const char* icon : {"undo", "redo", "present", "export"})
    if (window.marks().contains(icon)) {
      EXPECT_GE(window.marks().at(icon)[0], menus) << icon;
    }
  EXPECT_TRUE(Window({768, 800}, 13).marks().contains("undo"));
}

TEST(Room, on_a_phone_a_notice_is_read_whole) {
  for (const auto& [size, above] : {std::pair{ImVec2{390, 844}, true}, {ImVec2{1280, 800}, false}}) {
    Window window(size, 13);
    const auto stage = window.place("panel stage");
    window.app.notices.warn(Notice::About::nothing, TR("Opened from a link; your own work is kept"));
    window.frames(2);
    ASSERT_EQ(window.marks().contains("notice above"), above);
    const auto dismiss = window.place("dismiss");
    EXPECT_LE(dismiss[3], size.y);
    if (!above) continue;
    const auto notice = window.place("notice above");
    EXPECT_EQ(window.place("panel stage"), stage) << "nothing moves";
    EXPECT_FALSE(overlap(notice, dismiss));
    EXPECT_LE(notice[2], size.x);
  }
}

TEST(Room, a_notice_covers_no_icon_of_a_view) {
  Window window({1280, 720}, 27);
  window.app.notices.warn(Notice::About::nothing, "{}", std::string(120, 'x'));
  window.frames(2);
  EXPECT_GE(window.place("notice above")[0], window.place("panel rail")[2]);
}

TEST(Room, larger_text_never_halves_a_map) {
  for (const ImVec2 size : windows) {
    const float normal = Window(size, 16).side();
    for (const float text : text_sizes)
      EXPECT_GE(Window(size, text).side(), normal / 2) << size.x << " wide, text " << text;
  }
}

TEST(Room, eight_heads_beside_a_lesson_are_large_enough_to_be_discussed) {
  for (const Language language : {Language::en, Language::zh}) {
    Window window({1280, 720}, 27);
    add_wide_glyphs();
    window.app.set_language(language);
    ASSERT_TRUE(play_lesson(window.app, "why-many-heads"));
    go_to_step(window.app, window.app.lesson.last());
    window.frames(5);
    for (int head = 1; head <= 8; ++head) {
      const auto map = window.place(fmt::format("map {}", head));
      EXPECT_GE(map[2] - map[0], 120) << head;
      EXPECT_GE(map[3] - map[1], 120) << head;
    }
  }
}

/// Marks of things that are in or on others: parts of a view, what is scrolled, what floats.
bool is_alone(const std::string& mark) {
  for (const char* part :
       {"panel ", "row ", "name of ", "group ", "column ", "layer ", "map ", "title ", "query token",
        "key token", "compare map", "caption ", "matrix", "note ", "result ", "own color", "difference"})
    if (mark.starts_with(part)) return false;
  for (const char* field : {"sentence", "key sentence", "B sentence", "B key sentence"})
    if (mark == field) return false;  // the tokens are in it
  return mark != "side";              // all its buttons
}

/// Of all but `below`, which a page covers.
void expect_nothing_under_another(const Window& window, const std::set<std::string>& below = {}) {
  std::vector<std::string> names;
  for (const auto& [name, rect] : window.marks()) {
    if (!is_alone(name) || below.contains(name)) continue;
    for (const std::string& other : names) {
      const std::array<float, 4>& taken = window.marks().at(other);
      EXPECT_FALSE(rect != taken && overlap(rect, taken)) << name << " over " << other;
    }
    names.push_back(name);
  }
}

class Rooms : public testing::TestWithParam<std::tuple<ImVec2, float>> {};

TEST_P(Rooms, no_control_covers_another_leaves_the_window_or_is_cut_in_any_view_and_language) {
  const auto [size, text] = GetParam();
  Window window(size, text);
  add_wide_glyphs();
  window.app.inputs.layers = 2;
  window.app.state.lock = Cell{0, 1, 2};
  for (const Language language : {Language::en, Language::zh})
    for (const ViewKindRow& view : view_kinds) {
      SCOPED_TRACE(fmt::format("{} x {}, text {}, {}, {}", size.x, size.y, text, view.tab,
                               language == Language::zh ? "zh" : "en"));
      window.app.set_language(language);
      window.app.state.view.kind = view.value;
      window.wait_until_idle();
      for (const std::string& mark : window.cut()) EXPECT_FALSE(is_alone(mark)) << mark << " is cut";
      for (const auto& [name, rect] : window.marks()) {
        EXPECT_TRUE(inside(rect, {0, 0, size.x, size.y})) << name;
        if (name.starts_with("map ") || name.starts_with("title ")) {
          EXPECT_TRUE(inside(rect, window.place("panel stage"))) << name;
        }
      }
      expect_nothing_under_another(window);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Rooms,
                         testing::Combine(testing::ValuesIn(windows), testing::ValuesIn(text_sizes)));

/// Taps: a finger comes down and is lifted.
void tap(Window& window, const std::string& mark) {
  window.click(mark);
  window.frames(3);
}

class Phones : public testing::TestWithParam<ImVec2> {};

TEST_P(Phones, every_view_has_its_width_and_a_finger_its_room) {
  const ImVec2 size = GetParam();
  Window window(size, 16);
  add_wide_glyphs();
  window.app.inputs.layers = 2;
  window.app.state.lock = Cell{0, 1, 2};
  for (const Language language : {Language::en, Language::zh})
    for (const ViewKindRow& view : view_kinds) {
      SCOPED_TRACE(
          fmt::format("{} x {}, {}, {}", size.x, size.y, view.tab, language == Language::zh ? "zh" : "en"));
      window.app.set_language(language);
      window.app.state.view.kind = view.value;
      window.wait_until_idle();
      expect_nothing_under_another(window);
      const auto stage = window.place("panel stage");
      EXPECT_GE(stage[2] - stage[0], 0.94F * size.x);
      for (const char* target : {"menu", "views", "undo", "redo", "export", "tab cell", "tab controls"}) {
        const auto [left, top, right, bottom] = window.place(target);
        EXPECT_TRUE(inside({left, top, right, bottom}, {0, 0, size.x, size.y})) << target;
        EXPECT_GE(right - left, 43) << target;
        EXPECT_GE(bottom - top, 43) << target;
      }
    }
}

TEST_P(Phones, maps_of_a_grid_are_in_pairs_with_words_and_sheets_leave_them_in_view) {
  const ImVec2 size = GetParam();
  Window window(size, 16);
  window.app.settings.welcome = false;
  window.frames(3);
  EXPECT_GE(window.side(), 0.29F * size.x);
  const float first = window.place("map 1")[1];
  EXPECT_EQ(window.place("map 2")[1], first);
  EXPECT_GT(window.place("map 3")[1], first);
  for (const char* tab : {"tab cell", "tab controls"}) {
    tap(window, tab);
    const auto sheet = window.place("sheet handle"), map = window.place("map 1");
    EXPECT_LT(map[1], sheet[1]) << tab;
    EXPECT_GE(window.place("tab cell")[1], sheet[3]) << tab;
    tap(window, "sheet handle");
    EXPECT_LT(window.place("sheet handle")[1], 0.3F * size.y) << tab << ", whole";
    tap(window, tab);
    EXPECT_FALSE(window.marks().contains("sheet handle")) << tab;
  }
}

TEST(Room, nothing_is_under_another_at_any_width) {
  Window window({320, 844}, 16);
  add_wide_glyphs();
  for (const Language language : {Language::en, Language::zh}) {
    window.app.set_language(language);
    for (float width = 320; width <= 1920; width += 10) {
      SCOPED_TRACE(fmt::format("{} wide, {}", width, language == Language::zh ? "zh" : "en"));
      ImGui::GetIO().DisplaySize = {width, 844};
      window.frames(3);
      expect_nothing_under_another(window);
    }
  }
}

/// What is on the screen only in a state of the window, in all widths of phones.
void expect_nothing_under_another_of(Window& window, const char* state, const std::set<std::string>& others) {
  for (const Language language : {Language::en, Language::zh}) {
    window.app.set_language(language);
    for (float width = 320; width < 600; width += 10) {
      SCOPED_TRACE(fmt::format("{}, {} wide, {}", state, width, language == Language::zh ? "zh" : "en"));
      ImGui::GetIO().DisplaySize = {width, 844};
      window.frames(3);
      expect_nothing_under_another(window, others);
    }
  }
}

TEST(Room, on_a_phone_nothing_is_under_another_in_sheets_lessons_and_pages) {
  Window window({320, 844}, 16);
  add_wide_glyphs();
  window.app.settings.welcome = false;
  window.app.state.lock = Cell{0, 1, 2};
  for (const char* tab : {"tab controls", "tab cell"}) {
    tap(window, tab);
    expect_nothing_under_another_of(window, tab, {});
    tap(window, tab);
  }
  ASSERT_TRUE(play_lesson(window.app, "why-many-heads"));
  expect_nothing_under_another_of(window, "lesson", {});
  close_lesson(window.app);
  window.frames(3);
  std::set<std::string> below;
  for (const auto& [name, rect] : window.marks()) below.insert(name);
  run_action(window.app, "export");
  window.frames(3);
  expect_nothing_under_another_of(window, "export", below);
}

/// In the largest text, as at 200 %.
TEST(Room, large_text_on_a_phone_leaves_all_targets_in_the_window) {
  Window window({390, 844}, 27);
  add_wide_glyphs();
  for (const Language language : {Language::en, Language::zh}) {
    window.app.set_language(language);
    window.frames(3);
    expect_nothing_under_another(window);
    for (const char* target : {"menu", "views", "undo", "redo", "export", "tab cell", "tab controls"})
      EXPECT_TRUE(inside(window.place(target), {0, 0, 390, 844})) << target;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Phones,
                         testing::Values(ImVec2{320, 640}, ImVec2{360, 640}, ImVec2{390, 844},
                                         ImVec2{412, 870}, ImVec2{430, 932}, ImVec2{590, 900}));

/// The window with all its panels, at every 40th pixel; the arrangement alone is tried at every tenth, see
/// test_layout.
TEST(Room, a_larger_window_never_has_smaller_maps) {
  Window window({800, 600}, 16);
  const auto side = [&](float width, float height) {
    ImGui::GetIO().DisplaySize = {width, height};
    window.frames(2);
    const auto map = window.place("map 1");
    return std::min(map[2] - map[0], map[3] - map[1]);
  };
  std::vector<float> above;  // of the height before
  for (float height = 600; height <= 1440; height += 40) {
    std::vector<float> sides;
    for (float width = 800; width <= 2560; width += 40) {
      const std::size_t i = sides.size();
      sides.push_back(side(width, height));
      if (i > 0) {
        EXPECT_GE(sides[i], sides[i - 1] - 1) << width << " x " << height;
      }
      if (!above.empty()) {
        EXPECT_GE(sides[i], above[i] - 1) << width << " x " << height;
      }
    }
    above = std::move(sides);
  }
  EXPECT_GE(side(1280, 720), 160);
}

/// The largest side of a map of the shown view.
float largest_map(const Window& window) {
  float side = 0;
  for (const auto& [name, rect] : window.marks())
    if (name.starts_with("map ") || name.starts_with("compare map") || name.starts_with("layer 1 head"))
      side = std::max(side, std::min(rect[2] - rect[0], rect[3] - rect[1]));
  return side;
}

TEST(Room, larger_text_never_halves_a_map_of_any_view) {
  for (const ImVec2 size : windows)
    for (const ViewKind kind : {ViewKind::grid, ViewKind::head, ViewKind::layers, ViewKind::compare}) {
      float normal = 0;
      for (const float text : text_sizes) {
        Window window(size, text);
        window.app.state.view.kind = kind;
        window.wait_until_idle();
        const float side = largest_map(window);
        if (text == text_sizes[0]) normal = side;
        EXPECT_GT(side, 0);
        EXPECT_GE(side, normal / 2) << size.x << " wide, text " << text << ", view "
                                    << static_cast<int>(kind);
      }
    }
}

/// Every control of the window, used by mouse at its mark.
class ByMouse : public AppFixture, public testing::WithParamInterface<float> {
 protected:
  ByMouse() : AppFixture({1280, 720}, GetParam()) {}

  /// Scrolls the controls until the mark is fully visible.
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
  /// By its tab, or in the list of views where there is no room for tabs.
  void show_view(int view) {
    if (shows("views")) click("views");
    click(fmt::format("views {}", view));
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
  for (const char* id : {"section more"}) reach_and_click(id);
  for (const char* list : {"colormap", "range", "kind of weights", "kv heads", "heads"}) {
    reach_and_click(list);
    EXPECT_TRUE(popup()) << list;
    press(Key::escape);
    EXPECT_FALSE(popup()) << list;
  }
  for (const char* list : {"filter", "order of heads"}) {
    click(list);
    EXPECT_TRUE(popup()) << list;
    for (const auto& [name, rect] : ui_anchors.rects()) EXPECT_TRUE(inside(rect, {0, 0, 1280, 720})) << name;
    press(Key::escape);
    EXPECT_FALSE(popup()) << list;
  }
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
  reach_and_click("section more");
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
  show_view(2);
  move(middle("head 3"));
  for (int i = 0; i < 2; ++i) {
    button(true);
    button(false);
  }
  settle();
  EXPECT_EQ(app.state.view.hidden_heads, (std::set<int>{0, 1, 3, 4, 5, 6, 7}));
  pause();
  EXPECT_TRUE(shows("hidden heads")) << "a badge, in every view";
  for (const int view : {0, 1, 3, 5}) {
    show_view(view);
    EXPECT_TRUE(shows("hidden heads")) << view;
  }
  click("hidden heads");
  EXPECT_TRUE(app.state.view.hidden_heads.empty());
}

TEST_P(ByMouse, panels_come_back_by_a_button_where_the_maps_are_alone) {
  EXPECT_FALSE(shows("hidden panels"));
  press(Key::f9);
  frames(2);
  EXPECT_FALSE(shows("panel controls"));
  click("hidden panels");
  frames(2);
  EXPECT_TRUE(shows("panel controls"));
  EXPECT_FALSE(shows("hidden panels"));
}

TEST_P(ByMouse, a_hidden_panel_leaves_a_strip_that_brings_it_back) {
  const auto before = place("panel stage");
  for (const char* panel : {"controls", "sentence", "inspector"}) {
    SCOPED_TRACE(panel);
    run_action(app, panel == std::string("sentence") ? "show sentence" : panel);
    frames(3);
    const std::string strip = std::string("way to ") + panel;
    ASSERT_TRUE(shows(strip));
    EXPECT_FALSE(overlap(place(strip), place("panel stage")));
    click(strip);
    frames(3);
    if (GetParam() < 20) {
      EXPECT_FALSE(shows(strip));
      EXPECT_EQ(place("panel stage"), before);
    }
  }
}

TEST_P(ByMouse, what_cannot_be_run_moves_no_map) {
  const auto before = place("map 1");
  app.inputs.heads = 7;
  frames(3);
  ASSERT_TRUE(shows("error"));
  EXPECT_EQ(place("map 1"), before);
  EXPECT_TRUE(inside(place("error"), place("panel stage")));
}

/// What a click may change: the session, settings, what is open, typed into or on the screen.
struct Answer {
  std::string session;
  Settings settings;
  bool popup = false, typing = false, pointing = false, playing = false;
  StepsLook steps;
  std::set<std::string> marks;
  bool operator==(const Answer&) const = default;
};

/// Excludes marks that are no controls, and controls without effect at the start: the one already chosen, the
/// first of several, the minimum.
bool answers_a_click(const std::string& mark) {
  static const std::set<std::string> nothing_to_do{
      "compare part 0", "inputs 0", "positions 0", "positions 1", "fill 0", "weights 0", "half 0", "half 1",
      "gain_q", "gain_k", "gain_q typed", "gain_k typed", "side", "side 0", "copy A to B", "side 1",
      "column head", "fewer", "smaller", "differences", "groups", "layer down", "previous layer",
      "groups fewer", "section steps", "steps pages 0", "steps 0", "matrices 0", "component 0", "output 0",
      // Nothing was changed yet, and explanations in tooltips.
      "undo", "redo", "info about B", "info words rule",
      // B is a copy of A, without dropout its seed is disabled, and no head is ablated.
      "swap sides", "state of B", "dropout seed", "ablated by 0", "ablated by 1", "restore heads",
      // Text-only sections, which open without their own mark.
      "section statistics", "section heads at cell"};
  if (nothing_to_do.contains(mark)) return false;
  for (const char* other : {"panel ",
                            "info ",
                            "visible",
                            "controls width",
                            "inspector width",
                            "map ",
                            "title ",
                            "card ",
                            "color bar",
                            "status",
                            "placeholder",
                            "text has no effect",
                            "row ",
                            "name of ",
                            "error",
                            "matrix",
                            "query token",
                            "key token",
                            "layer ",
                            "short arithmetic",
                            "inspected ",
                            "inspector hint",
                            "compare map",
                            "Top",
                            "At least",
                            "group ",
                            "editing",
                            "side ",
                            "stage ",
                            "shape strip",
                            "sign ",
                            "shape checks"})
    if (mark.starts_with(other)) return false;
  return true;
}

TEST_P(ByMouse, every_control_answers_and_stays_under_the_pointer) {
  app.inputs.d_model = 16;
  app.inputs.heads = 4;
  app.inputs.layers = 2;
  app.state.view.filter.threshold = 0.01;
  frames(3);
  const Session start = app.session();
  const Settings settings = app.settings;
  const auto now = [&] {
    Answer answer{to_json(app.session()),
                  app.settings,
                  popup(),
                  ImGui::GetIO().WantTextInput || memory.editing(),
                  app.state.lock.has_value() || app.state.brush.on,
                  app.state.next_step.has_value(),
                  app.state.steps,
                  {}};
    for (const auto& [name, rect] : ui_anchors.rects()) answer.marks.insert(name);
    return answer;
  };
  std::set<std::string> tried;
  float scrolled = 0;  // of the controls
  ViewKind view = ViewKind::grid;
  const auto come_back = [&] {
    for (int i = 0; i < 4 && (popup() || ImGui::GetIO().WantTextInput); ++i) press(Key::escape);
    end_presentation(app);
    app.settings = settings;
    app.set_session(start);
    frames(2);
    app.state.view.kind = view;
    const auto panel = place("panel controls");
    wheel_at({panel[0] + 4, panel[3] - 4}, 1000);
    wheel_at({panel[0] + 4, panel[3] - 4}, -scrolled);
    point_to({1, 1});
    wait_until_idle();
  };
  const auto try_all = [&] {
    come_back();
    std::vector<std::string> controls;
    for (const auto& [name, rect] : ui_anchors.rects())
      if (answers_a_click(name) && tried.insert(name).second) controls.push_back(name);
    for (const std::string& mark : controls) {
      SCOPED_TRACE(fmt::format("{} in view {}", mark, static_cast<int>(view)));
      // What is partly visible is scrolled into view as it is used.
      const auto seen = shows(mark) ? place(mark) : std::array<float, 4>{};
      const bool in_part =
          seen[3] > place("panel controls")[3] - 5 || seen[1] < place("panel controls")[1] + 5;
      if (in_part && seen[0] < place("panel controls")[2]) continue;
      if (shows("panel inspector") && seen[0] > place("panel inspector")[0] &&
          seen[3] > place("panel inspector")[3])
        continue;
      if (!shows(mark) || mark == fmt::format("views {}", static_cast<int>(view))) continue;
      if (mark.starts_with("views ") && why_no_view(app, static_cast<ViewKind>(std::stoi(mark.substr(6)))))
        continue;
      const ImVec2 spot = middle(mark);
      point_to(spot);
      const Answer before = now();
      click(spot);
      const Answer after = now();
      EXPECT_FALSE(before == after) << "nothing answers";
      if (!after.popup && shows(mark) && app.state.view.kind == view) {
        const auto rect = place(mark);
        EXPECT_TRUE(spot.x >= rect[0] && spot.x <= rect[2] && spot.y >= rect[1] && spot.y <= rect[3])
            << "it has moved to " << rect[0] << ", " << rect[1] << " from " << seen[0] << ", " << seen[1];
      }
      come_back();
    }
  };
  for (const ViewKindRow& row : view_kinds) {
    view = row.value;
    try_all();
  }
  for (const int page : {1, 2, 3, 4}) {
    scrolled = 4.0F * static_cast<float>(page);
    try_all();
  }
  EXPECT_GT(tried.size(), 60U);
}

/// Their entries, except those that quit, open what needs a desktop, or have no effect at the start.
TEST_P(ByMouse, entries_of_menus_can_be_chosen) {
  const std::string start = to_json(app.session());
  const Settings settings = app.settings;
  int chosen = 0;
  for (const char* menu : {"menu attention", "menu view"}) {
    click(menu);
    std::vector<std::string> entries;
    for (const auto& [name, rect] : ui_anchors.rects())
      if (name.starts_with("item ")) entries.push_back(name);
    press(Key::escape);
    for (const std::string& entry : entries) {
      click(menu);
      ASSERT_TRUE(shows(entry)) << entry;
      EXPECT_TRUE(inside(place(entry), {0, 0, 1280, 720})) << entry;
      click(entry);
      chosen += to_json(app.session()) != start || app.settings != settings || popup() ||
                app.notices.current() != nullptr;
      for (int i = 0; i < 4 && popup(); ++i) press(Key::escape);
      end_presentation(app);
      app.settings = settings;
      app.set_session(session_from_json(start, "start"));
      frames(2);
    }
  }
  EXPECT_GT(chosen, 15);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ByMouse, testing::ValuesIn(text_sizes));

}  // namespace headscope::tests

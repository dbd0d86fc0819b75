#include <imgui_internal.h>

#include <algorithm>

#include "app/panels/widgets/heard.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/document/adjust.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/navigation.h"
#include "core/scene/view_kinds.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

constexpr float finger = 44;
const ImVec2 upright{390, 844}, across{844, 390};

/// A phone, and a finger on it.
class Fingers : public AppFixture {
 protected:
  explicit Fingers(ImVec2 size = upright, float text = 16) : AppFixture(size, text), size_(size) {
    app.settings.welcome = false;
    frames(3);
  }

  void tap(const std::string& mark) {
    click(mark);
    frames(3);
  }
  void drag(ImVec2 from, ImVec2 by) {
    move(from);
    button(true);
    constexpr int steps = 8;
    for (int i = 1; i <= steps; ++i) {
      const float share = static_cast<float>(i) / steps;
      queue.push({.kind = Kind::position, .x = from.x + share * by.x, .y = from.y + share * by.y});
      frame();
    }
    button(false);
    settle();
  }
  void hold(ImVec2 at) {
    move(at);
    button(true, 1);
    button(false, 1);
    settle();
  }
  bool draws(const std::string& text) const {
    return std::ranges::any_of(ui_anchors.texts(), [&](const auto& one) { return one.text == text; });
  }
  bool explains() const {
    const ImGuiWindow* const window = ImGui::FindWindowByName("##Tooltip_00");
    return window != nullptr && window->Active;
  }
  /// All of it in the window, and for a finger.
  void expect_target(const std::string& mark) const {
    const auto [left, top, right, bottom] = place(mark);
    EXPECT_TRUE(inside({left, top, right, bottom}, {0, 0, size_.x, size_.y})) << mark;
    EXPECT_GE(bottom - top, finger - 1) << mark;
  }

  const ImVec2 size_;
};

/// What can be pressed is known by what is heard of it, also where it is scrolled out of sight.
class FingerTargets : public Fingers {
 protected:
  FingerTargets() { memory.heard = &heard_; }
  ~FingerTargets() override { memory.heard = nullptr; }

  void expect_targets(const std::string& where) {
    frames(3);
    int targets = 0;
    for (const HeardItem& item : heard_.items()) {
      const bool pressed = item.role > HeardRole::link && item.role < HeardRole::group;
      if (!pressed) continue;
      ++targets;
      EXPECT_GE(item.rect[3] - item.rect[1], finger - 1)
          << where << ": " << heard_role_name(item.role) << " \"" << item.name << "\" (" << item.mark << ")";
    }
    EXPECT_GT(targets, 1) << where;
  }

 private:
  Heard heard_;
};

TEST_F(FingerTargets, are_all_as_high_as_a_finger) {
  app.inputs.layers = 2;
  app.state.lock = Cell{0, 5, 2};
  for (const ViewKindRow& view : view_kinds) {
    app.state.view.kind = view.value;
    wait_until_idle();
    expect_targets(view.tab);
  }
  for (const ViewKind kind : {ViewKind::grid, ViewKind::compare}) {
    app.state.view.kind = kind;
    wait_until_idle();
    for (const char* tab : {"tab cell", "tab controls"}) {
      tap(tab);
      expect_targets(tab);
      tap(tab);
    }
  }
  app.state.view.kind = ViewKind::grid;
  for (const char* action : {"palette", "documents", "export", "open"}) {
    run_action(app, action);
    expect_targets(action);
    press(Key::escape);
  }
  tap("menu");
  expect_targets("menu");
  for (const char* menu : {"menu file", "menu edit", "menu attention", "menu view", "menu help"}) {
    tap(menu);
    expect_targets(menu);
    tap(menu);
  }
  press(Key::escape);
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  for (int step = 0; step <= app.lesson.last(); ++step) {
    go_to_step(app, step);
    wait_until_idle();
    expect_targets(fmt::format("step {}", step + 1));
  }
}

class FingersAcross : public Fingers {
 protected:
  FingersAcross() : Fingers(across) {}
};

TEST(FingersTexts, an_explanation_names_no_keys_where_there_are_none) {
  EXPECT_EQ(without_keys("Next head (Ctrl+→)"), "Next head");
  EXPECT_EQ(without_keys("显示控制面板（F7）"), "显示控制面板");
  EXPECT_EQ(without_keys("A (of B) token\nShift+click to mark it\nIt is read"), "A (of B) token\nIt is read");
  EXPECT_EQ(without_keys("Ctrl+click to type"), "");
  EXPECT_EQ(without_keys("Painting: drag over a map; Ctrl+P ends it"), "Painting: drag over a map");
  EXPECT_EQ(without_keys("BF16, F32 and FP8"), "BF16, F32 and FP8");
}

TEST_F(Fingers, a_slider_is_moved_across_and_scrolled_along) {
  tap("tab controls");
  tap("sheet handle");
  const double before = app.inputs.temperature;
  const auto knob = middle("temperature");
  drag(knob, {4, -120});
  EXPECT_EQ(app.inputs.temperature, before) << "scrolled";
  const auto scrolled = middle("temperature");
  EXPECT_LT(scrolled.y, knob.y - 60);
  frames(60);
  const auto rests = middle("temperature");
  drag(rests, {60, 4});
  EXPECT_GT(app.inputs.temperature, before);
  EXPECT_EQ(middle("temperature").y, rests.y) << "not scrolled";
}

TEST_F(Fingers, a_slider_is_as_wide_as_the_sheet_and_has_steps_at_its_ends) {
  tap("tab controls");
  tap("sheet handle");
  const auto sheet = place("panel controls"), slider = place("temperature");
  EXPECT_GT(slider[2] - slider[0], 0.6F * (sheet[2] - sheet[0]));
  const double before = app.inputs.temperature;
  for (const auto& [mark, grows] : {std::pair{"slider more", true}, {"slider fewer", false}}) {
    expect_target(mark);
    const double now = app.inputs.temperature;
    tap(mark);
    EXPECT_EQ(app.inputs.temperature > now, grows) << mark;
  }
  EXPECT_NEAR(app.inputs.temperature, before, 0.2);
}

TEST_F(Fingers, menus_unfold_in_the_window_in_lines_for_a_finger_that_scrolls_them) {
  tap("menu");
  for (const char* menu : {"menu file", "menu help"}) {
    expect_target(menu);
    const auto closed = place(menu);
    tap(menu);
    EXPECT_EQ(place(menu)[0], closed[0]) << menu << " stays";
    int lines = 0;
    for (const auto& [name, rect] : ui_anchors.rects())
      if (name.starts_with("item ") && rect[3] - rect[1] > finger / 2) {
        EXPECT_GE(rect[3] - rect[1], finger - 2) << name;
        EXPECT_GE(rect[0], 0) << name;
        EXPECT_LE(rect[2], size_.x) << name;
        ++lines;
      }
    EXPECT_GE(lines, 4) << menu;
    if (menu == std::string("menu file")) tap(menu);
  }
  EXPECT_FALSE(ui_anchors.rects().contains("item keys"));
  tap("submenu Lessons");
  const ImVec2 lessons = middle("submenu Lessons");
  drag({lessons.x, lessons.y + 2 * finger}, {2, -60});
  EXPECT_LT(middle("submenu Lessons").y, lessons.y - 30);
  EXPECT_FALSE(app.lesson.playing()) << "scrolled, not chosen";
}

TEST_F(FingersAcross, a_figure_is_seen_and_exported_where_no_tap_has_opened_its_page) {
  const auto opener = place("export");
  tap("export");
  wait_until_idle();
  const auto page = place("export page");
  EXPECT_GT((page[2] - page[0]) * (page[3] - page[1]), 20000);
  for (const char* target : {"export cancel", "copy figure", "export start"}) {
    expect_target(target);
    EXPECT_FALSE(overlap(place(target), opener)) << target;
  }
  EXPECT_FALSE(shows("copy command"));
  EXPECT_FALSE(overlap(page, place("format 0")));
  tap("export cancel");
  EXPECT_FALSE(app.dialogs.figure.open);
}

TEST_F(Fingers, a_dialog_is_the_window_and_is_left_by_its_button) {
  for (const auto& [action, open] : {std::pair<const char*, bool*>{"palette", &app.dialogs.palette.open},
                                     {"about", &app.dialogs.about},
                                     {"messages", &app.dialogs.messages},
                                     {"documents", &app.dialogs.page.open}}) {
    *open = false;
    run_action(app, action);
    if (!*open) *open = true;
    frames(4);
    expect_target("dialog back");
    const ImGuiWindow* const dialog = ImGui::GetTopMostPopupModal();
    ASSERT_NE(dialog, nullptr) << action;
    EXPECT_EQ(dialog->Size.x, size_.x) << action;
    EXPECT_EQ(dialog->Size.y, size_.y) << action;
    tap("dialog back");
    EXPECT_FALSE(*open) << action;
  }
}

TEST_F(Fingers, a_swipe_goes_to_the_next_head_and_in_a_lesson_to_the_next_step) {
  open_head(app.state, 2);
  frames(3);
  const ImVec2 map = middle("map 3");
  drag(map, {-150, 10});
  EXPECT_EQ(app.state.view.head, 3);
  EXPECT_FALSE(app.state.lock);
  drag(map, {150, -10});
  EXPECT_EQ(app.state.view.head, 2);
  drag(map, {20, 150});
  EXPECT_EQ(app.state.view.head, 2);
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  wait_until_idle();
  const auto stage = place("panel stage");
  const ImVec2 on_stage{(stage[0] + stage[2]) / 2, (stage[1] + stage[3]) / 2};
  drag(on_stage, {-150, 0});
  EXPECT_EQ(app.lesson.step, 1);
  drag(on_stage, {150, 0});
  EXPECT_EQ(app.lesson.step, 0);
}

TEST_F(Fingers, a_wheel_as_of_two_fingers_enlarges_a_head) {
  open_head(app.state, 2);
  frames(3);
  wheel_at(middle("map 3"), 2);
  EXPECT_GT(app.state.view.zoom.factor, 1.2);
}

TEST_F(Fingers, what_a_mouse_rests_on_is_explained_to_a_finger_that_is_held) {
  move(middle("undo"));
  pause();
  EXPECT_FALSE(explains());
  hold(middle("export"));
  EXPECT_TRUE(explains());
  EXPECT_FALSE(app.dialogs.figure.open);
  pause();
  EXPECT_TRUE(explains()) << "until the next touch";
  tap("tab cell");
  EXPECT_FALSE(explains());
  pause();
  EXPECT_FALSE(explains());
}

TEST_F(Fingers, what_a_finger_has_scrolled_runs_on_unless_less_motion_is_wanted) {
  const auto runs_on = [&] {
    const ImVec2 map = middle("map 3");
    drag(map, {2, -60});
    const float lifted = place("map 3")[1];
    frames(20);
    return lifted - place("map 3")[1];
  };
  EXPECT_GT(runs_on(), 5);
  frames(120);
  drag(middle("map 3"), {2, 200});
  frames(120);
  app.motion.reduced = true;
  EXPECT_EQ(runs_on(), 0);
}

TEST_F(Fingers, a_brush_paints_where_a_finger_would_scroll) {
  app.state.brush.on = true;
  frames(2);
  const auto before = place("map 1");
  const ImVec2 map = middle("map 1");
  drag(map, {2, 50});
  EXPECT_EQ(place("map 1"), before);
  EXPECT_FALSE(app.inputs.mask.empty());
  app.state.brush.on = false;
  drag(map, {2, -50});
  EXPECT_LT(place("map 1")[1], before[1]);
}

TEST_F(Fingers, painting_is_seen_and_left_in_every_view) {
  for (const ViewKindRow& view : view_kinds) {
    SCOPED_TRACE(view.tab);
    app.state.view.kind = view.value;
    app.state.brush.on = true;
    wait_until_idle();
    expect_target("painting done");
    EXPECT_TRUE(inside(place("painting"), {0, 0, place("painting done")[0], size_.y}));
    EXPECT_FALSE(overlap(place("painting done"), place("panel stage")));
    tap("painting done");
    EXPECT_FALSE(app.state.brush.on);
    EXPECT_FALSE(shows("painting"));
  }
}

TEST_F(Fingers, a_brush_paints_nothing_with_the_first_of_two_fingers) {
  app.state.brush.on = true;
  frames(2);
  const ImVec2 map = middle("map 1");
  move(map);
  button(true);
  frames(3);
  queue.push({.kind = Kind::leave});
  button(false);
  settle();
  EXPECT_TRUE(app.inputs.mask.empty());
  const float before = place("map 1")[1];
  wheel_at(map, -1);
  EXPECT_LT(place("map 1")[1], before) << "they scroll";
  EXPECT_TRUE(app.inputs.mask.empty());
  const auto painted = [&] { return app.inputs.mask.empty() ? 0 : std::ssize(app.inputs.mask[0].painted); };
  hold(middle("map 1"));
  EXPECT_EQ(painted(), 0);
  click(middle("map 1"));
  EXPECT_EQ(painted(), 1);
}

TEST_F(Fingers, a_token_is_locked_by_a_tap_and_edited_by_the_pencil) {
  tap("token 2");
  EXPECT_FALSE(memory.editing());
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 2);
  tap("token 2");
  EXPECT_FALSE(app.state.lock);
  const auto last = place("token 9"), field = place("sentence");
  click(field[2] - 2 * finger, last[3] - 2);
  EXPECT_FALSE(memory.editing()) << "beside the tokens";
  tap("edit sentence");
  EXPECT_TRUE(memory.editing());
}

TEST_F(Fingers, each_of_two_sentences_has_its_pencil) {
  set_cross(app.inputs, true);
  wait_until_idle();
  for (const char* pencil : {"edit sentence", "edit key sentence"}) {
    expect_target(pencil);
    EXPECT_FALSE(overlap(place(pencil), place("token 0"))) << pencil;
    EXPECT_FALSE(overlap(place(pencil), place("key token 0"))) << pencil;
    tap(pencil);
    EXPECT_TRUE(memory.editing()) << pencil;
    press(Key::escape);
    EXPECT_FALSE(memory.editing()) << pencil;
  }
}

TEST_F(FingersAcross, a_verdict_is_seen_once_the_answer_is_given) {
  ASSERT_TRUE(play_lesson(app, "masks"));
  const auto seen = [&](const char* verdict) {
    return shows(verdict) && place(verdict)[3] - place(verdict)[1] > 8;
  };
  int out_of_view = 0;
  for (int step = 0; step <= app.lesson.last(); ++step) {
    const auto& questions = app.lesson.lesson->steps[step].questions;
    if (questions.size() != 1 || questions.front().choices.empty()) continue;
    SCOPED_TRACE(step);
    go_to_step(app, step);
    wait_until_idle();
    const std::string last = fmt::format("lesson choice {}", questions.front().choices.size());
    for (int i = 0; i < 60 && (!shows(last) || place(last)[3] - place(last)[1] < finger - 1); ++i)
      wheel_at(middle("panel lesson"), -0.5F);
    out_of_view += !seen("lesson not yet");
    tap(last);
    EXPECT_TRUE(seen("lesson not yet") || seen("lesson answered"));
  }
  EXPECT_GT(out_of_view, 0);
}

TEST_F(Fingers, a_sheet_leaves_the_locked_cell_in_view) {
  tap("tab cell");
  for (int head = 0; head < 8; ++head) {
    app.state.lock = Cell{head, 9, 2};
    frames(3);
    const auto map = place(fmt::format("map {}", head + 1)), sheet = place("sheet handle");
    EXPECT_LE(map[3], sheet[1]) << head;
    EXPECT_GE(map[1], place("panel stage")[1]) << head;
  }
}

TEST_F(Fingers, a_field_stays_in_sight_above_a_keyboard_on_the_screen) {
  tap("tab controls");
  tap("sheet handle");
  tap("Padding");
  tap("padding tokens");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  const float low = place("padding tokens")[3];
  constexpr float above = 360;
  ASSERT_GT(low, above) << "it would be in sight anyway";
  ImGui::GetIO().DisplaySize.y = above;
  settle();
  const auto field = place("padding tokens");
  EXPECT_GE(field[1], place("sheet handle")[3]);
  EXPECT_LE(field[3], place("tab controls")[1]);
  EXPECT_TRUE(inside(place("tab controls"), {0, 0, upright.x, above}));
  type(U"2");
  press(Key::enter);
  ASSERT_NE(find_part(app.inputs, MaskKind::padding), nullptr);
  EXPECT_EQ(find_part(app.inputs, MaskKind::padding)->tokens, std::vector<int>{1});
}

TEST_F(Fingers, a_text_is_seen_whole_where_a_row_of_its_tokens_was) {
  ImGui::GetIO().DisplaySize.y = 444;
  settle();
  tap("edit sentence");
  settle();
  const auto field = place("sentence");
  EXPECT_GE(field[3] - field[1], 2 * ImGui::GetFontSize() + 2 * ImGui::GetStyle().FramePadding.y);
}

TEST_F(Fingers, words_and_the_foot_of_a_lesson_are_targets) {
  for (const char* mark : {"token 0", "token 1", "edit sentence", "filter"}) expect_target(mark);
  EXPECT_GE(place("token 1")[2] - place("token 1")[0], finger);
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  wait_until_idle();
  expect_target("lesson next");
  expect_target("lesson steps");
  tap("lesson next");
  EXPECT_EQ(app.lesson.step, 1);
  expect_target("lesson back");
  tap("lesson steps");
  tap("lesson steps 3");
  EXPECT_EQ(app.lesson.step, 3);
  tap("lesson close");
  EXPECT_FALSE(app.lesson.playing());
}

TEST_F(Fingers, a_lesson_takes_what_its_step_needs_and_no_choice_is_cut) {
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  int choices = 0;
  for (int step = 0; step <= app.lesson.last(); ++step) {
    SCOPED_TRACE(step);
    go_to_step(app, step);
    wait_until_idle();
    EXPECT_LE(size_.y - place("sheet handle")[1], 0.66F * size_.y);
    for (const auto& [name, rect] : ui_anchors.rects()) {
      if (!name.starts_with("lesson choice ") || name.starts_with("lesson choice text")) continue;
      EXPECT_GE(rect[3] - rect[1], finger - 1) << name;
      ++choices;
    }
  }
  EXPECT_GT(choices, 2);
}

TEST_F(Fingers, above_a_lesson_the_arithmetic_has_no_turns_of_its_own) {
  ASSERT_TRUE(play_lesson(app, "by-hand"));
  wait_until_idle();
  EXPECT_TRUE(shows("lesson next"));
  for (const char* turn : {"step next", "play", "steps pages"}) EXPECT_FALSE(shows(turn)) << turn;
  tap("tab lesson");
  wait_until_idle();
  EXPECT_FALSE(shows("lesson next"));
  for (const char* turn : {"step next", "play"}) EXPECT_TRUE(shows(turn)) << turn;
}

TEST_F(FingersAcross, a_lesson_has_lines_to_read) {
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  wait_until_idle();
  const ImGuiWindow* const text = ImGui::FindWindowByName("headscope");
  ASSERT_NE(text, nullptr);
  const auto panel = place("panel lesson"), next = place("lesson next");
  EXPECT_GE(next[1] - panel[1], 9 * 16);
}

TEST_F(Fingers, the_menu_of_a_map_is_as_wide_whatever_its_lines_are) {
  hold(middle("map 2"));
  for (const char* line : {"map menu copy cell", "map menu marks", "map menu heads at cell"}) {
    const auto at = place(line);
    EXPECT_GE(at[2] - at[0], 0.85F * size_.x) << line;
    EXPECT_TRUE(inside(at, {0, 0, size_.x, size_.y})) << line;
  }
}

TEST_F(Fingers, titles_of_compared_maps_keep_what_differs) {
  app.compare = app.inputs;
  app.compare->temperature = 0.5;
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  EXPECT_TRUE(draws("A · 1") && draws("B · 0.5"));
}

TEST_F(Fingers, the_line_below_the_maps_of_a_lesson_says_what_fills_it) {
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  wait_until_idle();
  app.state.lock.reset();
  frames(3);
  const std::string hint = "Tap a cell to see its numbers.";
  EXPECT_TRUE(draws(hint));
  app.state.lock = Cell{0, 2, 1};
  frames(3);
  EXPECT_FALSE(draws(hint));
}

TEST_F(FingersAcross, a_figure_as_on_the_screen_has_its_own_rows_where_those_are_scrolled) {
  EXPECT_EQ(app.state.shown_rows, 0);
  app.state.view.rows = 2;
  frames(3);
  EXPECT_EQ(app.state.shown_rows, 2);
}

/// A notice on the present screen is over nothing that is pressed there.
class NoticesOverView : public FingersAcross {
 protected:
  void expect_all_free() {
    app.notices.warn(Notice::About::nothing, "{}", std::string(60, 'x'));
    frames(3);
    const auto text = place("notice above"), cross = place("dismiss");
    for (const char* mark : {"menu", "export", "tab cell", "token 0", "edit sentence", "sheet handle",
                             "lesson steps", "lesson next", "lesson close"}) {
      if (!shows(mark)) continue;
      EXPECT_FALSE(overlap(place(mark), text)) << mark;
      EXPECT_FALSE(overlap(place(mark), cross)) << mark;
    }
    tap("dismiss");
    EXPECT_EQ(app.notices.current(), nullptr);
  }
};

TEST_F(NoticesOverView, cover_nothing_that_is_pressed) {
  expect_all_free();
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  wait_until_idle();
  ASSERT_TRUE(shows("lesson next") && shows("sheet handle"));
  expect_all_free();
  tap("sheet handle");
  ASSERT_FALSE(shows("map 1"));
  expect_all_free();
}

TEST_F(Fingers, a_notice_is_answered_by_a_finger) {
  app.state.view.hidden_heads = {1, 2};
  app.notices.warn(Notice::About::nothing, "{}", std::string(60, 'x'));
  frames(3);
  for (const char* mark : {"dismiss", "hidden heads"}) expect_target(mark);
  tap("hidden heads");
  EXPECT_TRUE(app.state.view.hidden_heads.empty());
  tap("dismiss");
  EXPECT_EQ(app.notices.current(), nullptr);
}

}  // namespace headscope::tests

#include "app/state/actions/present.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/caption.h"
#include "app/state/view/navigation.h"
#include "app/state/view/panels.h"
#include "core/teach/library.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class Presenting : public StateFixture {
 protected:
  void show(const std::string& sentence) {
    app.inputs.sentence = sentence;
    frames(2);
  }
  std::string first_token() { return app.block()->tokens.front().text; }
};

TEST_F(Presenting, two_keys_begin_it_and_esc_ends_it_without_taking_back_anything_else) {
  app.state.lock = Cell{2, 1, 1};
  for (const Key key : {Key::f11, Key::f5}) {
    press(key);
    EXPECT_TRUE(app.presentation.on);
    press(key);
    EXPECT_FALSE(app.presentation.on);
    press(key);
    app.presentation.black = app.presentation.lens = app.presentation.contrast = true;
    freeze_picture(app, true);
    press(Key::escape);  // from black
    EXPECT_TRUE(app.presentation.on);
    press(Key::escape);
    EXPECT_FALSE(app.presentation.on);
    EXPECT_TRUE(app.presentation.lens && app.presentation.contrast) << "for the next time";
    EXPECT_EQ(app.frozen.a, nullptr);
  }
  EXPECT_EQ(app.state.lock, (Cell{2, 1, 1}));
  EXPECT_TRUE(app.is_session(app.session()));
}

TEST_F(Presenting, its_keys_do_nothing_at_other_times) {
  const auto used = [&] {
    return std::tuple(app.presentation.black, app.presentation.lens, app.presentation.contrast,
                      app.frozen.a != nullptr, app.state.view.head, app.state.view.colormap);
  };
  const auto before = used();
  for (const Key key : {Key::b, Key::m, Key::f, Key::h, Key::c, Key::p, Key::space, Key::page_up}) press(key);
  EXPECT_EQ(used(), before);
  press(Key::f5);
  for (const auto& [key, what] : {std::pair{Key::m, &Presentation::lens},
                                  {Key::h, &Presentation::contrast},
                                  {Key::b, &Presentation::black}}) {
    press(key);
    EXPECT_TRUE(app.presentation.*what);
  }
}

TEST_F(Presenting, keys_are_for_the_text_while_one_is_edited) {
  press(Key::f5);
  input.text_focus = true;
  for (const Key key : {Key::b, Key::m, Key::f, Key::space}) press(key);
  EXPECT_FALSE(app.presentation.black || app.presentation.lens || app.frozen.a);
}

TEST_F(Presenting, any_key_or_button_ends_the_black_screen_and_does_nothing_else) {
  press(Key::f5);
  const std::optional<int> head = app.state.view.head;
  for (const Key key : {Key::b, Key::escape, Key::page_down, Key::space}) {
    press(Key::b);
    ASSERT_TRUE(app.presentation.black);
    press(key);
    EXPECT_FALSE(app.presentation.black);
    EXPECT_TRUE(app.presentation.on);
    EXPECT_EQ(app.state.view.head, head);
  }
  press(Key::b);
  input.button_pressed = true;
  frame();
  EXPECT_FALSE(app.presentation.black);
}

TEST_F(Presenting, a_clicker_goes_through_heads_both_ways) {
  app.state.view.kind = ViewKind::head;
  app.state.view.head = 0;
  press(Key::f5);
  press(Key::page_down);
  press(Key::space);
  EXPECT_EQ(app.state.view.head, 2);
  press(Key::page_up);
  EXPECT_EQ(app.state.view.head, 1);
  press(Key::space, false, true);
  EXPECT_EQ(app.state.view.head, 0);
  app.state.brush.on = true;
  press(Key::space);
  EXPECT_EQ(app.state.view.head, 1) << "another key paints";
  press(Key::right);
  EXPECT_EQ(app.state.view.head, 2);
  press(Key::left);
  EXPECT_EQ(app.state.view.head, 1);
}

TEST_F(Presenting, a_clicker_goes_from_all_heads_to_each_and_through_the_steps_of_a_lesson) {
  press(Key::f5);
  press(Key::page_down);
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_EQ(app.state.view.head, 0);
  ASSERT_TRUE(play_lesson(app, "why-many-heads"));
  frame();
  press(Key::page_down);
  press(Key::space);
  EXPECT_EQ(app.lesson.step, 2);
  press(Key::page_up);
  EXPECT_EQ(app.lesson.step, 1);
  ASSERT_TRUE(play_lesson(app, "by-hand"));
  frame();
  ASSERT_EQ(app.state.view.kind, ViewKind::steps);
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 1) << "its step says which stage is shown";
  const std::string stage = app.state.view.steps.stage;
  press(Key::down);
  EXPECT_EQ(app.lesson.step, 1);
  EXPECT_NE(app.state.view.steps.stage, stage);
  press(Key::up);
  EXPECT_EQ(app.state.view.steps.stage, stage);
  press(Key::down);
  press(Key::space);
  EXPECT_EQ(app.lesson.step, 2) << "at whatever stage";
}

/// What a class makes of a step: other colours, another cell, another sentence.
void change_step_shown(App& app, int which) {
  if (which == 0) run_action(app, "safe colours");
  if (which == 1 && app.block()->n_q() > 1) app.state.lock = Cell{0, 1, 0};
  if (which == 2) app.inputs.sentence += " today";
}

TEST_F(Presenting, a_clicker_plays_every_lesson_in_as_many_presses_as_it_has_steps) {
  // The other keys do what this one does; runs of long texts would only take time.
  for (const BuiltInLesson& lesson : built_in_lessons()) {
    if (lesson.course) continue;  // of the same steps
    SCOPED_TRACE(lesson.name);
    ASSERT_TRUE(play_lesson(app, lesson.name));
    if (!app.presentation.on) press(Key::f5);
    int parts = 0;
    for (const LessonStep& step : app.lesson.lesson->steps) parts += step.parts();
    const auto place = [&] { return std::pair(app.lesson.step, app.lesson.part); };
    const std::array forwards{Key::page_down, Key::space, Key::right};
    for (int press_of = 1; press_of < parts; ++press_of) {
      const auto before = place();
      change_step_shown(app, press_of % 3);
      if (press_of % 5 == 0) run_action(app, "lesson text");
      press(forwards[press_of / 3 % 3]);
      EXPECT_GT(place(), before) << before.first + 1;
      EXPECT_FALSE(shows_lesson_text(app));
    }
    EXPECT_EQ(app.lesson.step, app.lesson.last());
    press(Key::space);
    EXPECT_EQ(app.lesson.step, app.lesson.last()) << "there is no other";
    for (int press_of = 1; press_of < parts; ++press_of) press(press_of % 2 == 0 ? Key::left : Key::page_up);
    EXPECT_EQ(place(), std::pair(0, 0));
    close_lesson(app);
  }
}

TEST_F(Presenting, a_step_lists_the_stages_that_it_wants) {
  press(Key::f5);
  ASSERT_TRUE(play_lesson(app, "by-hand"));
  go_to_step(app, 4);
  frames(3);
  press(Key::space);
  ASSERT_EQ(app.lesson.at().stages, (std::vector<std::string>{"products", "scale"}));
  EXPECT_EQ(app.state.view.steps.stage, "products");
  press(Key::space);
  EXPECT_EQ(std::pair(app.lesson.step, app.lesson.part), std::pair(5, 1));
  EXPECT_EQ(app.state.view.steps.stage, "scale");
  EXPECT_FALSE(has_left_step(app));
  press(Key::space);
  EXPECT_EQ(app.lesson.step, 6);
  press(Key::page_up);
  EXPECT_EQ(std::pair(app.lesson.step, app.lesson.part), std::pair(5, 1)) << "as it was left";
  press(Key::down);
  EXPECT_TRUE(has_left_step(app));
  return_to_lesson(app);
  frames(2);
  EXPECT_EQ(app.state.view.steps.stage, "scale");
}

TEST_F(Presenting, a_panel_that_keys_are_in_has_all_but_the_page_keys) {
  press(Key::f5);
  ASSERT_TRUE(play_lesson(app, "masks"));
  frames(2);
  app.state.panel = app.state.panel_before = Panel::controls;
  app.presentation.edge = Edge::left;
  input.by_keys = true;
  for (const Key key : {Key::space, Key::right, Key::c}) press(key);
  EXPECT_EQ(app.lesson.step, 0);
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 1);
}

TEST_F(Presenting, t_shows_the_text_of_a_step_until_the_next_one) {
  press(Key::f5);
  press(Key::t);
  EXPECT_FALSE(shows_lesson_text(app)) << "there is no lesson";
  ASSERT_TRUE(play_lesson(app, "by-hand"));
  frame();
  press(Key::t);
  EXPECT_TRUE(shows_lesson_text(app));
  app.lesson.text_below = true;
  press(Key::down);
  EXPECT_EQ(app.lesson.scroll, 1) << "the rest of the text";
  EXPECT_TRUE(shows_lesson_text(app));
  press(Key::page_down);
  EXPECT_EQ(app.lesson.step, 1);
  EXPECT_FALSE(shows_lesson_text(app));
  press(Key::t);
  press(Key::t);
  EXPECT_FALSE(shows_lesson_text(app));
  press(Key::t);
  press(Key::escape);
  press(Key::f5);
  EXPECT_FALSE(shows_lesson_text(app)) << "every presentation begins with the view";
}

TEST_F(Presenting, what_is_frozen_stays_until_it_thaws) {
  app.inputs.heads = 8;
  show("one two three");
  press(Key::f5);
  press(Key::f);
  ASSERT_NE(app.frozen.a, nullptr);
  const auto frozen = app.block();
  app.state.lock = Cell{7, 2, 2};
  app.inputs.heads = 2;
  show("other");
  EXPECT_EQ(app.block(), frozen);
  const Frame shown = frame();
  EXPECT_EQ(shown.block, frozen);
  EXPECT_FALSE(shown.stale);
  EXPECT_EQ(app.state.lock, (Cell{7, 2, 2})) << "it is pointed at while somebody types";
  app.inputs.d_model = 3;  // which two heads don't divide
  EXPECT_EQ(frame().error, "");
  app.inputs.d_model = 4;
  frame();
  press(Key::f);
  EXPECT_EQ(first_token(), "other");
  EXPECT_EQ(app.block()->heads(), 2);
  EXPECT_EQ(app.state.lock, std::nullopt);
}

TEST_F(Presenting, panels_come_with_the_keyboard_and_settings_stay) {
  const Settings before = app.settings;
  press(Key::f5);
  EXPECT_FALSE(is_visible(app, Panel::controls));
  std::set<Edge> edges;
  for (int i = 0; i < 12; ++i) {
    press(Key::f6);
    edges.insert(edge_of(app.state.panel));
  }
  EXPECT_EQ(edges, (std::set{Edge::none, Edge::top, Edge::left}));
  press(Key::f7);
  EXPECT_EQ(app.state.panel_wanted, Panel::controls);
  app.state.panel = app.state.panel_before = Panel::controls;
  input.by_keys = true;
  press(Key::escape);
  EXPECT_TRUE(app.presentation.on) << "first back to the maps";
  press(Key::escape);
  EXPECT_FALSE(app.presentation.on);
  EXPECT_EQ(app.settings, before);
}

TEST_F(Presenting, colours_go_through_those_that_everybody_can_distinguish) {
  app.state.view.colormap = Colormap::magma;
  press(Key::f5);
  for (const Colormap next : {Colormap::cividis, Colormap::viridis, Colormap::greys, Colormap::cividis}) {
    press(Key::c);
    EXPECT_EQ(app.state.view.colormap, next);
  }
}

TEST_F(Presenting, a_frame_goes_onto_the_clipboard_after_those_that_still_show_the_pointer) {
  std::string png;
  press(Key::f5);
  press(Key::p);
  EXPECT_EQ(app.presentation.copy_in, 0) << "nobody takes it";
  app.desktop.put_picture = [&](std::string copied) {
    png = std::move(copied);
    return true;
  };
  press(Key::p);
  EXPECT_GT(app.presentation.copy_in, 1);
  copy_presented(app, {{0x102030, 0xFFFFFF}, 2, 1});
  EXPECT_EQ(app.presentation.copy_in, 0);
  EXPECT_TRUE(png.starts_with("\x89PNG"));
  ASSERT_NE(app.notices.current(), nullptr);
}

TEST(Caption, reports_a_weight_in_two_places_while_there_is_something_in_them) {
  for (const auto& [weight, text] : {std::pair{0.3149F, "0.31"},
                                     {1.0F, "1.00"},
                                     {0.9951F, "0.995"},
                                     {0.9999F, "> 0.999"},
                                     {0.071F, "0.07"},
                                     {0.01F, "0.01"},
                                     {0.0041F, "0.004"},
                                     {0.0F, "0.00"},
                                     {1e-7F, "< 0.001"}})
    EXPECT_EQ(presented_number(weight), text);
}

TEST_F(Presenting, a_token_that_recurs_is_said_with_its_place) {
  show("the cat the");
  app.state.lock = Cell{0, 1, 2};
  const auto caption = caption_of(app.tr, app.state, *app.shown(), app.labels, nullptr);
  ASSERT_TRUE(caption);
  EXPECT_EQ(caption->key, "the");
  EXPECT_THAT(spoken(*caption), HasSubstr("cat → the (3), "));
}

TEST(LiveText, has_the_name_of_a_view_that_has_just_come) {
  LiveText live;
  EXPECT_EQ(live.say("Grid", ""), "");
  EXPECT_EQ(live.say("Grid", "a → b"), "a → b");
  EXPECT_EQ(live.say("Lines", "a → b"), "Lines. a → b");
  EXPECT_EQ(live.say("Lines", "a → b"), "Lines. a → b") << "said once";
  EXPECT_EQ(live.say("Lines", "a → c"), "a → c");
  EXPECT_EQ(live.say("Grid", ""), "Grid");
  EXPECT_EQ(live.say("Grid", "a → c"), "a → c");
}

TEST_F(Presenting, the_caption_is_of_the_pointed_cell_or_else_the_locked_one) {
  show("猫 它");
  const auto caption = [&] { return caption_of(app.tr, app.state, *app.shown(), app.labels, nullptr); };
  EXPECT_FALSE(caption());
  app.state.lock = Cell{1, 1, 0};
  ASSERT_TRUE(caption());
  EXPECT_EQ(caption()->title, "Head 2");
  EXPECT_EQ(caption()->query, "它");
  EXPECT_EQ(caption()->key, "猫");
  const float weight = app.block()->maps->weight(0, 1, 1, 0);
  EXPECT_EQ(caption()->numbers.front().second, presented_number(weight));
  EXPECT_EQ(spoken(*caption()), "Head 2, 它 → 猫, " + presented_number(weight));
  app.state.last_hover = Cell{0, 0, 1};
  EXPECT_EQ(caption()->key, "它");
  app.state.last_hover = Cell{0, 9, 1};
  EXPECT_FALSE(caption()) << "there is no such cell";
  app.state.last_hover.reset();
  app.state.view.filter.threshold = 0.999;
  EXPECT_EQ(caption()->numbers.front().second, "hidden");
}

TEST_F(Presenting, a_pointer_that_rests_leaves_the_caption_to_the_locked_cell) {
  show("猫 它");
  ASSERT_TRUE(play_lesson(app, "masks"));
  frames(3);
  const Cell pointed{0, 0, 0};
  const auto point = [&](bool moved) {
    app.state.hover = pointed;
    input.pointer_moved = moved;
    frame();
    input.pointer_moved = false;
    return app.state.focus(*app.block());
  };
  const auto locked = app.state.lock;
  ASSERT_TRUE(locked && *locked != pointed);
  EXPECT_EQ(point(true), pointed);
  EXPECT_EQ(point(false), pointed) << "nothing else has moved";
  press(Key::f5);
  EXPECT_EQ(point(false), locked);
  EXPECT_EQ(point(true), pointed);
  step_lesson(app, 1);
  frames(3);
  EXPECT_EQ(point(false), app.state.lock);
  EXPECT_EQ(point(true), pointed);
  move_lock(app.state, *app.shown(), 0, 1, 0);
  EXPECT_EQ(point(false), app.state.lock);
  app.state.lock.reset();
  EXPECT_EQ(point(false), pointed) << "there is no other";
}

TEST_F(Presenting, a_comparison_reports_both_numbers_and_their_difference) {
  show("one two");
  app.state.view.kind = ViewKind::compare;
  frames(2);
  app.compare->sentence = "one three";
  app.compare->temperature = 4;
  frames(2);
  const auto caption = [&] {
    const auto c = app.view_cache.comparison(app.block(), app.block(Side::b), app.state.view);
    wait_until_idle();
    return caption_of(app.tr, app.state, *app.shown(), app.labels,
                      app.view_cache.comparison(app.block(), app.block(Side::b), app.state.view).get());
  };
  app.state.lock = Cell{0, 0, 0};
  caption();
  const auto both = caption();
  ASSERT_TRUE(both);
  ASSERT_EQ(both->numbers.size(), 3U);
  EXPECT_EQ(both->numbers[2].first, "B − A");
  app.state.lock = Cell{0, 1, 1};
  EXPECT_EQ(caption()->query, "two|three");
  app.compare->sentence = "one";
  frames(2);
  caption();
  const auto one = caption();
  ASSERT_TRUE(one);
  EXPECT_EQ(one->query, "two");
  EXPECT_EQ(one->numbers.back(), (std::pair<std::string, std::string>{"B", "–"}));
}

TEST_F(Presenting, a_comparison_says_which_side_is_blocked) {
  show("one two");
  app.state.view.kind = ViewKind::compare;
  frames(2);
  app.compare->mask = {parse_mask_part("causal")};
  app.state.lock = Cell{0, 0, 1};
  wait_until_idle();
  frames(2);
  const auto comparison = app.view_cache.comparison(app.block(), app.block(Side::b), app.state.view);
  const auto caption = caption_of(app.tr, app.state, *app.shown(), app.labels, comparison.get());
  ASSERT_TRUE(caption);
  ASSERT_EQ(caption->numbers.size(), 3U);
  EXPECT_EQ(caption->numbers[1].second, "blocked");
}

}  // namespace headscope::tests

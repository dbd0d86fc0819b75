#include "app/state/actions/actions.h"
#include "app/state/document/adjust.h"
#include "app/state/document/undo_steps.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

TEST_F(StateFixture, the_list_of_steps_leads_to_any_step) {
  for (int i = 0; i < 2; ++i) {
    step_heads(app.inputs, 1);
    frame();
  }
  const Inputs last = app.inputs;
  jump_to_step(app, 0);
  frames(2);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_EQ(app.undo.history.steps().size(), 3U) << "a jump is no step";
  jump_to_step(app, 2);
  frames(2);
  EXPECT_EQ(app.inputs, last);
}

TEST_F(StateFixture, undo_reports_what_it_did) {
  app.inputs.seed = 7;
  frame();
  run_action(app, "undo");
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->text, "Undone: Seed");
  app.set_language(Language::zh);
  EXPECT_EQ(app.notices.current()->text, "已撤销：种子");
  app.set_language(Language::en);
}

TEST_F(StateFixture, another_session_has_nothing_to_undo) {
  step_heads(app.inputs, 1);
  frame();
  app.set_session(Session{});
  frames(2);
  press(Key::z, true);
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_FALSE(app.undo.history.can_undo());
}

TEST_F(StateFixture, what_is_changed_while_a_button_is_held_is_one_step) {
  for (const bool pressed : {true, false, false}) {
    input.button_pressed = pressed;
    input.button_held = true;
    app.inputs.temperature += 0.5;
    frame();
  }
  input.button_held = false;
  frame();
  EXPECT_EQ(app.undo.history.steps().size(), 2U);
  press(Key::z, true);
  EXPECT_EQ(app.inputs.temperature, 1);
  press(Key::y, true);
  EXPECT_EQ(app.inputs.temperature, 2.5);
}

TEST_F(StateFixture, a_pause_while_typing_begins_another_step) {
  input.text_focus = true;
  for (const double pause : {0.0, 0.3, 5.0}) {
    input.now += pause - 1;
    app.inputs.sentence += "x";
    frame();
  }
  EXPECT_EQ(app.undo.history.steps().size(), 3U);
}

}  // namespace headscope::tests

// The two sides of a comparison: a box each, and which of them the controls change.

#include "tests/ui/app_fixture.h"

namespace headscope::tests {

class Sides : public AppFixture {
 protected:
  Sides() : Sides({1280, 1000}, 13) {}
  Sides(ImVec2 size, float text_size) : AppFixture(size, text_size) {
    app.state.view.kind = ViewKind::compare;
    wait_until_idle();
  }
  void wait() { wait_until_idle(); }
};

TEST_F(Sides, each_has_a_box_of_its_own_to_type_in) {
  click("edit B sentence");
  EXPECT_TRUE(memory.texts.b.sentence.focused);
  EXPECT_EQ(app.state.edits, Side::b) << "who types in B's box edits B";
  press(Key::a, true);
  type(U"two words");
  EXPECT_EQ(app.compare->sentence, "two words");
  EXPECT_EQ(app.inputs.sentence, notebook_sentence);
  press(Key::escape);
  wait();
  EXPECT_TRUE(shows("B token 1"));
  EXPECT_FALSE(shows("B token 2"));
  EXPECT_TRUE(shows("token 9"));
  click("edit sentence");
  EXPECT_EQ(app.state.edits, Side::a);
  EXPECT_FALSE(memory.texts.b.sentence.focused);
  press(Key::end);
  type(U"!");
  EXPECT_EQ(app.inputs.sentence, std::string(notebook_sentence) + "!");
}

TEST_F(Sides, the_controls_say_which_side_they_edit_and_can_change_it) {
  EXPECT_TRUE(shows("editing"));
  for (const auto& [mark, side] :
       {std::pair("side B", Side::b), {"side A", Side::a}, {"side 1", Side::b}, {"side 0", Side::a}}) {
    click(mark);
    EXPECT_EQ(app.state.edits, side) << mark;
  }
  click("side B");
  const int heads = app.inputs.heads;
  click("heads fewer");
  EXPECT_EQ(app.inputs.heads, heads);
  EXPECT_LT(app.compare->heads, heads);
  app.state.view.kind = ViewKind::grid;
  frames(2);
  for (const char* mark : {"editing", "B sentence", "side B"}) EXPECT_FALSE(shows(mark)) << mark;
  EXPECT_TRUE(shows("sentence"));
}

TEST_F(Sides, keys_go_through_the_boxes_of_both) {
  app.compare->key_sentence = "k l";
  wait();
  click("edit sentence");
  for (const Panel panel : {Panel::tokens, Panel::sentence_b, Panel::tokens_b, Panel::key_sentence_b,
                            Panel::key_tokens_b, Panel::bar}) {
    press(Key::f6);
    EXPECT_EQ(app.state.panel, panel) << static_cast<int>(panel);
  }
  EXPECT_EQ(app.state.edits, Side::b);
  press(Key::l, true);
  EXPECT_EQ(app.state.panel, Panel::sentence_b) << "Ctrl+L goes to the edited side's";
}

TEST_F(Sides, tokens_of_b_are_marked_in_b) {
  app.compare->mask = {parse_mask_part("padding:9")};
  wait();
  point_to(middle("B token 2"));
  queue.push({.kind = Kind::button, .down = true, .shift = true});
  queue.push({.kind = Kind::button, .shift = true});
  settle();
  EXPECT_EQ(app.compare->mask[0].tokens, (std::vector{2, 9}));
  EXPECT_TRUE(app.inputs.mask.empty());
}

TEST_F(Sides, tokens_of_b_lock_their_row_in_the_comparison) {
  app.compare->sentence = std::string("Oh ") + notebook_sentence;
  wait();
  click("B token 1");
  ASSERT_TRUE(app.state.lock) << "its partner is A's first";
  EXPECT_EQ(app.state.lock->query, 0);
  press(Key::enter);
  click("B token 0");
  ASSERT_TRUE(app.state.other_lock) << "A has none";
  EXPECT_EQ(app.state.other_lock->query, (AlignedToken{-1, 0}));
  press(Key::escape);
  EXPECT_FALSE(app.state.other_lock);
}

TEST_F(Sides, tokens_of_b_leave_the_filter_of_a_alone) {
  point_to(middle("B token 1"));
  button(true);
  settle();
  point_to(middle("B token 3"));
  button(false);
  settle();
  EXPECT_FALSE(app.state.view.filter.on());
}

TEST_F(Sides, a_change_of_b_is_a_step_of_undo) {
  click("edit B sentence");
  press(Key::end);
  type(U" x");
  press(Key::escape);
  run_action(app, "undo");
  frames(2);
  EXPECT_EQ(app.compare->sentence, notebook_sentence);
}

class SmallSides : public Sides {
 protected:
  SmallSides() : Sides({1280, 720}, 24) {}
};

TEST_F(SmallSides, take_no_more_height_than_one_sentence) {
  const auto height = [this](ViewKind kind) {
    app.state.view.kind = kind;
    wait();
    return place("panel stage")[1];
  };
  for (const bool cross : {false, true}) {
    app.inputs.key_sentence = app.compare->key_sentence =
        cross ? std::optional<std::string>("a second sentence that is rather long") : std::nullopt;
    EXPECT_LE(height(ViewKind::compare), height(ViewKind::grid) + 1) << cross;
    height(ViewKind::compare);
    for (const Side side : both_sides) {
      app.state.edits = side;
      wait();
      const char* const mark = side == Side::b ? "B sentence" : "sentence";
      const auto [left, top, right, bottom] = place(mark);
      EXPECT_GT(right - left, 10 * 24) << mark << " can be typed in";
      EXPECT_LE(right, 1280) << mark;
      EXPECT_FALSE(shows(side == Side::b ? "sentence" : "B sentence")) << "only those of the edited side";
      EXPECT_TRUE(shows("side A") && shows("side B"));
    }
  }
}

}  // namespace headscope::tests

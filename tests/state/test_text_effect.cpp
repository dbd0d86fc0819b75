#include "app/state/actions/actions.h"
#include "app/state/document/adjust.h"
#include "app/state/document/document.h"
#include "app/state/document/side_texts.h"
#include "app/state/document/undo_steps.h"
#include "app/state/text/text_effect.h"
#include "tests/state/state_fixture.h"

namespace headscope::tests {

class TextEffectTest : public StateFixture {
 protected:
  void read(const std::string& sentence) {
    app.edited().sentence = sentence;
    frame();
  }
  bool reported() const { return text_has_no_effect(app); }
};

constexpr const char *one = "cats chase mice", *other = "dogs chase mice";

bool same_numbers(const Tensor& a, const Tensor& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

TEST_F(TextEffectTest, other_words_are_reported_where_they_change_no_number) {
  for (const VectorKind kind : {VectorKind::randn, VectorKind::typed, VectorKind::embedding}) {
    new_session(app);
    set_d_model(app.inputs, 16);
    app.inputs.sentence = one;
    set_vectors(app.inputs, kind);
    frame();
    EXPECT_FALSE(reported());
    frame();
    const Tensor x = app.runners.a.trace()->x;
    read(other);
    frame();
    EXPECT_EQ(reported(), kind != VectorKind::embedding);
    EXPECT_EQ(same_numbers(app.runners.a.trace()->x, x), reported())
        << "the notice must agree with the numbers";
  }
}

TEST_F(TextEffectTest, it_ends_with_another_number_of_tokens_or_the_words_of_before) {
  for (const char* last : {"cats chase", one}) {
    new_session(app);
    read(one);
    read(other);
    EXPECT_TRUE(reported());
    run_action(app, "more heads");
    frame();
    EXPECT_TRUE(reported()) << "as true as before";
    read(last);
    EXPECT_FALSE(reported()) << last;
  }
}

TEST_F(TextEffectTest, embedding_ends_it_in_one_step_that_can_be_undone) {
  read(one);
  read(other);
  run_action(app, "text counts");
  frame();
  EXPECT_EQ(app.inputs.vectors, VectorKind::embedding);
  EXPECT_FALSE(reported());
  undo(app);
  frame();
  EXPECT_EQ(app.inputs.vectors, VectorKind::randn);
  EXPECT_EQ(app.inputs.sentence, other);
}

TEST_F(TextEffectTest, a_run_of_typing_counts_as_a_whole) {
  read("cats chase");
  input.text_focus = true;
  input.now += 10;
  for (const char* typed : {"cats chase ", "cats chase m", "cats chase mi", "cats chase mice"}) {
    read(typed);
    EXPECT_FALSE(reported()) << "a token came: " << typed;
  }
  input.now += 10;
  for (const char* typed : {"cats chase mic", "cats chase ", "cats chase r"}) read(typed);
  EXPECT_TRUE(reported()) << "a word was taken out, and another came in its place";
}

TEST_F(TextEffectTest, spaces_and_other_sentences_are_no_other_words) {
  read("cats chase mice . dogs bark");
  read("cats  chase mice . dogs bark");
  EXPECT_FALSE(reported());
  read("cats chase mice , dogs bark");
  EXPECT_FALSE(reported()) << "the mask of segments is another one";
}

TEST_F(TextEffectTest, each_side_and_each_sentence_is_reported) {
  app.state.view.kind = ViewKind::compare;
  app.inputs.sentence = one;
  set_cross(app.inputs, true);
  app.compare = app.inputs;
  app.state.edits = Side::b;
  frames(2);
  app.compare->key_sentence = other;
  frame();
  EXPECT_TRUE(reported());
  run_action(app, "text counts");
  frame();
  EXPECT_EQ(app.inputs.vectors, VectorKind::embedding) << "or every cell would differ";
  EXPECT_EQ(app.compare->vectors, VectorKind::embedding);
  app.state.edits = Side::a;
  EXPECT_FALSE(reported());
}

TEST_F(TextEffectTest, a_comparison_of_other_words_is_reported_without_an_edit) {
  app.inputs.sentence = one;
  app.compare = app.inputs;
  app.compare->sentence = other;
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  EXPECT_TRUE(reported());
  app.compare->vectors = VectorKind::embedding;
  EXPECT_FALSE(reported());
}

}  // namespace headscope::tests

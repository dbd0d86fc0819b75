#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(Adjust, nearest_divisor_prefers_the_smaller_of_two) {
  EXPECT_EQ(nearest_divisor(512, 8, 64), 8);
  EXPECT_EQ(nearest_divisor(500, 8, 64), 10);
  EXPECT_EQ(nearest_divisor(12, 5, 64), 4);  // 4 and 6 are equally near
  EXPECT_EQ(nearest_divisor(7, 5, 64), 7);
  EXPECT_EQ(nearest_divisor(4093, 64, 64), 1);  // a prime
}

TEST(Adjust, key_value_heads_follow_heads) {
  Inputs inputs;
  inputs.kv_heads = 4;
  set_heads(inputs, 2);
  EXPECT_EQ(inputs.kv_heads, 2);
  set_d_model(inputs, 99999);
  EXPECT_EQ(inputs.d_model, 4096);
  set_d_model(inputs, 9);
  EXPECT_EQ(inputs.d_model % inputs.heads, 0);
  EXPECT_EQ(inputs.heads % inputs.kv_heads, 0);
}

TEST(Adjust, what_was_compared_is_looked_at_further) {
  ViewState state;
  std::optional<Inputs> b = Inputs{};
  state.view.kind = ViewKind::compare;
  end_comparison(state, b);
  EXPECT_EQ(state.view.kind, ViewKind::grid);
  b = Inputs{};
  state.view.kind = ViewKind::compare;
  state.view.head = 3;
  end_comparison(state, b);
  EXPECT_FALSE(b.has_value());
  EXPECT_EQ(state.view.kind, ViewKind::head);
  EXPECT_EQ(state.view.head, 3);
}

TEST(Adjust, heads_step_over_what_does_not_divide) {
  Inputs inputs;
  inputs.d_model = 12;
  inputs.heads = 4;
  for (const int heads : {6, 12, 12}) {
    step_heads(inputs, 1);
    EXPECT_EQ(inputs.heads, heads);
  }
  step_heads(inputs, -1);
  EXPECT_EQ(inputs.heads, 6);
}

TEST(Adjust, heads_that_had_to_follow_are_reported) {
  App app;
  change_d_model(app, 256);
  EXPECT_EQ(app.notices.current(), nullptr);
  change_d_model(app, 500);
  EXPECT_EQ(app.inputs.heads, 10);
  ASSERT_NE(app.notices.current(), nullptr);
}

TEST(TypedX, keeps_its_rows_while_the_sentence_and_its_width_change) {
  Inputs inputs;
  inputs.sentence = "a b";
  set_d_model(inputs, 3);
  set_vectors(inputs, VectorKind::typed);
  EXPECT_EQ(inputs.typed.x, (std::vector<double>{1, 0, 0, 0, 1, 0}));
  inputs.typed.x = {1, 2, 3, 4, 5, 6};
  set_d_model(inputs, 4);
  EXPECT_EQ(inputs.typed.x, (std::vector<double>{1, 2, 3, 0, 4, 5, 6, 0}));
  set_d_model(inputs, 2);
  EXPECT_EQ(inputs.typed.x, (std::vector<double>{1, 2, 4, 5}));
  inputs.sentence = "a";
  EXPECT_EQ(fitted(inputs).typed.x, (std::vector<double>{1, 2}));
  EXPECT_EQ(inputs.typed.x.size(), 4U);
}

TEST(PasteNumbers, says_how_many_there_are_and_how_many_there_should_be) {
  App app;
  std::vector<double> matrix{1, 2, 3, 4};
  paste_numbers(app, "0.5\t-1e2\n[3], 4;", 4, matrix);
  EXPECT_EQ(matrix, (std::vector<double>{0.5, -100, 3, 4}));
  EXPECT_EQ(app.notices.current(), nullptr);
  paste_numbers(app, "1 2 3", 4, matrix);
  EXPECT_EQ(matrix, (std::vector<double>{0.5, -100, 3, 4}));
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->text, "Numbers pasted: 3; expected 4");
  paste_numbers(app, "1e300 -2e7 3 4", 4, matrix);
  EXPECT_THAT(matrix, ElementsAre(1e6, -1e6, 3, 4)) << "as a session takes them";
}

}  // namespace headscope::tests

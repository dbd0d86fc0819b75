#include "app/state/adjust.h"
#include "app/state/app.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(Adjust, nearest_divisor_prefers_the_smaller_of_two) {
  EXPECT_EQ(nearest_divisor(512, 8, 64), 8);
  EXPECT_EQ(nearest_divisor(500, 8, 64), 10);
  EXPECT_EQ(nearest_divisor(12, 5, 64), 4);  // 4 and 6 are as near
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

TEST(Adjust, heads_that_had_to_follow_are_told_of) {
  App app;
  change_d_model(app, 256);
  EXPECT_EQ(app.notices.current(), nullptr);
  change_d_model(app, 500);
  EXPECT_EQ(app.inputs.heads, 10);
  ASSERT_NE(app.notices.current(), nullptr);
}

}  // namespace headscope::tests

#include "core/analysis/attention_cost.h"
#include "core/inputs/cost.h"
#include "core/source/engine/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

namespace headscope::tests {

TEST(AttentionCost, is_the_sum_of_what_the_layers_have_and_do) {
  for (const char* fields :
       {"", R"("kv_heads": 2)", R"("kv_heads": 1, "layers": 3)", R"("key_sentence": "one two")"}) {
    SCOPED_TRACE(fields);
    const Inputs inputs = sized(5, 32, 4, fields);
    const auto trace = Engine(1).run(inputs);
    const BlockTrace& block = trace->blocks.front();
    const AttentionCost cost = attention_cost(attention_size(block, 0));
    double parameters = cost.parameters();
    // One layer's LayerNorm has a scale and a shift.
    if (inputs.layers > 1) parameters += 2 * 32;
    EXPECT_EQ(parameters * inputs.layers, static_cast<double>(parameter_count(inputs)));
    EXPECT_EQ(cost.multiplications() * inputs.layers,
              static_cast<double>(multiply_count(inputs, block.n_q(), block.n_k())));
    EXPECT_EQ(cost.maps, 4.0 * 4 * static_cast<double>(block.n_q() * block.n_k()));
    const LayerTrace& layer = block.layers.front();
    EXPECT_EQ(cost.keys_values, 4.0 * static_cast<double>(layer.k.size() + layer.v.size()));
  }
}

TEST(AttentionCost, of_many_heads_is_that_of_one_as_wide) {
  const AttentionCost one = attention_cost(attention_size(512, 1, 1, 10, 10));
  for (const int heads : {2, 8, 64}) {
    const AttentionCost many = attention_cost(attention_size(512, heads, heads, 10, 10));
    EXPECT_EQ(many.parameters(), one.parameters());
    EXPECT_EQ(many.multiplications(), one.multiplications());
    EXPECT_EQ(many.maps, heads * one.maps);
    const AttentionCost query = attention_cost(attention_size(512, heads, 1, 10, 10));
    EXPECT_EQ(query.w_k * heads, one.w_k);
    EXPECT_EQ(query.keys_values * heads, one.keys_values);
    EXPECT_EQ(query.attention(), one.attention());
  }
  EXPECT_EQ(one.weights(), 4 * 512 * 512);
  EXPECT_EQ(one.biases, 4 * 512);
}

TEST(AttentionCost, of_a_window_counts_the_cells_of_its_mask) {
  for (const Index w : {0, 1, 3, 20}) {
    const Mask mask =
        build_mask(mask_parts({fmt::format("window:{}", w)}), numbered_tokens(9), numbered_tokens(7), 1);
    EXPECT_EQ(window_cells(9, 7, w), static_cast<double>(9 * 7 - mask.blocked_cells(1))) << w;
  }
}

}  // namespace headscope::tests

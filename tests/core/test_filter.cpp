#include "core/analysis/comparison.h"
#include "core/analysis/filtered_layer.h"
#include "core/scene/range.h"
#include "core/source/engine/engine.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// One head over four tokens; rows differ from columns, so that a transposed map is detected.
std::shared_ptr<const FilteredLayer> four_tokens(const Filter& filter,
                                                 std::vector<std::uint8_t> blocked = {}) {
  const auto tokens = word_tokens("a b c d");
  const std::vector<float> weights{0.5F,  0.25F, 0.125F, 0.125F,  //
                                   0.1F,  0.2F,  0.3F,   0.4F,    //
                                   0.25F, 0.25F, 0.25F,  0.25F,   //
                                   0,     0,     0,      1};
  return filter_layer(first_block(trace_of(tokens, tokens, {weights}, std::move(blocked))), 0, filter);
}

std::vector<int> states(const FilteredLayer& shown) {
  const std::uint8_t* state = shown.state(0);
  std::vector<int> result(static_cast<std::size_t>(shown.n_q() * shown.n_k()));
  if (state) std::copy(state, state + result.size(), result.begin());
  return result;
}

TEST(Filter, off_shares_the_traces_memory) {
  const auto shown = four_tokens({});
  const auto trace = Engine(1).run(Inputs{});
  const auto whole = filter_layer(first_block(trace), 0, {});
  EXPECT_EQ(whole->weights(3), trace->blocks.front().maps->resident(0, 3).data());
  EXPECT_EQ(shown->state(0), nullptr);
  EXPECT_FALSE(shown->renormalized);
}

TEST(Filter, off_still_shows_the_mask) {
  std::vector<std::uint8_t> blocked(16);
  blocked[1] = 1;
  EXPECT_EQ(states(*four_tokens({}, blocked))[1], cell_masked);
}

TEST(Filter, a_row_without_keys_shows_the_weights_that_a_finite_fill_gives_it) {
  // Of three rows the last has no visible key, the second one; with the other fill there is nothing to show.
  Inputs inputs;
  inputs.sentence = "a b c";
  inputs.mask = mask_parts({"painted:1:0-1,2:0-2"});
  inputs.mask_fill = MaskFill::minus_1e9;
  const auto filled = filter_layer(first_block(Engine(1).run(inputs)), 0, {});
  inputs.mask_fill = MaskFill::minus_infinity;
  const auto empty = filter_layer(first_block(Engine(1).run(inputs)), 0, {});
  EXPECT_EQ(states(*filled), (std::vector{0, 0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(states(*empty), (std::vector{0, 0, 0, 1, 1, 0, 1, 1, 1}));
  const ShownWeight uniform = shown_weight(*filled, 0, 2, 1);
  EXPECT_EQ(uniform.state, cell_shown);
  EXPECT_FLOAT_EQ(uniform.weight, 1.0F / 3);
  EXPECT_EQ(shown_weight(*empty, 0, 2, 1).state, cell_masked);
  EXPECT_EQ(filled->block->mask.blocked_cells(1), 5) << "as many stay blocked";
  // The colour range is that of the visible values, whether the run kept it or not.
  const Extent kept = filled->block->extent(0, 0), seen = extent(filled->weights(0), filled->state(0), 9);
  EXPECT_EQ(std::pair(kept.low, kept.high), std::pair(seen.low, seen.high));
  EXPECT_LE(kept.low, uniform.weight);
  // Also under a filter, and in the comparison of the two.
  const Filter two_keys{.hidden_keys = {0}, .renormalize = false};
  EXPECT_EQ(states(*filter_layer(filled->block, 0, two_keys)), (std::vector{0, 0, 1, 0, 0, 0}));
  const auto comparison = compare_layers(filled, empty);
  const ComparedHead head = compare_head(*comparison, 0);
  EXPECT_EQ(head.state_difference, (std::vector<std::uint8_t>{0, 0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_FLOAT_EQ(head.difference.data()[7], -1.0F / 3);
  EXPECT_EQ(largest_differences(*comparison, 0, 9).size(), 3U);
}

TEST(Filter, top_percent_keeps_the_largest_that_reach_it) {
  const Filter filter{.top_percent = 70};  // 0.5 + 0.25; 0.4 + 0.3; all equal weights, as none is larger; 1
  EXPECT_EQ(states(*four_tokens(filter)), (std::vector{0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0}));
}

TEST(Filter, threshold_keeps_what_reaches_it) {
  const Filter filter{.threshold = 0.25};
  EXPECT_EQ(states(*four_tokens(filter)), (std::vector{0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0}));
}

TEST(Filter, masked_stays_masked_under_a_threshold) {
  std::vector<std::uint8_t> blocked(16);
  blocked[12] = 1;
  const auto shown = four_tokens({.threshold = 0.3}, blocked);
  EXPECT_EQ(states(*shown)[12], cell_masked);
  EXPECT_EQ(states(*shown)[13], cell_filtered);
}

TEST(Filter, hidden_keys_are_taken_away_and_the_rest_renormalized) {
  const auto shown = four_tokens({.hidden_queries = {2}, .hidden_keys = {0, 99}});
  EXPECT_EQ(shown->keys, (std::vector{1, 2, 3}));
  EXPECT_EQ(shown->queries, (std::vector{0, 1, 3}));
  EXPECT_TRUE(shown->renormalized);
  const std::vector<float> row(shown->weights(0), shown->weights(0) + 3);
  EXPECT_EQ(row, (std::vector{0.5F, 0.25F, 0.25F}));
  EXPECT_EQ(shown->row(3), 2);
  EXPECT_EQ(shown->row(2), -1);
  EXPECT_EQ(shown->column(0), -1);
}

TEST(Filter, a_cell_is_as_the_map_shows_it) {
  const auto shown = four_tokens({.hidden_queries = {2}, .hidden_keys = {0}});
  EXPECT_EQ(shown_weight(*shown, 0, 0, 2).weight, 0.25F);
  EXPECT_EQ(shown_weight(*shown, 0, 0, 0).state, cell_filtered);
  EXPECT_EQ(shown_weight(*shown, 0, 2, 2).state, cell_filtered);
}

TEST(Filter, renormalizing_can_be_switched_off) {
  const auto shown = four_tokens({.renormalize = false, .keys = TokenRange{1, 3}});
  EXPECT_FALSE(shown->renormalized);
  EXPECT_EQ(shown->weights(0)[0], 0.25F);
  EXPECT_EQ(shown->weights(0)[1], 0.125F);
}

TEST(Filter, leaving_out_queries_alone_renormalizes_nothing) {
  const auto shown = four_tokens({.queries = TokenRange{1, 2}});
  EXPECT_FALSE(shown->renormalized);
  EXPECT_EQ(shown->weights(0)[0], 0.1F);
}

TEST(Filter, a_row_with_nothing_left_stays_zero) {
  const auto shown = four_tokens({.keys = TokenRange{0, 2}});
  EXPECT_EQ(shown->weights(0)[6], 0);  // row d attends only to d: 0 / 0 must not be NaN
  EXPECT_EQ(shown->weights(0)[7], 0);
}

TEST(Filter, a_filter_that_leaves_nothing_is_taken_as_off) {
  const auto shown = four_tokens({.hidden_queries = {0, 1, 2, 3}, .keys = TokenRange{7, 9}});
  EXPECT_EQ(shown->n_q(), 4);
  EXPECT_EQ(shown->n_k(), 4);
}

TEST(Filter, ranges_count_only_what_is_shown) {
  const ColorRange range =
      color_ranges(*four_tokens({.threshold = 0.2, .hidden_queries = {3}}), {Range::head})[0];
  EXPECT_EQ(range.low, 0.2F);
  EXPECT_EQ(range.high, 0.5F);
}

TEST(Filter, long_rows_keep_exactly_their_top_mass) {
  // 100 decreasing weights: sorting goes through several blocks.
  std::vector<float> weights;
  for (int k = 0; k < 100; ++k) weights.push_back(static_cast<float>((k * 37) % 100 + 1) / 5050);
  const auto trace = trace_of(numbered_tokens(1), numbered_tokens(100), {weights});
  const std::vector<int> state = states(*filter_layer(first_block(trace), 0, {.top_percent = 90}));
  // The k largest sum to (100 k - k (k - 1) / 2) / 5050, which passes 0.9 between k = 68 (0.8954) and 69
  // (0.9018).
  EXPECT_EQ(std::count(state.begin(), state.end(), cell_shown), 69);
}

}  // namespace headscope::tests

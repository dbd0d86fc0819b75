#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/analysis/filtered_layer.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

// One head over four tokens; rows are unlike their columns, so that a transposed map is seen.
std::shared_ptr<const Trace> four_tokens(std::vector<std::uint8_t> blocked = {}) {
  auto trace = std::make_shared<Trace>();
  for (const char* word : {"a", "b", "c", "d"}) trace->tokens.push_back({word, 0, 0, 0});
  trace->key_tokens = trace->tokens;
  trace->inputs.heads = 1;
  trace->mask = Mask(4, 4);
  if (!blocked.empty()) trace->mask.set_common(std::move(blocked));
  const float weights[] = {0.5F,  0.25F, 0.125F, 0.125F,  //
                           0.1F,  0.2F,  0.3F,   0.4F,    //
                           0.25F, 0.25F, 0.25F,  0.25F,   //
                           0,     0,     0,      1};
  LayerTrace layer;
  layer.weights = Tensor({1, 4, 4});
  std::copy(std::begin(weights), std::end(weights), layer.weights.data());
  trace->layers.push_back(layer);
  return trace;
}

std::vector<int> states(const FilteredLayer& shown) {
  const std::uint8_t* state = shown.state(0);
  std::vector<int> result(static_cast<std::size_t>(shown.n_q() * shown.n_k()));
  if (state) std::copy(state, state + result.size(), result.begin());
  return result;
}

TEST(Filter, off_shares_the_traces_memory) {
  const auto trace = four_tokens();
  const auto shown = filter_layer(trace, 0, {});
  EXPECT_EQ(shown->weights.data(), trace->layers[0].weights.data());
  EXPECT_EQ(shown->state(0), nullptr);
  EXPECT_FALSE(shown->renormalized);
}

TEST(Filter, off_still_shows_the_mask) {
  std::vector<std::uint8_t> blocked(16);
  blocked[1] = 1;
  EXPECT_EQ(states(*filter_layer(four_tokens(blocked), 0, {}))[1], cell_masked);
}

TEST(Filter, top_percent_keeps_the_largest_that_reach_it) {
  Filter filter;
  filter.top_percent = 70;  // 0.5 + 0.25; 0.4 + 0.3; of equal ones all, as none is larger; 1
  EXPECT_EQ(states(*filter_layer(four_tokens(), 0, filter)),
            (std::vector{0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0}));
}

TEST(Filter, threshold_keeps_what_reaches_it) {
  Filter filter;
  filter.threshold = 0.25;
  EXPECT_EQ(states(*filter_layer(four_tokens(), 0, filter)),
            (std::vector{0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0}));
}

TEST(Filter, masked_stays_masked_under_a_threshold) {
  std::vector<std::uint8_t> blocked(16);
  blocked[12] = 1;
  Filter filter;
  filter.threshold = 0.3;
  const auto shown = filter_layer(four_tokens(blocked), 0, filter);
  EXPECT_EQ(states(*shown)[12], cell_masked);
  EXPECT_EQ(states(*shown)[13], cell_filtered);
}

TEST(Filter, hidden_keys_are_taken_away_and_the_rest_renormalized) {
  Filter filter;
  filter.hidden_keys = {0, 99};
  filter.hidden_queries = {2};
  const auto shown = filter_layer(four_tokens(), 0, filter);
  EXPECT_EQ(shown->keys, (std::vector{1, 2, 3}));
  EXPECT_EQ(shown->queries, (std::vector{0, 1, 3}));
  EXPECT_TRUE(shown->renormalized);
  const std::vector<float> row(shown->weights.data(), shown->weights.data() + 3);
  EXPECT_EQ(row, (std::vector{0.5F, 0.25F, 0.25F}));
  EXPECT_EQ(shown->row(3), 2);
  EXPECT_EQ(shown->row(2), -1);
  EXPECT_EQ(shown->column(0), -1);
}

TEST(Filter, renormalizing_can_be_switched_off) {
  Filter filter;
  filter.keys = TokenRange{1, 3};
  filter.renormalize = false;
  const auto shown = filter_layer(four_tokens(), 0, filter);
  EXPECT_FALSE(shown->renormalized);
  EXPECT_EQ(shown->weights.data()[0], 0.25F);
  EXPECT_EQ(shown->weights.data()[1], 0.125F);
}

TEST(Filter, leaving_out_queries_alone_renormalizes_nothing) {
  Filter filter;
  filter.queries = TokenRange{1, 2};
  const auto shown = filter_layer(four_tokens(), 0, filter);
  EXPECT_FALSE(shown->renormalized);
  EXPECT_EQ(shown->weights.data()[0], 0.1F);
}

TEST(Filter, a_row_with_nothing_left_stays_zero) {
  Filter filter;
  filter.keys = TokenRange{0, 2};
  const auto shown = filter_layer(four_tokens(), 0, filter);
  EXPECT_EQ(shown->weights.data()[6], 0);  // row d looks at d alone: 0 / 0 must not be NaN
  EXPECT_EQ(shown->weights.data()[7], 0);
}

TEST(Filter, a_filter_that_leaves_nothing_is_taken_as_off) {
  Filter filter;
  filter.keys = TokenRange{7, 9};
  filter.hidden_queries = {0, 1, 2, 3};
  const auto shown = filter_layer(four_tokens(), 0, filter);
  EXPECT_EQ(shown->n_q(), 4);
  EXPECT_EQ(shown->n_k(), 4);
}

TEST(Filter, ranges_count_only_what_is_shown) {
  Filter filter;
  filter.hidden_queries = {3};
  filter.threshold = 0.2;
  const ColorRange range = color_ranges(*filter_layer(four_tokens(), 0, filter), Range::head)[0];
  EXPECT_EQ(range.low, 0.2F);
  EXPECT_EQ(range.high, 0.5F);
}

TEST(Filter, long_rows_keep_exactly_their_top_mass) {
  // 100 falling weights: sorting goes through several blocks.
  auto trace = std::make_shared<Trace>();
  trace->tokens.resize(1);
  trace->key_tokens.resize(100);
  trace->mask = Mask(1, 100);
  LayerTrace layer;
  layer.weights = Tensor({1, 1, 100});
  for (int k = 0; k < 100; ++k) layer.weights.data()[k] = static_cast<float>((k * 37) % 100 + 1) / 5050;
  trace->layers.push_back(layer);
  Filter filter;
  filter.top_percent = 90;
  const std::vector<int> state = states(*filter_layer(trace, 0, filter));
  // The k largest sum to (100 k - k (k - 1) / 2) / 5050, which passes 0.9 between k = 68 (0.8954) and 69
  // (0.9018).
  EXPECT_EQ(std::count(state.begin(), state.end(), cell_shown), 69);
}

}  // namespace
}  // namespace headscope

#include "core/analysis/filtered_layer.h"
#include "core/scene/range.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// A trace of one layer whose heads have these weights.
Trace trace_of(const std::vector<std::vector<float>>& heads, Index n_q, Index n_k,
               const std::vector<std::uint8_t>& blocked = {}) {
  return *trace_of(numbered_tokens(n_q), numbered_tokens(n_k), heads, blocked);
}

void expect_ends(const ColorRange& range, float low, float high) {
  EXPECT_EQ(range.low, low);
  EXPECT_EQ(range.high, high);
}

void expect_valid(const std::vector<ColorRange>& ranges, std::size_t heads) {
  ASSERT_EQ(ranges.size(), heads);
  for (const ColorRange& range : ranges) {
    EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high));
    EXPECT_LT(range.low, range.high);
    EXPECT_TRUE(!range.logarithm || range.low > 0);
    EXPECT_FALSE(std::isnan(range.position(0.5F)));
  }
}

constexpr Range all_ranges[] = {Range::unit, Range::shared, Range::head, Range::logarithm};

TEST(Range, ends_are_what_the_range_says) {
  const Trace trace = trace_of({{0.1F, 0.9F, 0.4F, 0.6F}, {0.2F, 0.8F, 0.7F, 0.3F}}, 2, 2);
  expect_ends(color_ranges(trace, 0, Range::unit)[1], 0, 1);
  expect_ends(color_ranges(trace, 0, Range::head)[0], 0.1F, 0.9F);
  expect_ends(color_ranges(trace, 0, Range::head)[1], 0.2F, 0.8F);
  expect_ends(color_ranges(trace, 0, Range::shared)[1], 0.1F, 0.9F);
}

TEST(Range, logarithm_reaches_four_decades_down_at_most) {
  const auto deep = color_ranges(trace_of({{0.5F, 0.5F, 0.0F, 1e-9F}}, 2, 2), 0, Range::logarithm);
  EXPECT_TRUE(deep[0].logarithm);
  EXPECT_FLOAT_EQ(deep[0].low, 0.5e-4F);
  EXPECT_EQ(deep[0].high, 0.5F);
  const auto shallow = color_ranges(trace_of({{0.5F, 0.5F, 0.1F, 0.9F}}, 2, 2), 0, Range::logarithm);
  EXPECT_EQ(shallow[0].low, 0.1F);
}

TEST(Range, blocked_cells_do_not_count) {
  const Trace trace = trace_of({{0.3F, 0.0F, 0.4F, 0.6F}}, 2, 2, {0, 1, 0, 0});
  for (const Range range : {Range::head, Range::shared})
    expect_ends(color_ranges(trace, 0, range)[0], 0.3F, 0.6F);
}

TEST(Range, degenerate_maps_still_have_a_valid_range) {
  for (const Range range : all_ranges) {
    expect_valid(color_ranges(trace_of({{1}}, 1, 1), 0, range), 1);                           // one token
    expect_valid(color_ranges(trace_of({{0.25F, 0.25F, 0.25F, 0.25F}}, 2, 2), 0, range), 1);  // uniform
    expect_valid(color_ranges(trace_of({{0, 0, 0, 0}}, 2, 2), 0, range), 1);
    const Trace blocked = trace_of({{0, 0, 0, 0}, {0, 0, 0, 0}}, 2, 2, {1, 1, 1, 1});
    expect_valid(color_ranges(blocked, 0, range), 2);
    Trace without_maps = trace_of({{1}}, 1, 1);
    without_maps.layers[0].weights = {};
    expect_valid(color_ranges(without_maps, 0, range), 1);
    expect_valid(color_ranges(without_maps, 7, range), 1);
  }
}

TEST(Range, rounding_of_equal_weights_is_not_stretched) {
  const float third = 1.0F / 3;
  const auto range =
      color_ranges(trace_of({{third, std::nextafter(third, 1.0F), third, third}}, 2, 2), 0, Range::head);
  EXPECT_EQ(range[0].low, 0);
  EXPECT_GE(range[0].high, third);
}

TEST(Range, finds_the_ends_wherever_they_stand) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> draw(0.2F, 0.8F);
  for (int i = 0; i < 60; ++i) {
    const Index n_q = 1 + static_cast<Index>(random() % 40), n_k = 2 + static_cast<Index>(random() % 40);
    std::vector<float> weights(static_cast<std::size_t>(n_q * n_k));
    std::vector<std::uint8_t> blocked(weights.size());
    for (float& w : weights) w = draw(random);
    const std::size_t low = random() % weights.size(),
                      high = (low + 1 + random() % (weights.size() - 1)) % weights.size();
    weights[low] = 0.1F;
    weights[high] = 0.9F;
    for (std::size_t c = 0; c < blocked.size(); ++c) {
      blocked[c] = c != low && c != high && random() % 3 == 0;
      if (blocked[c]) weights[c] = random() % 2 == 0 ? 0.0F : 1.0F;
    }
    expect_ends(color_ranges(trace_of({weights}, n_q, n_k, blocked), 0, Range::head)[0], 0.1F, 0.9F);
  }
}

TEST(Range, numbers_are_short) {
  const std::map<float, std::string> cells{{0.123F, "0.12"},    {0.5F, "0.50"}, {0.034F, "0.034"},
                                           {1.0F, "1.0"},       {0.0F, "0"},    {5.6e-5F, "5.6e-5"},
                                           {1e-12F, "1.0e-12"}, {20.0F, "20"}};  // dropout scales beyond 1
  for (const auto& [value, text] : cells) EXPECT_EQ(cell_text(value), text);
  const std::map<float, std::string> bounds{
      {0.0F, "0"}, {1.0F, "1"}, {0.01234F, "0.0123"}, {5.642e-5F, "5.64e-5"}};
  for (const auto& [value, text] : bounds) EXPECT_EQ(bound_text(value), text);
}

}  // namespace headscope::tests

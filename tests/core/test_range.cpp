#include "core/analysis/filtered_layer.h"
#include "core/figure/canvas/pool.h"
#include "core/scene/range.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// A layer whose heads have these weights.
std::shared_ptr<const FilteredLayer> shown(const std::vector<std::vector<float>>& heads, Index n_q, Index n_k,
                                           const std::vector<std::uint8_t>& blocked = {}) {
  return filter_layer(first_block(trace_of(numbered_tokens(n_q), numbered_tokens(n_k), heads, blocked)), 0,
                      {});
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

constexpr Range all_ranges[] = {Range::unit,       Range::shared, Range::head, Range::logarithm,
                                Range::percentile, Range::row,    Range::fixed};

TEST(Range, texts_tell_the_ends_apart_and_pass_no_share_beyond_1) {
  EXPECT_EQ(range_text({0.05F, 0.22F}), "0.05–0.22");
  EXPECT_EQ(range_text({0.0998F, 0.1002F}), "0.0998–0.1002");
  EXPECT_EQ(range_text({0.05F, 0.998F, false, false, true}), "0.050 – ≥0.998");
  EXPECT_EQ(high_text({0, 0.998F, false, false, true}, 2), "≥0.998");
  EXPECT_EQ(range_text({0, 1}), "0–1");
  EXPECT_EQ(range_text({0.001001F, 0.001002F}), "0.001001–0.001002");
}

TEST(Range, ends_are_what_the_range_says) {
  const auto trace = shown({{0.1F, 0.9F, 0.4F, 0.6F}, {0.2F, 0.8F, 0.7F, 0.3F}}, 2, 2);
  expect_ends(color_ranges(*trace, {Range::unit})[1], 0, 1);
  expect_ends(color_ranges(*trace, {Range::head})[0], 0.1F, 0.9F);
  expect_ends(color_ranges(*trace, {Range::head})[1], 0.2F, 0.8F);
  expect_ends(color_ranges(*trace, {Range::shared})[1], 0.1F, 0.9F);
}

TEST(Range, given_ends_say_what_is_beyond_them) {
  const auto layer = shown({{0.1F, 0.9F, 0.4F, 0.6F}, {0.2F, 0.8F, 0.7F, 0.3F}}, 2, 2);
  const struct {
    ColorLimits limits;
    const char *low, *high;
  } cases[] = {{{0.2, 0.5}, "≤0.2", "≥0.5"},  // in every head, since one bar may be shared by all
               {{0.1, 0.9}, "0.1", "0.9"},
               {{0, 0.5}, "0", "≥0.5"},
               {{0.5, 2}, "≤0.5", "2"}};
  for (const auto& [limits, low, high] : cases)
    for (const ColorRange& range : color_ranges(*layer, {Range::fixed, limits})) {
      expect_ends(range, static_cast<float>(limits.low), static_cast<float>(limits.high));
      EXPECT_EQ(low_text(range), low);
      EXPECT_EQ(high_text(range), high);
      EXPECT_EQ(range.index(-1), 0);
      EXPECT_EQ(range.index(5), 255);
    }
  for (const Range range : {Range::shared, Range::head})
    EXPECT_EQ(high_text(color_ranges(*layer, {range})[0]), "0.9");
}

TEST(Range, ends_that_are_held_say_what_came_to_are_beyond_them) {
  const ColorRange held = held_range({0.1F, 0.5F, false}, {0.05F, 0.4F, false});
  expect_ends(held, 0.1F, 0.5F);
  EXPECT_TRUE(held.below);
  EXPECT_FALSE(held.above);
  EXPECT_FALSE(held_range({1e-4F, 1, true}, {1e-5F, 0.1F, true}).below) << "zero is below every logarithm";
}

TEST(Range, limits_are_around_ranges_in_three_digits) {
  const auto around = [](std::vector<ColorRange> ranges) {
    const ColorLimits limits = limits_around(ranges);
    return std::pair(limits.low, limits.high);
  };
  EXPECT_EQ(around({{0.01234F, 0.23401F, false}}), std::pair(0.012, 0.235));
  EXPECT_EQ(around({{0.1F, 0.2F, false}, {0.05F, 0.3F, false}}), std::pair(0.05, 0.3));
  EXPECT_EQ(around({{0, 1e-5F, false}}), std::pair(0.0, 1e-5));
  EXPECT_EQ(around({}), std::pair(0.0, 1.0));
}

TEST(Range, logarithm_reaches_four_decades_down_at_most) {
  const auto deep = color_ranges(*shown({{0.5F, 0.5F, 0.0F, 1e-9F}}, 2, 2), {Range::logarithm});
  EXPECT_TRUE(deep[0].logarithm);
  EXPECT_FLOAT_EQ(deep[0].low, 0.5e-4F);
  EXPECT_EQ(deep[0].high, 0.5F);
  const auto shallow = color_ranges(*shown({{0.5F, 0.5F, 0.1F, 0.9F}}, 2, 2), {Range::logarithm});
  EXPECT_EQ(shallow[0].low, 0.1F);
}

TEST(Range, blocked_cells_do_not_count) {
  const auto trace = shown({{0.3F, 0.0F, 0.5F, 0.4F, 0.6F, 0.35F}}, 2, 3, {0, 1, 0, 0, 0, 0});
  for (const Range range : {Range::head, Range::shared})
    expect_ends(color_ranges(*trace, {range})[0], 0.3F, 0.6F);
}

TEST(Range, degenerate_maps_still_have_a_valid_range) {
  for (const Range range : all_ranges) {
    expect_valid(color_ranges(*shown({{1}}, 1, 1), {range}), 1);                           // one token
    expect_valid(color_ranges(*shown({{0.25F, 0.25F, 0.25F, 0.25F}}, 2, 2), {range}), 1);  // uniform
    expect_valid(color_ranges(*shown({{0, 0, 0, 0}}, 2, 2), {range}), 1);
    const auto blocked = shown({{0, 0, 0, 0}, {0, 0, 0, 0}}, 2, 2, {1, 1, 1, 1});
    expect_valid(color_ranges(*blocked, {range}), 2);
    const auto none = filter_layer(first_block(trace_of(numbered_tokens(1), numbered_tokens(1), {{1}})), 0,
                                   {}, std::span<const int>());
    expect_valid(color_ranges(*none, {range}), 1);
    const auto beyond = filter_layer(none->block, 7, {});
    expect_valid(color_ranges(*beyond, {range}), 1);
  }
}

TEST(Range, rounding_of_equal_weights_is_not_stretched) {
  const float third = 1.0F / 3;
  const auto range =
      color_ranges(*shown({{third, std::nextafter(third, 1.0F), third, third}}, 2, 2), {Range::head});
  EXPECT_EQ(range[0].low, 0);
  EXPECT_GE(range[0].high, third);
}

TEST(Range, finds_the_ends_wherever_they_are) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> draw(0.2F, 0.8F);
  for (int i = 0; i < 60; ++i) {
    const Index n_q = 1 + static_cast<Index>(random() % 40), n_k = 2 + static_cast<Index>(random() % 40);
    std::vector<float> weights(static_cast<std::size_t>(n_q * n_k));
    std::vector<std::uint8_t> blocked(weights.size());
    for (float& w : weights) w = draw(random);
    const auto keys = static_cast<std::size_t>(n_k);
    const std::size_t low = random() % weights.size(),
                      high = (low + 1 + random() % (weights.size() - 1)) % weights.size();
    weights[low] = 0.1F;
    weights[high] = 0.9F;
    for (std::size_t c = 0; c < blocked.size(); ++c) {
      // A key that is alone in its row does not count.
      const bool of_an_end = c / keys == low / keys || c / keys == high / keys;
      blocked[c] = !of_an_end && random() % 3 == 0;
      if (blocked[c]) weights[c] = random() % 2 == 0 ? 0.0F : 1.0F;
    }
    expect_ends(color_ranges(*shown({weights}, n_q, n_k, blocked), {Range::head})[0], 0.1F, 0.9F);
  }
}

TEST(Range, a_query_with_one_key_does_not_count) {
  const std::vector<float> causal{1, 0, 0, 0.4F, 0.6F, 0, 0.2F, 0.3F, 0.5F};
  const std::vector<std::uint8_t> future{0, 1, 1, 0, 0, 1, 0, 0, 0};
  const auto layer = shown({causal, causal}, 3, 3, future);
  for (const Range range : {Range::head, Range::shared}) {
    const ColorRange found = color_ranges(*layer, {range})[0];
    expect_ends(found, 0.2F, 0.6F);
    EXPECT_EQ(low_text(found), "0.2");
    EXPECT_EQ(high_text(found), "≥0.6") << "the first row is beyond";
    EXPECT_EQ(found.index(1), 255);
  }
  EXPECT_EQ(color_ranges(*layer, {Range::logarithm})[0].high, 0.6F);
  expect_ends(color_ranges(*layer, {Range::unit})[0], 0, 1);
  // Unless there is no other.
  expect_ends(color_ranges(*shown({{1, 0, 1, 0}}, 2, 2, {0, 1, 0, 1}), {Range::head})[0], 0, 1);
  // A key that is alone because a filter left out the others has a weight to show.
  Filter filter;
  filter.hidden_keys = {0};
  filter.renormalize = false;
  const auto block = first_block(trace_of(numbered_tokens(3), numbered_tokens(3), {causal}, future));
  expect_ends(color_ranges(*filter_layer(block, 0, filter), {Range::head})[0], 0.3F, 0.6F);
}

TEST(Range, ignores_the_first_token) {
  const std::vector<float> sinks{0.05F, 0.9F, 0.05F, 0.8F, 0.15F, 0.05F, 0.7F, 0.1F, 0.2F};
  const auto layer = shown({sinks}, 3, 3);
  expect_ends(color_ranges(*layer, {Range::head})[0], 0.05F, 0.9F);
  const ColorRange ignored = color_ranges(*layer, {Range::head, {}, true})[0];
  expect_ends(ignored, 0.05F, 0.2F);
  EXPECT_EQ(high_text(ignored), "≥0.2");
  expect_ends(color_ranges(*shown({{1}}, 1, 1), {Range::head, {}, true})[0], 0, 1);
}

TEST(Range, percentiles_are_those_of_numpy) {
  std::vector<float> weights(101);  // numpy.percentile(range(101), [2, 98]) / 1000
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>((37 * i) % 101) / 1000;
  const ColorRange range = color_ranges(*shown({weights}, 1, 101), {Range::percentile})[0];
  expect_ends(range, 0.002F, 0.098F);
  EXPECT_EQ(low_text(range), "≤0.002");
  EXPECT_EQ(high_text(range), "≥0.098");
  // numpy.percentile([0.1, 0.2, 0.3, 0.4], [2, 98]) = 0.106, 0.394
  const ColorRange between = color_ranges(*shown({{0.1F, 0.2F, 0.3F, 0.4F}}, 2, 2), {Range::percentile})[0];
  EXPECT_FLOAT_EQ(between.low, 0.106F);
  EXPECT_FLOAT_EQ(between.high, 0.394F);
}

TEST(Range, each_row_reaches_the_end_of_the_colours) {
  const std::vector<float> weights{0.1F, 0.4F, 0.5F, 0, 0, 0, 0.02F, 0.01F, 0.97F};
  const auto layer = shown({weights}, 3, 3, {0, 0, 0, 1, 1, 1, 0, 0, 1});
  const ColorRange range = color_ranges(*layer, {Range::row})[0];
  expect_ends(range, 0, 1);
  EXPECT_EQ(high_text(range), "max");
  const MapPicture picture = map_picture(layer->weights(0), layer->state(0), 3, 3, colors({}), range);
  const std::vector<std::uint16_t> codes = map_codes(picture, 3, 3).codes;
  const std::uint16_t no = code_masked;
  EXPECT_EQ(codes, (std::vector<std::uint16_t>{51, 204, 255, no, no, no, 255, 128, no}));
  EXPECT_EQ(picture.color_of(0.02F, 2), colors({})[255]);
  EXPECT_EQ(picture.color_of(0.4F, 0), colors({})[204]);
}

TEST(Range, numbers_are_short) {
  const std::map<float, std::string> cells{{0.123F, "0.12"},    {0.5F, "0.50"}, {0.034F, "0.034"},
                                           {1.0F, "1.0"},       {0.0F, "0"},    {5.6e-5F, "5.6e−5"},
                                           {1e-12F, "1.0e−12"}, {20.0F, "20"}};  // dropout scales beyond 1
  for (const auto& [value, text] : cells) EXPECT_EQ(cell_text(value), text);
  const std::map<float, std::string> bounds{
      {0.0F, "0"}, {1.0F, "1"}, {0.01234F, "0.0123"}, {5.642e-5F, "5.64e−5"}};
  for (const auto& [value, text] : bounds) EXPECT_EQ(bound_text(value), text);
}

std::string ticks_of(const ColorRange& range, int most = max_bar_ticks) {
  std::string all;
  for (const BarTick& tick : bar_ticks(range, most)) all += (all.empty() ? "" : " ") + tick.text;
  return all;
}

TEST(Range, ticks_are_two_to_five_round_numbers) {
  EXPECT_EQ(ticks_of({0, 0.0471F}), "0 0.01 0.02 0.03 0.04");
  EXPECT_EQ(ticks_of({0, 0.0471F}, 3), "0 0.02 0.04");
  EXPECT_EQ(ticks_of({0, 0.0471F}, 2), "0 0.04");
  EXPECT_EQ(ticks_of({0, 1}), "0 0.5 1");
  EXPECT_EQ(ticks_of({0.0471F, 0.219F}), "0.05 0.10 0.15 0.20");
  EXPECT_EQ(ticks_of({-0.17F, 0.17F}), "−0.1 0 0.1");
  EXPECT_EQ(ticks_of({-6, 6}), "−5 0 5");
  EXPECT_EQ(ticks_of({0, 1.3e-7F}), "0 5e−8 1e−7");
  EXPECT_EQ(ticks_of({1e-4F, 1, true}), "0.0001 0.001 0.01 0.1 1");
  EXPECT_EQ(ticks_of({0.2F, 0.9F, true}), "0.2 0.4 0.6 0.8");
  for (const float high : {1.0F, 0.219F, 0.0123F, 0.000755F, 7.59e-5F, 1.23e-30F, 123.0F, 98765.0F})
    for (const float low : {0.0F, 0.3F * high, 0.97F * high, -high})
      for (int most = 2; most <= max_bar_ticks; ++most) {
        const auto ticks = bar_ticks({low, high}, most);
        EXPECT_GE(ticks.size(), 2U) << low << " to " << high;
        EXPECT_LE(std::ssize(ticks), most) << low << " to " << high;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
          EXPECT_GE(ticks[i].position, i == 0 ? 0 : ticks[i - 1].position + 1e-3);
          EXPECT_LE(ticks[i].position, 1);
        }
      }
}

TEST(Range, ticks_name_an_end_with_weights_beyond) {
  ColorRange range{0.0052F, 0.501F};
  range.below = range.above = true;
  EXPECT_EQ(ticks_of(range), "≤0.0052 0.2 0.4 ≥0.5");
  EXPECT_EQ(ticks_of(range, 2), "≤0.0052 ≥0.5");
  range.row_factors = std::make_shared<std::vector<float>>(1, 1.0F);
  EXPECT_EQ(ticks_of(range), "≤0.0052 max");
}

TEST(Range, ticks_have_room_next_to_the_bar) {
  const auto letters = [](const std::string& text) {
    return std::ranges::count_if(text,
                                 [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
  };
  EXPECT_EQ(widest_tick(std::array{ColorRange{0, 1}}), widest_tick(std::array{ColorRange{0.01F, 0.0213F}}));
  for (const float high : {1.0F, 0.0123F, 0.001234F, 0.000755F, 0.000123F, 7.59e-5F, 1.23e-38F})
    for (const bool beyond : {false, true}) {
      ColorRange range;
      range.high = high;
      range.above = range.below = beyond;
      const auto room = letters(widest_tick(std::array{range}));
      for (const BarTick& tick : bar_ticks(range)) EXPECT_LE(letters(tick.text), room) << tick.text;
    }
}

TEST(Range, the_name_says_which_rule_gives_the_ends) {
  const Translator tr;
  EXPECT_EQ(colors_name(tr, {Range::head}, BlockTrace(), {}), "Attention weight · Per head");
  EXPECT_EQ(colors_name(tr, {Range::shared, {}, true}, BlockTrace(), {}),
            "Attention weight · Shared by all heads · first token ignored");
}

TEST(Range, ends_have_as_many_decimals_as_show_two_digits_of_the_larger) {
  const std::tuple<ColorRange, const char*> cases[] = {{{0.0471F, 0.219F}, "0.05–0.22"},
                                                       {{0.004F, 0.0311F}, "0.004–0.031"},
                                                       {{0, 1}, "0–1"},
                                                       {{-0.31F, 0.31F}, "−0.31 – 0.31"},
                                                       {{2, 56.4F}, "2–56"},
                                                       {{1e-5F, 1, true}, "1e−5–1"},
                                                       {{0.05F, 0.2F, false, true, true}, "≤0.05 – ≥0.20"}};
  for (const auto& [range, text] : cases) EXPECT_EQ(range_text(range), text);
}

}  // namespace headscope::tests

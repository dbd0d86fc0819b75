#include "core/analysis/comparison.h"
#include "core/scene/comparison_look.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// "a-a b-c d--": pairs as letters of both sides, - for no counterpart.
std::string aligned(const std::string& a, const std::string& b) {
  const auto x = word_tokens(a), y = word_tokens(b);
  std::string text;
  for (const AlignedToken& token : align_tokens(x, y)) {
    if (!text.empty()) text += ' ';
    text += token.a < 0 ? "-" : x[static_cast<std::size_t>(token.a)].text;
    text += token.b < 0 ? "-" : y[static_cast<std::size_t>(token.b)].text;
  }
  return text;
}

TEST(Alignment, pairs_tokens_and_leaves_those_without_partner) {
  const struct {
    const char *a, *b, *pairs;
  } cases[] = {
      {"a b c", "a b c", "aa bb cc"},  // equal
      {"a b c", "a x c", "aa bx cc"},  // a changed token is paired with its replacement
      {"a b c", "a b x c", "aa bb -x cc"},
      {"a b", "x a b", "-x aa bb"},       // inserted
      {"a b c d", "a d", "aa b- c- dd"},  // removed
      {"a a a", "a a", "aa aa a-"},       // repeated
      {"a b c d e", "b c x e f", "a- bb cc dx ee -f"},
      {"", "a", "-a"},
      {"", "", ""},
  };
  for (const auto& [a, b, pairs] : cases) EXPECT_EQ(aligned(a, b), pairs);
}

/// Length of the longest common subsequence, by its definition.
std::size_t common(std::span<const Token> a, std::span<const Token> b) {
  if (a.empty() || b.empty()) return 0;
  if (a[0].text == b[0].text) return 1 + common(a.subspan(1), b.subspan(1));
  return std::max(common(a.subspan(1), b), common(a, b.subspan(1)));
}

TEST(Alignment, keeps_the_order_and_as_many_equal_tokens_as_can_be) {
  std::mt19937 random(7);
  const auto some_tokens = [&] {
    std::string text;
    for (unsigned n = random() % 8; n > 0; --n) text += std::string(1, "abc"[random() % 3]) + " ";
    return word_tokens(text);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const auto a = some_tokens(), b = some_tokens();
    int next_a = 0, next_b = 0;
    std::size_t equal = 0;
    for (const AlignedToken& token : align_tokens(a, b)) {
      EXPECT_TRUE(token.a < 0 || token.a == next_a++);
      EXPECT_TRUE(token.b < 0 || token.b == next_b++);
      ASSERT_TRUE(token.a >= 0 || token.b >= 0);
      if (token.a >= 0 && token.b >= 0)
        equal += a[static_cast<std::size_t>(token.a)].text == b[static_cast<std::size_t>(token.b)].text;
    }
    EXPECT_EQ(std::pair(static_cast<std::size_t>(next_a), static_cast<std::size_t>(next_b)),
              std::pair(a.size(), b.size()));
    EXPECT_EQ(equal, common(a, b));
  }
}

std::shared_ptr<const Trace> trace_of(const std::string& sentence, const std::vector<float>& weights,
                                      const std::vector<std::uint8_t>& blocked = {}) {
  return trace_of(word_tokens(sentence), word_tokens(sentence), {weights}, blocked);
}

std::shared_ptr<const Comparison> compare(const std::shared_ptr<const Trace>& a,
                                          const std::shared_ptr<const Trace>& b, const Filter& filter = {}) {
  return compare_layers(
      filter_layer(first_block(a), 0, filter),
      filter_layer(first_block(b), 0, partner_filter(filter, a->blocks.front(), b->blocks.front())));
}

std::vector<float> values(const Tensor& tensor) {
  return {tensor.data(), tensor.data() + tensor.size()};
}

TEST(Comparison, subtracts_a_from_b) {
  const auto c = compare(trace_of("a b", {1, 0, 0.25F, 0.75F}), trace_of("a b", {0.5F, 0.5F, 0.5F, 0.5F}));
  EXPECT_EQ(c->heads, 1);
  EXPECT_THAT(values(compare_head(*c, 0).difference), ElementsAre(-0.5F, 0.5F, 0.25F, -0.25F));
  EXPECT_THAT(c->largest, ElementsAre(0.5F));
}

TEST(Comparison, heads_are_ordered_by_the_weight_that_went_elsewhere) {
  const auto weights = [](bool changed) {
    return [changed](int layer, int head, Index, Index j) {
      const float moved = !changed ? 0 : layer == 1 && head == 2 ? 0.4F : layer == 0 && head == 1 ? 0.1F : 0;
      return 0.5F + (j == 0 ? moved : -moved);
    };
  };
  const auto tokens = numbered_tokens(2);
  const auto of = [&](bool changed) {
    return first_block(trace_of(tokens, tokens, 3, 2, {}, weights(changed)));
  };
  const std::vector<ChangedHead> changed = changed_heads(of(false), of(true), {});
  ASSERT_EQ(changed.size(), 2U);
  EXPECT_EQ(std::pair(changed[0].layer, changed[0].head), std::pair(1, 2));
  EXPECT_NEAR(changed[0].moved, 0.4, 1e-6);
  EXPECT_EQ(std::pair(changed[1].layer, changed[1].head), std::pair(0, 1));
  EXPECT_NEAR(changed[1].moved, 0.1, 1e-6);
  EXPECT_TRUE(changed_heads(of(true), of(true), {}).empty());
}

TEST(Comparison, what_float32_cannot_distinguish_is_equal_and_is_said_to_be) {
  constexpr float step = std::numeric_limits<float>::epsilon();
  const auto a = trace_of("a b", {0.5F, 0.5F, 0.25F, 0.75F});
  const Translator tr;
  const auto rounded = compare(a, trace_of("a b", {0.5F + step, 0.5F - step, 0.25F, 0.75F}));
  EXPECT_THAT(rounded->largest, ElementsAre(0));
  EXPECT_THAT(rounded->rounding, ElementsAre(step));
  EXPECT_THAT(values(compare_head(*rounded, 0).difference), ElementsAre(0, 0, 0, 0));
  EXPECT_TRUE(largest_differences(*rounded, -1, 9).empty());
  EXPECT_EQ(equality_note(tr, *rounded, 0),
            "A and B are equal here within float32 rounding: no cell differs by more than 1.2e−7.");
  EXPECT_EQ(difference_title(tr, *rounded, 0), "B − A: equal within float32 rounding");
  const auto same = compare(a, a);
  EXPECT_EQ(equality_note(tr, *same, -1), "A and B are the same here.");
  EXPECT_EQ(difference_title(tr, *same, 0), "B − A");
  // A difference beyond rounding is shown, however small.
  const auto small = compare(a, trace_of("a b", {0.5F + 1e-5F, 0.5F - 1e-5F, 0.25F, 0.75F}));
  EXPECT_NEAR(static_cast<double>(small->largest[0]), 1e-5, 1e-7);
  EXPECT_EQ(equality_note(tr, *small, 0), "");
  EXPECT_EQ(largest_differences(*small, -1, 9).size(), 2U);
}

TEST(Comparison, cells_without_partner_are_marked_and_count_for_nothing) {
  const auto c = compare(trace_of("a b", {1, 0, 0.25F, 0.75F}), trace_of("a", {1}));
  EXPECT_EQ(c->columns(), 2);
  const auto head = compare_head(*c, 0);
  EXPECT_THAT(head.state_b, ElementsAre(cell_shown, cell_filtered, cell_filtered, cell_filtered));
  EXPECT_THAT(head.state_a, ElementsAre(cell_shown, cell_shown, cell_shown, cell_shown));
  EXPECT_THAT(head.state_difference, ElementsAre(cell_shown, cell_filtered, cell_filtered, cell_filtered));
  EXPECT_THAT(values(head.difference), ElementsAre(0, 0, 0, 0));
}

TEST(Comparison, masked_on_one_side_weighs_nothing_there) {
  const auto c = compare(trace_of("a b", {1, 0, 0.25F, 0.75F}, {0, 1, 0, 0}),
                         trace_of("a b", {1, 0, 1, 0}, {0, 1, 0, 1}));
  const auto head = compare_head(*c, 0);
  EXPECT_THAT(head.state_difference, ElementsAre(cell_shown, cell_masked, cell_shown, cell_shown));
  EXPECT_THAT(values(head.difference), ElementsAre(0, 0, 0.75F, -0.75F));
}

TEST(Comparison, a_filter_of_as_tokens_follows_their_partners_in_b) {
  Filter filter;
  filter.keys = TokenRange{1, 3};
  filter.hidden_queries = {0};
  const auto a = trace_of("a b c", std::vector<float>(9, 1.0F / 3));
  const auto b = trace_of("x a b y c", std::vector<float>(25, 0.2F));
  const Filter in_b = partner_filter(filter, a->blocks.front(), b->blocks.front());
  EXPECT_EQ(in_b.keys, (TokenRange{2, 5}));
  EXPECT_EQ(in_b.hidden_queries, (std::set<int>{1}));
  const auto c = compare(a, b, filter);
  EXPECT_THAT(c->keys.tokens, ElementsAre(AlignedToken{1, 2}, AlignedToken{-1, 3}, AlignedToken{2, 4}));
  EXPECT_THAT(c->queries.tokens,
              ElementsAre(AlignedToken{-1, 0}, AlignedToken{1, 2}, AlignedToken{-1, 3}, AlignedToken{2, 4}));
}

TEST(Comparison, a_token_that_one_side_leaves_out_has_no_partner) {
  const auto a = first_block(trace_of("a b", {1, 0, 0.25F, 0.75F}));
  const auto c =
      compare_layers(filter_layer(a, 0, {.hidden_keys = {1}}), filter_layer(a, 0, {.hidden_keys = {0}}));
  EXPECT_THAT(c->keys.tokens, ElementsAre(AlignedToken{0, -1}, AlignedToken{-1, 1}));
}

TEST(Comparison, colours_reach_over_both_sides) {
  const std::vector<float> narrow{0.4F, 0.6F, 0.5F, 0.5F}, wide{0.1F, 0.9F, 0.3F, 0.7F};
  for (const bool swapped : {false, true}) {
    const auto c =
        compare(trace_of("a b", swapped ? wide : narrow), trace_of("a b", swapped ? narrow : wide));
    const ComparisonLook look = comparison_look(*c, {Range::head});
    EXPECT_EQ(std::pair(look.weights[0].low, look.weights[0].high), std::pair(0.1F, 0.9F));
    EXPECT_EQ(look.difference[0].low, -look.difference[0].high);
    EXPECT_EQ(look.difference[0].high, c->largest[0]);
  }
}

TEST(Comparison, without_maps_has_no_heads) {
  auto empty = std::make_shared<Trace>();
  empty->blocks.front().tokens = empty->blocks.front().key_tokens = word_tokens("a");
  EXPECT_EQ(compare(trace_of("a", {1}), empty)->heads, 0);
}

TEST(Comparison, lists_the_largest_differences_first) {
  const auto c = compare(trace_of("a b", {1, 0, 0.25F, 0.75F}), trace_of("a b", {0.5F, 0.5F, 0.25F, 0.5F}));
  const auto list = largest_differences(*c, -1, 2);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].column, 0);
  EXPECT_EQ(list[0].a, 1);
  EXPECT_EQ(list[0].b, 0.5F);
  EXPECT_EQ(list[1].column, 1);
  EXPECT_EQ(largest_differences(*c, 0, 10).size(), 3U);
  EXPECT_TRUE(largest_differences(*c, 1, 10).empty());
  EXPECT_TRUE(largest_differences(*c, 0, 0).empty());
}

}  // namespace headscope::tests

#include <random>

#include "core/analysis/notable_heads.h"
#include "core/analysis/statistics.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// Sums in float over up to 300 cells, and a logarithm of 1e-7.
constexpr double rounding = 2e-6;

constexpr std::optional<double> none;

HeadStatistics of(const std::vector<float>& weights, const std::vector<Token>& queries,
                  const std::vector<Token>& keys, const std::uint8_t* blocked = nullptr) {
  std::vector<std::uint8_t> mask;
  if (blocked != nullptr) mask.assign(blocked, blocked + weights.size());
  const auto trace = trace_of(queries, keys, {weights}, mask);
  return head_statistics(trace->blocks.front(), 0, 0, TokenMatches(queries, keys));
}
HeadStatistics of(const std::vector<float>& weights, const std::string& sentence,
                  const std::uint8_t* blocked = nullptr) {
  return of(weights, word_tokens(sentence), word_tokens(sentence), blocked);
}

void expect_empty(const HeadStatistics& statistics) {
  for (const HeadColumn& column : head_columns()) EXPECT_EQ(column.value(statistics), none) << column.name;
}

TEST(Statistics, uniform_rows) {
  const HeadStatistics s = of(std::vector<float>(16, 0.25F), "a b c d");
  EXPECT_NEAR(s.entropy.value(), 1, rounding);
  EXPECT_NEAR(s.mean_distance.value(), (1.5 + 1 + 1 + 1.5) / 4, rounding);
  EXPECT_EQ(std::tuple(s.largest, s.sparsity, s.diagonal, s.first), std::tuple(0.25, 0.0, 0.25, 0.25));
  EXPECT_EQ(std::pair(s.same_token, s.induction), std::pair(none, none)) << "no token repeats";
}

TEST(Statistics, a_uniform_row_is_not_sparse_for_any_length) {
  for (Index n = 1; n < 200; ++n) {
    const auto size = static_cast<std::size_t>(n);
    const HeadStatistics s =
        of(std::vector<float>(size * size, 1.0F / static_cast<float>(n)), sentence_of(n));
    EXPECT_EQ(s.sparsity, 0) << n;
    EXPECT_NEAR(s.entropy.value(), n == 1 ? 0 : 1, rounding) << n;
  }
}

TEST(Statistics, rows_that_are_shared_out_are_added_up_in_their_order) {
  constexpr std::size_t few = 1400, times = 3, n_k = 140;  // enough for several threads
  std::mt19937 random(3);
  std::vector<float> once;
  for (std::size_t row = 0; row < few; ++row) {
    float sum = 0;
    for (std::size_t key = 0; key < n_k; ++key)
      sum += once.emplace_back(static_cast<float>(random() % 100 + 1));
    for (std::size_t key = 0; key < n_k; ++key) once[row * n_k + key] /= sum;
  }
  std::vector<float> again;
  for (std::size_t i = 0; i < times; ++i) again.insert(again.end(), once.begin(), once.end());
  const std::vector<Token> keys = numbered_tokens(n_k);
  const HeadStatistics one = of(once, numbered_tokens(few), keys);
  const HeadStatistics shared = of(again, numbered_tokens(few * times), keys);
  constexpr double in_doubles = 1e-12;
  EXPECT_NEAR(shared.entropy.value(), one.entropy.value(), in_doubles);
  EXPECT_NEAR(shared.sparsity.value(), one.sparsity.value(), in_doubles);
  EXPECT_NEAR(shared.first.value(), one.first.value(), in_doubles);
  EXPECT_EQ(std::tuple(shared.largest, shared.largest_query, shared.largest_key),
            std::tuple(one.largest, one.largest_query, one.largest_key));
  // Rows of later rounds are that much further from all keys; the first ones of all are among them.
  EXPECT_NEAR(shared.mean_distance.value() - one.mean_distance.value(), static_cast<double>(few), 5);
  EXPECT_NEAR(shared.diagonal.value(), one.diagonal.value(), in_doubles);
}

TEST(Statistics, every_share_has_its_own_place) {
  // rows: all on the previous, half on the next, on itself, on the first
  const HeadStatistics s = of({1, 0, 0, 0,        //
                               1, 0, 0, 0,        //
                               0, 0.5F, 0, 0.5F,  //
                               0, 0, 0, 1},
                              "a b c d");
  EXPECT_DOUBLE_EQ(s.diagonal.value(), (1 + 0 + 0 + 1) / 4.0);
  EXPECT_DOUBLE_EQ(s.previous.value(), (1 + 0.5 + 0) / 3);
  EXPECT_DOUBLE_EQ(s.next.value(), (0 + 0 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(s.first.value(), (1 + 1 + 0 + 0) / 4.0);
  EXPECT_DOUBLE_EQ(s.mean_distance.value(), (0 + 1 + 1 + 0) / 4.0);
  EXPECT_NEAR(s.entropy.value(), std::log(2) / std::log(4) / 4, rounding);
  EXPECT_EQ(std::tuple(s.largest, s.largest_query, s.largest_key), std::tuple(1.0, Index{0}, Index{0}));
  EXPECT_DOUBLE_EQ(s.sparsity.value(), (3 + 3 + 2 + 3) / 16.0);
}

TEST(Statistics, the_largest_is_found_off_the_diagonal) {
  const HeadStatistics s = of({0.2F, 0.8F, 0, 0.1F, 0, 0.9F, 1.0F / 3, 1.0F / 3, 1.0F / 3}, "a b c");
  EXPECT_FLOAT_EQ(static_cast<float>(s.largest.value()), 0.9F);
  EXPECT_EQ(std::pair(s.largest_query, s.largest_key), std::pair(Index{1}, Index{2}));
}

TEST(Statistics, same_token_and_induction_where_tokens_repeat) {
  // "the cat the dog": row 2 (the second "the") attends to the first one with 0.25, to its successor with
  // 0.75.
  const HeadStatistics s = of({0, 0, 0.5F, 0.5F,    //
                               1, 0, 0, 0,          //
                               0.25F, 0.75F, 0, 0,  //
                               1, 0, 0, 0},
                              "the cat the dog");
  EXPECT_DOUBLE_EQ(s.same_token.value(), (0.5 + 0.25) / 2);
  EXPECT_DOUBLE_EQ(s.induction.value(), 0.75);
}

TEST(Statistics, induction_counts_every_earlier_occurrence) {
  const HeadStatistics s = of({1, 0, 0,        //
                               0.5F, 0.5F, 0,  //
                               0.25F, 0.25F, 0.5F},
                              "a a a");
  EXPECT_DOUBLE_EQ(s.induction.value(), (0.5 + 0.75) / 2);
  EXPECT_DOUBLE_EQ(s.same_token.value(), (0 + 0.5 + 0.5) / 3);
}

TEST(Statistics, cross_attention_counts_every_key_with_the_token) {
  const std::vector<float> weights{0.5F, 0.25F, 0.25F, 0, 1, 0};
  const HeadStatistics s = of(weights, word_tokens("cat dog"), word_tokens("cat sat cat"));
  EXPECT_DOUBLE_EQ(s.same_token.value(), 0.75);
  EXPECT_DOUBLE_EQ(s.induction.value(), 0.25);
  EXPECT_DOUBLE_EQ(s.next.value(), (0.25 + 0) / 2);
}

TEST(Statistics, rows_of_zeros_are_left_out_and_uniform_ones_count) {
  // The effect of −∞ and of −1e9 on a second row whose keys are all blocked.
  const std::vector<std::uint8_t> blocked{0, 1, 1, 1}, all(4, 1);
  const HeadStatistics zeros = of({1, 0, 0, 0}, "a b", blocked.data());
  EXPECT_EQ(std::tuple(zeros.entropy, zeros.diagonal, zeros.first, zeros.previous, zeros.sparsity),
            std::tuple(0.0, 1.0, 1.0, none, 0.5));
  const HeadStatistics uniform = of({1, 0, 0.5F, 0.5F}, "a b", blocked.data());
  EXPECT_EQ(std::tuple(uniform.diagonal, uniform.first, uniform.previous, uniform.sparsity),
            std::tuple(0.75, 0.75, 0.5, 0.25));
  EXPECT_NEAR(uniform.entropy.value(), 0.5, rounding);
  expect_empty(of({0, 0, 0, 0}, "a b", all.data()));
}

TEST(Statistics, one_token_and_none) {
  const HeadStatistics one = of({1}, "a");
  EXPECT_EQ(std::tuple(one.entropy, one.diagonal, one.largest, one.sparsity), std::tuple(0.0, 1.0, 1.0, 0.0));
  EXPECT_EQ(std::tuple(one.previous, one.next, one.same_token, one.induction),
            std::tuple(none, none, none, none));
  expect_empty(of({}, ""));
}

TEST(Statistics, induction_is_empty_where_nothing_follows) {
  const HeadStatistics s = of({0.5F, 0.5F}, word_tokens("cat"), word_tokens("sat cat"));
  EXPECT_EQ(std::pair(s.same_token, s.induction), std::pair(std::optional(0.5), none));
}

TEST(Statistics, under_dropout_each_row_counts_as_its_share) {
  // A row of dropout 0.75 with one weight left of four, one with two, one with none.
  const std::vector<float> weights{0, 2, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0};
  const auto trace = std::const_pointer_cast<Trace>(
      std::shared_ptr<const Trace>(trace_of(word_tokens("a b c d"), word_tokens("a b c d"), {weights}, {})));
  trace->blocks.front().interventions.dropout = 0.75;
  const HeadStatistics s =
      head_statistics(trace->blocks.front(), 0, 0, {word_tokens("a b c d"), word_tokens("a b c d")});
  EXPECT_DOUBLE_EQ(s.mean_distance.value(), (1 + (0.25 + 0.75 * 2) + 3) / 3);
  EXPECT_EQ(std::tuple(s.largest, s.largest_query, s.largest_key), std::tuple(1.0, Index{0}, Index{1}));
  EXPECT_DOUBLE_EQ(s.first.value(), (0 + 0.25 + 1) / 3);
  EXPECT_DOUBLE_EQ(s.sparsity.value(), (3 + 2 + 3) / 12.0);  // 0.25 is not below 1 / 4
  EXPECT_NEAR(s.entropy.value(), (std::log(4) - 0.75 * std::log(3)) / std::log(4) / 3, rounding);
}

// The definitions, literally, in double precision.
HeadStatistics plain(const std::vector<float>& weights, Index n_q, Index n_k) {
  HeadStatistics s{0, 0, 0, 0, 0, 0, 0, 0, 0, {}, {}, 0, {}};
  double diagonals = 0, previous = 0, next = 0;
  for (Index i = 0; i < n_q; ++i) {
    for (Index j = 0; j < n_k; ++j) {
      const double w = static_cast<double>(weights[static_cast<std::size_t>(i * n_k + j)]);
      if (w > 0)
        *s.entropy -= w * std::log(w) / std::log(static_cast<double>(n_k)) / static_cast<double>(n_q);
      *s.mean_distance += w * static_cast<double>(std::abs(i - j)) / static_cast<double>(n_q);
      *s.sparsity += (w < 1.0 / static_cast<double>(n_k)) / static_cast<double>(n_q * n_k);
      if (w > *s.largest) s.largest = w, s.largest_query = i, s.largest_key = j;
      if (j == 0) *s.first += w / static_cast<double>(n_q);
      if (i == j) *s.diagonal += w, ++diagonals;
      if (i == j + 1) *s.previous += w, ++previous;
      if (i + 1 == j) *s.next += w, ++next;
    }
  }
  *s.diagonal /= diagonals, *s.previous /= previous, *s.next /= next;
  return s;
}

TEST(Statistics, random_maps_agree_with_the_definitions) {
  std::mt19937 generator(5);
  std::exponential_distribution<float> draw;
  for (const auto& [n_q, n_k] :
       std::vector<std::pair<Index, Index>>{{2, 3}, {15, 16}, {17, 31}, {40, 33}, {300, 300}}) {
    std::vector<float> weights;
    for (Index i = 0; i < n_q; ++i) {
      std::vector<float> row(static_cast<std::size_t>(n_k));
      float sum = 0;
      for (float& w : row) sum += w = std::pow(draw(generator), 9.0F);
      for (float w : row) weights.push_back(w / sum);
    }
    const HeadStatistics s = of(weights, numbered_tokens(n_q, "q"), numbered_tokens(n_k, "k"));
    const HeadStatistics expected = plain(weights, n_q, n_k);
    EXPECT_NEAR(s.entropy.value(), expected.entropy.value(), rounding);
    EXPECT_NEAR(s.mean_distance.value(), expected.mean_distance.value(), rounding * static_cast<double>(n_k));
    EXPECT_EQ(std::tuple(s.largest, s.largest_query, s.largest_key),
              std::tuple(expected.largest, expected.largest_query, expected.largest_key));
    EXPECT_NEAR(s.sparsity.value(), expected.sparsity.value(), 1e-3);  // cells within 1e-5 of the threshold
    for (const auto share : {&HeadStatistics::diagonal, &HeadStatistics::previous, &HeadStatistics::next,
                             &HeadStatistics::first})
      EXPECT_NEAR((s.*share).value(), (expected.*share).value(), rounding);
    EXPECT_FALSE(s.same_token);
  }
}

namespace {

/// Two layers of two heads over a causal text: 1.1 looks at the previous token, 2.1 at what followed the same
/// token, 1.2 and 2.2 at everything alike.
std::shared_ptr<Trace> trace_with_patterns(const std::string& sentence) {
  const std::vector<Token> tokens = word_tokens(sentence);
  const auto weight = [&](int layer, int head, Index i, Index j) {
    if (j > i) return 0.0F;
    const float equal = 1.0F / static_cast<float>(i + 1);
    if (head == 1) return equal;
    if (layer == 0) return i == 0 ? 1.0F : j == i - 1 ? 1.0F : 0.0F;
    for (Index key = i - 1; key >= 0; --key)
      if (tokens[static_cast<std::size_t>(key)].text == tokens[static_cast<std::size_t>(i)].text)
        return j == key + 1 ? 1.0F : 0.0F;
    return equal;
  };
  auto trace = trace_of(tokens, tokens, 2, 2, mask_parts({"causal"}), weight);
  trace->blocks.front().shape.causal = true;
  return trace;
}

std::shared_ptr<const NotableHeads> notable_in(const Trace& trace) {
  const BlockTrace& block = trace.blocks.front();
  return notable_heads(block, *block_statistics(block, {}));
}

}  // namespace

TEST(NotableHeads, have_a_pattern_that_equal_weights_do_not_have) {
  const auto found = notable_in(*trace_with_patterns("a b c d e a b c d e"));
  ASSERT_THAT(found->heads, SizeIs(2));
  EXPECT_EQ(std::pair(found->heads[0].layer, found->heads[0].head), std::pair(0, 0));
  EXPECT_STREQ(found->heads[0].column->name, "previous");
  EXPECT_EQ(found->heads[0].value, 1);
  EXPECT_EQ(std::pair(found->heads[1].layer, found->heads[1].head), std::pair(1, 0));
  EXPECT_STREQ(found->heads[1].column->name, "induction");
  EXPECT_EQ(found->heads[1].value, 1);
}

TEST(NotableHeads, need_more_than_a_few_tokens_as_evidence) {
  // In three tokens equal weights have 61% on the first, and any map has some pattern.
  EXPECT_THAT(notable_in(*trace_with_patterns("a b c"))->heads, IsEmpty());
  // Two repeated tokens are no evidence of induction.
  const auto few = notable_in(*trace_with_patterns("a b c d e f a b"));
  ASSERT_THAT(few->heads, SizeIs(1));
  EXPECT_STREQ(few->heads[0].column->name, "previous");
}

TEST(NotableHeads, are_at_most_two_of_a_kind) {
  const std::vector<Token> tokens = numbered_tokens(8);
  const auto trace = trace_of(tokens, tokens, 4, 3, {}, [](int layer, int head, Index, Index key) {
    const float first = 0.8F + 0.01F * static_cast<float>(4 * layer + head);
    return key == 0 ? first : (1 - first) / 7;
  });
  const auto found = notable_in(*trace);
  ASSERT_THAT(found->heads, SizeIs(2));
  EXPECT_EQ(std::pair(found->heads[0].layer, found->heads[0].head), std::pair(2, 3));
  EXPECT_EQ(std::pair(found->heads[1].layer, found->heads[1].head), std::pair(2, 2));
  std::stop_source stop;
  stop.request_stop();
  const BlockTrace& block = trace->blocks.front();
  EXPECT_EQ(notable_heads(block, *block_statistics(block, {}), stop.get_token()), nullptr);
}

TEST(NotableHeads, are_none_where_weights_are_near_equal_but_their_differences_are_known) {
  const std::vector<Token> tokens = numbered_tokens(10);
  const auto trace = trace_of(tokens, tokens, 3, 1, {}, [](int, int head, Index i, Index j) {
    const float own = 0.1F + 0.09F * static_cast<float>(head);
    return i == j ? own : (1 - own) / 9;
  });
  EXPECT_THAT(notable_in(*trace)->heads, IsEmpty());
  const auto numbers = block_statistics(trace->blocks.front(), {});
  const auto contrasts = head_contrasts(*numbers, 0, 3);
  ASSERT_THAT(contrasts, SizeIs(3));
  EXPECT_STREQ(contrasts[0].column->name, "sparsity") << "0 where all are equal, 0.9 where one is above them";
  EXPECT_NEAR(contrasts[0].high - contrasts[0].low, 0.9, 1e-6);
  for (const HeadContrast& one : contrasts) {
    EXPECT_EQ(one.high, *one.column->value(*numbers->find(0, one.highest)));
    EXPECT_EQ(one.low, *one.column->value(*numbers->find(0, one.lowest)));
    EXPECT_GT(one.high, one.low);
  }
  EXPECT_THAT(head_contrasts(*numbers, 1, 3), IsEmpty()) << "no such layer";
}

}  // namespace headscope::tests

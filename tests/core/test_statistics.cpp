#include "core/analysis/statistics.h"
#include "tests/support/traces.h"

namespace headscope::tests {

// Sums in float over up to 300 cells, and a logarithm of 1e-7.
constexpr double rounding = 2e-6;

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

TEST(Statistics, uniform_rows) {
  const HeadStatistics s = of(std::vector<float>(16, 0.25F), "a b c d");
  EXPECT_NEAR(s.entropy, 1, rounding);
  EXPECT_NEAR(s.mean_distance, (1.5 + 1 + 1 + 1.5) / 4, rounding);
  EXPECT_EQ(std::tuple(s.largest, s.sparsity, s.diagonal, s.first), std::tuple(0.25, 0.0, 0.25, 0.25));
  EXPECT_FALSE(s.repeats);
}

TEST(Statistics, a_uniform_row_is_not_sparse_for_any_length) {
  for (Index n = 1; n < 200; ++n) {
    const auto size = static_cast<std::size_t>(n);
    const HeadStatistics s =
        of(std::vector<float>(size * size, 1.0F / static_cast<float>(n)), sentence_of(n));
    EXPECT_EQ(s.sparsity, 0) << n;
    EXPECT_NEAR(s.entropy, n == 1 ? 0 : 1, rounding) << n;
  }
}

TEST(Statistics, every_share_has_its_own_place) {
  // rows: all on the previous, half on the next, on itself, on the first
  const HeadStatistics s = of({1, 0, 0, 0,        //
                               1, 0, 0, 0,        //
                               0, 0.5F, 0, 0.5F,  //
                               0, 0, 0, 1},
                              "a b c d");
  EXPECT_DOUBLE_EQ(s.diagonal, (1 + 0 + 0 + 1) / 4.0);
  EXPECT_DOUBLE_EQ(s.previous, (1 + 0.5 + 0) / 3);
  EXPECT_DOUBLE_EQ(s.next, (0 + 0 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(s.first, (1 + 1 + 0 + 0) / 4.0);
  EXPECT_DOUBLE_EQ(s.mean_distance, (0 + 1 + 1 + 0) / 4.0);
  EXPECT_NEAR(s.entropy, std::log(2) / std::log(4) / 4, rounding);
  EXPECT_EQ(std::tuple(s.largest, s.largest_query, s.largest_key), std::tuple(1.0, Index{0}, Index{0}));
  EXPECT_DOUBLE_EQ(s.sparsity, (3 + 3 + 2 + 3) / 16.0);
}

TEST(Statistics, the_largest_is_found_off_the_diagonal) {
  const HeadStatistics s = of({0.2F, 0.8F, 0, 0.1F, 0, 0.9F, 1.0F / 3, 1.0F / 3, 1.0F / 3}, "a b c");
  EXPECT_FLOAT_EQ(static_cast<float>(s.largest), 0.9F);
  EXPECT_EQ(std::pair(s.largest_query, s.largest_key), std::pair(Index{1}, Index{2}));
}

TEST(Statistics, same_token_and_induction_where_tokens_repeat) {
  // "the cat the dog": row 2 (the second "the") looks at the first one with 0.25, at what followed it with
  // 0.75.
  const HeadStatistics s = of({0, 0, 0.5F, 0.5F,    //
                               1, 0, 0, 0,          //
                               0.25F, 0.75F, 0, 0,  //
                               1, 0, 0, 0},
                              "the cat the dog");
  EXPECT_TRUE(s.repeats);
  EXPECT_DOUBLE_EQ(s.same_token, (0.5 + 0.25) / 2);
  EXPECT_DOUBLE_EQ(s.induction, 0.75);
}

TEST(Statistics, induction_counts_every_earlier_occurrence) {
  const HeadStatistics s = of({1, 0, 0,        //
                               0.5F, 0.5F, 0,  //
                               0.25F, 0.25F, 0.5F},
                              "a a a");
  EXPECT_DOUBLE_EQ(s.induction, (0.5 + 0.75) / 2);
  EXPECT_DOUBLE_EQ(s.same_token, (0 + 0.5 + 0.5) / 3);
}

TEST(Statistics, cross_attention_counts_every_key_with_the_token) {
  const std::vector<float> weights{0.5F, 0.25F, 0.25F, 0, 1, 0};
  const HeadStatistics s = of(weights, word_tokens("cat dog"), word_tokens("cat sat cat"));
  EXPECT_TRUE(s.repeats);
  EXPECT_DOUBLE_EQ(s.same_token, 0.75);
  EXPECT_DOUBLE_EQ(s.induction, 0.25);
  EXPECT_DOUBLE_EQ(s.next, (0.25 + 0) / 2);
}

TEST(Statistics, rows_with_no_key_are_left_out) {
  const std::vector<std::uint8_t> blocked{0, 1, 1, 1};
  const std::vector<float> zero{1, 0, 0, 0}, uniform{1, 0, 0.5F, 0.5F};
  for (const auto& weights : {zero, uniform}) {
    const HeadStatistics s = of(weights, "a b", blocked.data());
    EXPECT_EQ(std::tuple(s.entropy, s.diagonal, s.first, s.previous, s.sparsity),
              std::tuple(0.0, 1.0, 1.0, 0.0, 0.5));
  }
  const std::vector<std::uint8_t> all(4, 1);
  const HeadStatistics none = of(uniform, "a b", all.data());
  EXPECT_EQ(std::pair(none.largest, none.entropy), std::pair(0.0, 0.0));
}

TEST(Statistics, one_token_and_none) {
  const HeadStatistics one = of({1}, "a");
  EXPECT_EQ(std::tuple(one.entropy, one.diagonal, one.largest), std::tuple(0.0, 1.0, 1.0));
  EXPECT_EQ(of({}, "").largest, 0);
}

TEST(Statistics, dropped_out_rows_keep_an_entropy_between_0_and_1) {
  const HeadStatistics s = of({1, 1, 0, 0}, "a b");
  EXPECT_NEAR(s.entropy, 1, rounding);
}

// The definitions, word by word, in double precision.
HeadStatistics plain(const std::vector<float>& weights, Index n_q, Index n_k) {
  HeadStatistics s;
  double diagonals = 0, previous = 0, next = 0;
  for (Index i = 0; i < n_q; ++i) {
    for (Index j = 0; j < n_k; ++j) {
      const double w = static_cast<double>(weights[static_cast<std::size_t>(i * n_k + j)]);
      if (w > 0) s.entropy -= w * std::log(w) / std::log(static_cast<double>(n_k)) / static_cast<double>(n_q);
      s.mean_distance += w * static_cast<double>(std::abs(i - j)) / static_cast<double>(n_q);
      s.sparsity += (w < 1.0 / static_cast<double>(n_k)) / static_cast<double>(n_q * n_k);
      if (w > s.largest) s.largest = w, s.largest_query = i, s.largest_key = j;
      if (j == 0) s.first += w / static_cast<double>(n_q);
      if (i == j) s.diagonal += w, ++diagonals;
      if (i == j + 1) s.previous += w, ++previous;
      if (i + 1 == j) s.next += w, ++next;
    }
  }
  s.diagonal /= diagonals, s.previous /= previous, s.next /= next;
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
    EXPECT_NEAR(s.entropy, expected.entropy, rounding);
    EXPECT_NEAR(s.mean_distance, expected.mean_distance, rounding * static_cast<double>(n_k));
    EXPECT_EQ(std::tuple(s.largest, s.largest_query, s.largest_key),
              std::tuple(expected.largest, expected.largest_query, expected.largest_key));
    EXPECT_NEAR(s.sparsity, expected.sparsity, 1e-3);  // cells within 1e-5 of the threshold
    for (const auto share : {&HeadStatistics::diagonal, &HeadStatistics::previous, &HeadStatistics::next,
                             &HeadStatistics::first})
      EXPECT_NEAR(s.*share, expected.*share, rounding);
    EXPECT_FALSE(s.repeats);
  }
}

}  // namespace headscope::tests

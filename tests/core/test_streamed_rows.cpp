#include "tests/support/streamed_problem.h"

namespace headscope::tests {
namespace {

// The same from a row of weights [n_k], by definition.
RowNumbers numbers_of(const Eigen::RowVectorXd& weights, Index query, const TokenMatches& matches,
                      bool causal) {
  RowNumbers row;
  const Index n_k = weights.size();
  const double sum = weights.sum();
  row.any = sum > 0;
  if (!row.any) return row;
  const Eigen::RowVectorXd w = weights / sum;
  for (Index key = 0; key < n_k; ++key) {
    if (w(key) > 0) row.entropy -= w(key) * std::log(w(key)) / std::log(static_cast<double>(n_k));
    row.distance += w(key) * static_cast<double>(std::abs(query - key));
    if (w(key) < static_cast<double>(min_weight(n_k))) row.sparsity += 1 / static_cast<double>(n_k);
  }
  row.largest = w.maxCoeff(&row.largest_key);
  const auto share = [&](Index key) { return key >= 0 && key < n_k ? std::optional(w(key)) : std::nullopt; };
  row.diagonal = share(query);
  row.previous = share(query - 1);
  row.next = share(query + 1);
  row.first = share(0);
  for (const int key : matches.keys_of(query)) {
    if (matches.is_other(query, key, causal)) row.same_token = row.same_token.value_or(0) + w(key);
    if (matches.is_followed(query, key)) row.induction = row.induction.value_or(0) + w(key + 1);
  }
  return row;
}

// Tokens that repeat with that period.
std::vector<Token> repeated_tokens(Index count, Index period) {
  std::vector<Token> tokens = numbered_tokens(count);
  for (Index i = 0; i < count; ++i)
    tokens[static_cast<std::size_t>(i)].text = "w" + std::to_string(i % period);
  return tokens;
}

void expect_share(const std::optional<double>& found, const std::optional<double>& expected,
                  const std::string& where) {
  ASSERT_EQ(found.has_value(), expected.has_value()) << where;
  if (!found) return;
  EXPECT_NEAR(*found, *expected, 2e-6) << where;
}

// Sums of up to n_k roundings of float32; one score may fall on either side of an even share.
void expect_numbers(const RowNumbers& found, const RowNumbers& expected, Index n_k,
                    const std::string& where) {
  ASSERT_EQ(found.any, expected.any) << where;
  EXPECT_NEAR(found.entropy, expected.entropy, 2e-6) << where;
  EXPECT_NEAR(found.distance, expected.distance, 2e-6 * static_cast<double>(n_k)) << where;
  EXPECT_NEAR(found.sparsity, expected.sparsity, 1.5 / static_cast<double>(n_k)) << where;
  EXPECT_NEAR(found.largest, expected.largest, 2e-6) << where;
  expect_share(found.diagonal, expected.diagonal, where + " diagonal");
  expect_share(found.previous, expected.previous, where + " previous");
  expect_share(found.next, expected.next, where + " next");
  expect_share(found.first, expected.first, where + " first");
  expect_share(found.same_token, expected.same_token, where + " same token");
  expect_share(found.induction, expected.induction, where + " induction");
}

struct Numbered {
  Index n_q, n_k, period;
  bool causal;
};

}  // namespace

TEST(StreamedRows, are_those_of_the_weights_within_roundings_of_float32) {
  const Numbered sizes[] = {{700, 700, 23, false}, {300, 700, 40, false}, {150, 4700, 900, true}};
  for (const StreamedCase& each : streamed_cases)
    for (const auto& [n_q, n_k, period, causal] : sizes) {
      StreamedProblem problem(each, n_q, n_k, 20);
      const TokenMatches matches(repeated_tokens(n_q, period), repeated_tokens(n_k, period));
      const std::vector<RowNumbers> rows = problem.row_numbers({&matches, causal});
      const Matrix weights = problem.weights();
      for (Index query = 0; query < n_q; ++query) {
        const RowNumbers& row = rows[static_cast<std::size_t>(query)];
        const std::string where = fmt::format("{}, {} keys, query {}", each.name, n_k, query);
        if (!row.read) {
          EXPECT_TRUE(std::isfinite(each.fill)) << where;
          continue;
        }
        expect_numbers(row, numbers_of(weights.row(query).cast<double>(), query, matches, causal), n_k,
                       where);
        Index key;
        const float largest = weights.row(query).maxCoeff(&key);
        EXPECT_NEAR(row.any ? weights(query, row.largest_key) : 0, largest, 1e-6F) << where;
        if (testing::Test::HasFailure()) return;
      }
    }
}

TEST(StreamedRows, say_what_a_sink_takes) {
  for (const float temperature : {1.0F, 0.5F}) {
    StreamedProblem problem({.name = "", .inverse_temperature = 1 / temperature, .causal = true}, 300, 300,
                            16);
    problem.rule.sinks = Tensor({StreamedProblem::heads});
    for (const float sink : {-2.0F, 3.0F, 500.0F}) {
      std::fill_n(problem.rule.sinks.data(), problem.rule.sinks.size(), sink);
      const std::vector<RowNumbers> rows = problem.row_numbers({});
      const Matrix weights = problem.weights();
      for (Index query = 0; query < 300; ++query)
        expect_share(rows[static_cast<std::size_t>(query)].no_token,
                     1 - weights.row(query).cast<double>().sum(), fmt::format("{} {}", sink, query));
    }
  }
}

TEST(StreamedRows, rows_whose_blocked_keys_have_weights_are_left_to_them) {
  StreamedProblem problem({.name = "", .mask = {"window:9", "painted:5:0-699"}, .fill = -1e9F}, 20, 700, 8);
  const auto rows = problem.row_numbers({});
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].read, i != 5) << i;
}

TEST(StreamedRows, compute_what_is_seen_alone) {
  constexpr Index n = 5000;
  Index flat, window;
  StreamedProblem({.name = ""}, 256, n, 16).row_numbers({}, 2, &flat);
  StreamedProblem({.name = "", .mask = {"window:10"}}, n, n, 16).row_numbers({}, 2, &window);
  EXPECT_GE(flat, 256 * n);
  EXPECT_LT(flat, 256 * n * 11 / 10);
  EXPECT_LT(window, n * n / 10);
}

TEST(StreamedRows, what_a_sample_reports_wrongly_is_computed_again) {
  constexpr Index n_q = 130, n_k = 5000;
  StreamedProblem problem({.name = "", .bias = true, .gain = 0.3}, n_q, n_k, 16);
  // Of five consecutive keys the sample contains one.
  for (Index i = 0; i < n_q + n_k; ++i)
    problem.rule.bias.at(StreamedProblem::head)[i] = (i - n_q) % 5 == 0 ? 0.0F : 2.0F;
  Index cells;
  const auto rows = problem.row_numbers({}, 2, &cells);
  EXPECT_GT(cells, n_q * n_k * 3 / 2);
  const Matrix weights = problem.weights();
  for (Index query = 0; query < n_q; ++query) {
    const auto small = (weights.row(query).array() < min_weight(n_k)).count();
    EXPECT_NEAR(rows[static_cast<std::size_t>(query)].sparsity * n_k, static_cast<double>(small), 1.5);
  }
}

TEST(StreamedRows, have_the_same_bits_for_any_number_of_threads) {
  StreamedProblem problem({.name = "", .mask = {"causal"}}, 700, 700, 24);
  const auto one = problem.row_numbers({}, 1), three = problem.row_numbers({}, 3);
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(std::tuple(one[i].entropy, one[i].distance, one[i].largest, one[i].sparsity),
              std::tuple(three[i].entropy, three[i].distance, three[i].largest, three[i].sparsity));
}

TEST(StreamedRows, report_how_far_they_are_and_stop_on_request) {
  StreamedProblem problem({.name = ""}, 640, 640, 16);
  RowQuestion question;
  std::vector<Index> reported;
  question.progress = [&](Index done, Index all) {
    EXPECT_EQ(all, 640);
    reported.push_back(done);
  };
  problem.row_numbers(question);
  EXPECT_THAT(reported, testing::ElementsAre(128, 256, 384, 512, 640));
  std::stop_source stop;
  stop.request_stop();
  question.stop = stop.get_token();
  for (const RowNumbers& row : problem.row_numbers(question)) EXPECT_FALSE(row.read);
}

}  // namespace headscope::tests

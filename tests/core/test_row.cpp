#include "core/analysis/row.h"
#include "tests/support/testing.h"

namespace headscope::tests {

std::vector<float> random_row(std::size_t n, std::mt19937& generator) {
  std::exponential_distribution<float> draw;
  std::vector<float> row(n);
  for (float& w : row) w = std::pow(draw(generator), 4.0F);
  const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
  for (float& w : row) w /= sum;
  return row;
}

// The definition in double precision.
double divergence(const std::vector<float>& p, const std::vector<float>& q) {
  const double sum_p = std::accumulate(p.begin(), p.end(), 0.0),
               sum_q = std::accumulate(q.begin(), q.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double a = static_cast<double>(p[i]) / sum_p, b = static_cast<double>(q[i]) / sum_q,
                 m = (a + b) / 2;
    if (a > 0) sum += a * std::log2(a / m) / 2;
    if (b > 0) sum += b * std::log2(b / m) / 2;
  }
  return sum;
}

double computed(const std::vector<float>& p, const std::vector<float>& q) {
  return row_divergence(p.data(), row_mass(p.data(), std::ssize(p)), q.data(),
                        row_mass(q.data(), std::ssize(q)), std::ssize(p));
}

TEST(RowDivergence, agrees_with_the_definition_for_any_length) {
  std::mt19937 generator(3);
  for (std::size_t n = 1; n < 70; ++n) {
    const auto p = random_row(n, generator), q = random_row(n, generator);
    EXPECT_NEAR(computed(p, q), divergence(p, q), 1e-6) << n;  // float32 sums
    EXPECT_FLOAT_EQ(static_cast<float>(computed(p, q)), static_cast<float>(computed(q, p)));
    EXPECT_EQ(computed(p, p), 0);
  }
}

TEST(RowDivergence, keeps_small_differences) {
  std::mt19937 generator(4);
  const auto p = random_row(40, generator);
  auto q = p;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] *= i % 2 == 0 ? 1.001F : 0.999F;
  EXPECT_NEAR(computed(p, q) / divergence(p, q), 1, 1e-3);
}

TEST(RowDivergence, keeps_its_digits_from_alike_to_strange) {
  std::mt19937 generator(6);
  const auto p = random_row(300, generator), other = random_row(300, generator);
  for (const float share : {1e-3F, 0.01F, 0.05F, 0.1F, 0.2F, 0.5F, 1.0F}) {
    auto q = p;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += share * (other[i] - p[i]);
    // The distance is its root.
    EXPECT_NEAR(std::sqrt(computed(p, q)), std::sqrt(divergence(p, q)), 5e-6) << share;
  }
}

TEST(RowDivergence, of_rows_with_zeros_and_of_empty_rows) {
  EXPECT_NEAR(computed({1, 0, 0}, {0, 0.5F, 0.5F}), 1, 1e-6);
  EXPECT_EQ(computed({0, 0}, {0, 0}), 0);
  EXPECT_EQ(computed({0, 0}, {1, 0}), 1);
  EXPECT_NEAR(computed({2, 2}, {0.5F, 0.5F}), 0, 1e-6);
}

TEST(SmallestOfTop, agrees_with_sorting) {
  std::mt19937 generator(8);
  for (std::size_t n = 1; n < 50; ++n) {
    const auto row = random_row(n, generator);
    auto sorted = row;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const double all = std::accumulate(row.begin(), row.end(), 0.0);
    for (const double share : {0.01, 0.3, 0.5, 0.9, 0.999}) {
      double sum = 0;
      std::size_t kept = 0;
      while (sum < all * (share - 1e-7)) sum += static_cast<double>(sorted[kept++]);
      EXPECT_EQ(smallest_of_top(row.data(), std::ssize(row), share), sorted[kept - 1]) << n << " " << share;
    }
  }
}

TEST(SmallestOfTop, of_equal_weights_and_of_nothing) {
  const std::vector<float> equal(10, 0.1F), zero(5, 0.0F);
  EXPECT_EQ(smallest_of_top(equal.data(), 10, 0.3), 0.1F);
  EXPECT_EQ(smallest_of_top(zero.data(), 5, 0.5), 0);
  EXPECT_EQ(smallest_of_top(zero.data(), 0, 0.5), 0);
}

// 0.6 + 0.3 are the top 90 %, though 0.6F + 0.3F are less than 0.9 of the sum because of rounding.
TEST(SmallestOfTop, is_not_led_astray_by_rounding) {
  for (const auto& [row, share, smallest] : std::vector<std::tuple<std::vector<float>, double, float>>{
           {{0.1F, 0.6F, 0.3F}, 0.9, 0.3F},
           {{0.7F, 0.1F, 0.2F}, 0.7, 0.7F},
           {{0.2F, 0.2F, 0.2F, 0.3F, 0.1F}, 0.3, 0.3F}})
    EXPECT_EQ(smallest_of_top(row.data(), std::ssize(row), share), smallest);
}

}  // namespace headscope::tests

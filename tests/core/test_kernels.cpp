#include <bit>

#include "core/attention/kernels/kernels.h"
#include "core/base/error.h"
#include "core/base/flush_denormals.h"
#include "core/base/tensor.h"
#include "tests/support/testing.h"

namespace headscope::tests {

class KernelsOf : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    kernels_ = find_kernels(GetParam());
    if (kernels_ == nullptr) GTEST_SKIP() << "this machine has no such instruction set";
  }
  Tensor random(long rows, long columns) {
    Tensor tensor({rows, columns});
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (Index i = 0; i < tensor.size(); ++i) tensor.data()[i] = uniform(generator_);
    return tensor;
  }
  /// Softmax of `given`: its working row, the scores it keeps and the weights, and the results it returns.
  struct Row {
    Tensor row, scores, weights;
    SoftmaxTerms terms{};
  };
  Row softmax_of(const std::vector<float>& given, float inverse_temperature, bool streamed = false,
                 const std::uint8_t* blocked = nullptr, float fill = 0, float sink = -INFINITY) {
    const auto n = std::ssize(given);
    Row result{Tensor({n + kernels_->panel}), Tensor({n}), Tensor({n})};
    std::copy(given.begin(), given.end(), result.row.data());
    result.terms = kernels_->softmax(result.row.data(), blocked, fill, inverse_temperature, sink, n,
                                     result.scores.data(), result.weights.data(), streamed);
    kernels_->store_fence();
    return result;
  }
  const Kernels* kernels_ = nullptr;
  std::mt19937 generator_{1};
};

// Products of k terms of at most 1 in float32: k rounding errors of at most 2^-24 k each, and far fewer in
// practice.
double product_tolerance(long k) {
  return static_cast<double>(k) * std::sqrt(static_cast<double>(k)) * 6e-8 + 1e-6;
}

TEST_P(KernelsOf, multiply_is_the_product_for_any_shape) {
  const long shapes[][3] = {{1, 1, 1}, {3, 5, 7}, {12, 32, 64}, {13, 33, 65}, {29, 70, 17}, {25, 8, 300}};
  for (const auto& [m, n, k] : shapes) {
    const Tensor a = random(m, k), rows = random(n, k), bias = random(1, n + kernels_->panel);
    const long panels = (n + kernels_->panel - 1) / kernels_->panel, ldc = panels * kernels_->panel;
    Tensor packed({packed_size(*kernels_, n, k)}), c({m, ldc});
    kernels_->pack_rows(rows.data(), k, n, k, packed.data());
    kernels_->multiply(a.data(), k, packed.data(), bias.data(), 0.5F, c.data(), ldc, m, k, panels);
    for (long i = 0; i < m; ++i)
      for (long j = 0; j < n; ++j) {
        double sum = 0;
        for (long l = 0; l < k; ++l) sum += static_cast<double>(a.data()[i * k + l]) * rows.data()[j * k + l];
        EXPECT_NEAR(c.data()[i * ldc + j], 0.5 * sum + bias.data()[j], product_tolerance(k));
      }
  }
}

TEST_P(KernelsOf, packing_rows_or_columns_of_the_same_matrix_is_the_same) {
  const long n = 37, k = 19;
  const Tensor columns = random(k, n);
  Tensor rows({n, k});
  for (long i = 0; i < k; ++i)
    for (long j = 0; j < n; ++j) rows.data()[j * k + i] = columns.data()[i * n + j];
  Tensor a({packed_size(*kernels_, n, k)}), b({packed_size(*kernels_, n, k)});
  kernels_->pack_rows(rows.data(), k, n, k, a.data());
  kernels_->pack_columns(columns.data(), n, k, n, b.data());
  for (Index i = 0; i < a.size(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << i;
}

TEST_P(KernelsOf, a_panel_in_parts_is_the_product_and_requests_all_of_what_comes_next) {
  const long m = 29, k = 70, first = 40;
  const Tensor a = random(m, k), rows = random(kernels_->panel, k), bias = random(1, kernels_->panel);
  Tensor packed({packed_size(*kernels_, kernels_->panel, first)}), c({m, kernels_->panel});
  const Tensor next = random(6, 32);
  ReadAhead ahead{reinterpret_cast<const char*>(next.data()), 128, 128, 6, 0};
  for (const auto& [begin, end] : {std::pair(0L, first), std::pair(first, k)}) {
    kernels_->pack_rows(rows.data() + begin, k, kernels_->panel, end - begin, packed.data());
    kernels_->multiply_panel(a.data() + begin, k, {}, packed.data(), bias.data(), 0.5F, begin > 0, c.data(),
                             kernels_->panel, m, end - begin, &ahead);
  }
  EXPECT_EQ(ahead.rows, 0);
  EXPECT_EQ(ahead.row, reinterpret_cast<const char*>(next.data() + next.size()));
  for (long i = 0; i < m; ++i)
    for (long j = 0; j < kernels_->panel; ++j) {
      double sum = 0;
      for (long l = 0; l < k; ++l) sum += static_cast<double>(a.at(i)[l]) * rows.at(j)[l];
      EXPECT_NEAR(c.at(i)[j], 0.5 * sum + bias.data()[j], product_tolerance(k));
    }
}

TEST_P(KernelsOf, a_panel_that_is_packed_on_the_way_gives_the_same_bits) {
  const long panel = kernels_->panel, ld = panel + 5;
  for (const long m : {1L, 5L, 29L})
    for (const long k : {1L, 3L, 70L}) {
      const Tensor a = random(m, k), b = random(k, ld), bias = random(1, panel);
      Tensor before({packed_size(*kernels_, panel, k)}), after(before.shape());
      kernels_->pack_columns(b.data(), ld, k, panel, before.data());
      for (const bool added : {false, true}) {
        const Tensor start = random(m, panel);
        std::array<Tensor, 2> c{Tensor({m, panel}), Tensor({m, panel})};
        for (Tensor& one : c) std::copy_n(start.data(), start.size(), one.data());
        ReadAhead none;
        kernels_->multiply_panel(a.data(), k, {}, before.data(), bias.data(), 0.5F, added, c[0].data(), panel,
                                 m, k, &none);
        kernels_->multiply_panel(a.data(), k, {b.data(), ld}, after.data(), bias.data(), 0.5F, added,
                                 c[1].data(), panel, m, k, &none);
        for (Index i = 0; i < before.size(); ++i) ASSERT_EQ(before.data()[i], after.data()[i]);
        for (Index i = 0; i < c[0].size(); ++i) ASSERT_EQ(c[0].data()[i], c[1].data()[i]);
      }
    }
}

TEST_P(KernelsOf, a_number_goes_through_a_logistic_unit_alike_wherever_it_is) {
  std::vector<float> all;
  for (float x = -30; x < 30; x += 0.0371F) all.push_back(x);
  const std::vector<float> given = all;
  kernels_->logistic_units(all.data(), std::ssize(all), 1.5F, 0.07F);
  for (std::size_t i = 0; i < given.size(); ++i) {
    float one = given[i];
    kernels_->logistic_units(&one, 1, 1.5F, 0.07F);
    ASSERT_EQ(one, all[i]);
    const double x = given[i];
    ASSERT_NEAR(one, x / (1 + std::exp(-x * (1.5 + 0.07 * x * x))), 3e-7 * std::max(1.0, std::abs(x)));
  }
}

TEST_P(KernelsOf, a_row_is_normalized_to_its_mean_and_variance) {
  for (const long n : {1L, 5L, 16L, 77L, 768L}) {
    const Tensor x = random(1, n), weight = random(1, n), bias = random(1, n);
    for (const bool centered : {false, true}) {
      Tensor y({1, n});
      kernels_->normalize(x.data(), n, centered, 1e-5, weight.data(), centered ? bias.data() : nullptr,
                          y.data());
      double mean = 0, variance = 0;
      for (long i = 0; i < n && centered; ++i) mean += x.data()[i] / static_cast<double>(n);
      for (long i = 0; i < n; ++i) variance += std::pow(x.data()[i] - mean, 2) / static_cast<double>(n);
      for (long i = 0; i < n; ++i)
        ASSERT_NEAR(
            y.data()[i],
            (x.data()[i] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(weight.data()[i]) +
                (centered ? static_cast<double>(bias.data()[i]) : 0),
            1e-6);
    }
  }
}

TEST_P(KernelsOf, one_row_against_many_is_the_product_for_any_shape) {
  const long shapes[][2] = {{1, 1}, {5, 7}, {48, 64}, {13, 33}, {29, 70}, {3, 300}};
  for (const auto& [n, k] : shapes) {
    const Tensor matrix = random(n, k + 3), row = random(1, std::max(n, k));
    std::vector<float> dotted(static_cast<std::size_t>(n)), combined(static_cast<std::size_t>(k));
    kernels_->dot(matrix.data(), k + 3, n, k, row.data(), dotted.data());
    kernels_->combine(matrix.data(), k + 3, n, k, row.data(), combined.data());
    const auto at = [&](long i, long j) { return static_cast<double>(matrix.at(i)[j]); };
    for (long i = 0; i < n; ++i) {
      double sum = 0;
      for (long j = 0; j < k; ++j) sum += at(i, j) * row.data()[j];
      EXPECT_NEAR(dotted[static_cast<std::size_t>(i)], sum, product_tolerance(k));
    }
    for (long j = 0; j < k; ++j) {
      double sum = 0;
      for (long i = 0; i < n; ++i) sum += at(i, j) * row.data()[i];
      EXPECT_NEAR(combined[static_cast<std::size_t>(j)], sum, product_tolerance(n));
    }
  }
}

TEST_P(KernelsOf, numbers_of_16_bits_are_read_as_they_are) {
  const FlushDenormals flush;  // as in a compute thread: what is small here is not small in float32
  std::vector<std::uint16_t> f16, bf16;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7C00) != 0x7C00) f16.push_back(static_cast<std::uint16_t>(bits));
    const std::uint32_t exponent = bits & 0x7F80;
    if (exponent != 0x7F80 && exponent != 0) bf16.push_back(static_cast<std::uint16_t>(bits));
  }
  std::vector<float> wide(0x10000);
  kernels_->widen_f16(f16.data(), std::ssize(f16), wide.data());
  for (std::size_t i = 0; i < f16.size(); ++i)
    ASSERT_EQ(wide[i], std::ldexp(static_cast<float>((f16[i] & 0x3FF) | ((f16[i] & 0x7C00) != 0 ? 0x400 : 0)),
                                  std::max((f16[i] >> 10) & 31, 1) - 25) *
                           ((f16[i] & 0x8000) != 0 ? -1.0F : 1.0F));
  kernels_->widen_bf16(bf16.data(), std::ssize(bf16), wide.data());
  for (std::size_t i = 0; i < bf16.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]), static_cast<std::uint32_t>(bf16[i]) << 16);
  // The products read them in the same way.
  const long n = 5, k = 77;
  const Tensor row = random(1, k);
  for (const bool brain : {false, true}) {
    std::vector<std::uint16_t> halves(static_cast<std::size_t>(n * k));
    for (std::size_t i = 0; i < halves.size(); ++i)  // of about 1
      halves[i] = static_cast<std::uint16_t>((brain ? 0x3F00 : 0x3800) + i % 97 + (i % 3 == 0 ? 0x8000 : 0));
    std::vector<float> numbers(halves.size()), found(static_cast<std::size_t>(k)), expected(found);
    (brain ? kernels_->widen_bf16 : kernels_->widen_f16)(halves.data(), n * k, numbers.data());
    (brain ? kernels_->dot_bf16 : kernels_->dot_f16)(halves.data(), k, n, k, row.data(), found.data());
    kernels_->dot(numbers.data(), k, n, k, row.data(), expected.data());
    EXPECT_THAT(found, testing::Pointwise(testing::FloatNear(1e-5F), expected));
    (brain ? kernels_->combine_bf16 : kernels_->combine_f16)(halves.data(), k, n, k, row.data(),
                                                             found.data());
    kernels_->combine(numbers.data(), k, n, k, row.data(), expected.data());
    EXPECT_THAT(found, testing::Pointwise(testing::FloatNear(1e-5F), expected));
  }
}

// A row of softmax in double precision.
std::vector<double> softmax(const std::vector<float>& scores, double inverse_temperature) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (float s : scores) largest = std::max(largest, static_cast<double>(s));
  std::vector<double> weights;
  for (float s : scores) weights.push_back(std::exp((s - largest) * inverse_temperature));
  for (double w : weights) sum += w;
  for (double& w : weights) w /= sum;
  return weights;
}

TEST_P(KernelsOf, softmax_agrees_with_double_precision) {
  for (const long n : {1L, 2L, 15L, 16L, 17L, 100L, 300L, 1000L}) {
    std::vector<float> given;
    for (long j = 0; j < n; ++j) given.push_back(static_cast<float>(j % 7) * 1.7F - 5);
    const auto [row, scores, weights, terms] = softmax_of(given, 0.5F, n > 200);
    EXPECT_EQ(terms.min_weight, *std::min_element(weights.data(), weights.data() + n));
    EXPECT_EQ(*std::max_element(row.data(), row.data() + n), 1);
    const std::vector<double> expected = softmax(given, 0.5);
    for (std::size_t j = 0; j < given.size(); ++j) {
      EXPECT_EQ(scores.data()[j], given[j]);
      EXPECT_EQ(weights.data()[j], row.data()[j] * terms.share);
      EXPECT_NEAR(weights.data()[j], expected[j], 1e-6 * expected[j]);
    }
  }
}

TEST_P(KernelsOf, softmax_blocks) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::uint8_t> some{0, 1, 0, 1, 0}, all{1, 1, 1, 1, 1};
  const auto run = [&](const std::vector<std::uint8_t>& blocked, float fill) {
    const Row row = softmax_of({0, 1, 2, 3, 4}, 1, false, blocked.data(), fill);
    EXPECT_EQ(row.scores.data()[1], 1) << "scores are those before the mask";
    return std::vector<float>(row.weights.data(), row.weights.data() + 5);
  };
  for (const float fill : {-infinity, -1e9F}) {
    const std::vector<float> w = run(some, fill);
    EXPECT_EQ(w[1], 0);
    EXPECT_EQ(w[3], 0);
    EXPECT_NEAR(w[0] + w[2] + w[4], 1, 1e-6);
    EXPECT_NEAR(w[4] / w[2], std::exp(2.0), 1e-5);
  }
  for (float w : run(all, -infinity)) EXPECT_EQ(w, 0) << "no key to attend to";
  for (float w : run(all, -1e9F)) EXPECT_NEAR(w, 0.2, 1e-7) << "as PyTorch's";
}

// Weights down to e^-85: the exponent's rounding, 2^-24 of itself, becomes the weight's relative error.
TEST_P(KernelsOf, softmax_is_accurate_in_its_tail) {
  std::vector<float> given;
  for (int j = 0; j < 2000; ++j) given.push_back(-static_cast<float>(j) * 0.0425F);
  const Tensor weights = softmax_of(given, 1).weights;
  const std::vector<double> expected = softmax(given, 1);
  for (std::size_t j = 0; j < given.size(); ++j)
    EXPECT_NEAR(weights.data()[j], expected[j], expected[j] * (3e-7 + 1.2e-7 * std::abs(given[j]))) << j;
}

TEST_P(KernelsOf, softmax_reads_a_score_of_no_cell) {
  std::vector<float> given{0.5F, -1, 2, 0.25F, 1};
  for (const float sink : {-3.0F, 1.5F, 40.0F, 300.0F}) {
    const Row row = softmax_of(given, 0.5F, false, nullptr, 0, sink);
    std::vector<float> all = given;
    all.push_back(sink);
    const std::vector<double> expected = softmax(all, 0.5);
    for (std::size_t j = 0; j < given.size(); ++j)
      EXPECT_NEAR(row.weights.data()[j], expected[j], 1e-6 * expected[j] + 1e-37) << sink;
    EXPECT_NEAR(row.terms.no_token, expected.back(), 1e-6 * expected.back()) << sink;
  }
  const std::vector<std::uint8_t> all(5, 1);
  const Row blocked = softmax_of(given, 1, false, all.data(), -INFINITY, 1);
  EXPECT_EQ(blocked.terms.no_token, 1);
  for (Index j = 0; j < 5; ++j) EXPECT_EQ(blocked.weights.data()[j], 0);
}

TEST_P(KernelsOf, sharp_softmax_has_no_denormals) {
  std::vector<float> given;
  for (int j = 0; j < 64; ++j) given.push_back(-static_cast<float>(j) * 3);
  const Tensor weights = softmax_of(given, 1, true).weights;
  for (int j = 0; j < 64; ++j) EXPECT_NE(std::fpclassify(weights.data()[j]), FP_SUBNORMAL) << j;
}

std::string set_name(const testing::TestParamInfo<InstructionSet>& tested) {
  return tested.param == InstructionSet::avx512 ? "avx512"
         : tested.param == InstructionSet::avx2 ? "avx2"
                                                : "baseline";
}
TEST_P(KernelsOf, moments_of_a_row_are_its_sums) {
  for (const long n : {kernels_->panel, 3 * kernels_->panel, 500 / kernels_->panel * kernels_->panel}) {
    Tensor row = random(1, n), terms({n});
    row.data()[2] = -std::numeric_limits<float>::infinity();
    constexpr float largest = 1.5F, factor = 7, first = -20;
    float sums[3];
    kernels_->sum_moments(row.data(), largest, factor, first, n, terms.data(), sums);
    double sum = 0, bits = 0, distance = 0;
    for (long j = 0; j < n; ++j) {
      const double x = std::max(-126.0, (static_cast<double>(row.data()[j]) - largest) * factor);
      const double e = std::exp2(x);
      EXPECT_NEAR(terms.data()[j], e, 4e-6 * e);  // x rounds to 2^-20
      sum += e;
      bits += e * x;
      distance += e * std::abs(first + static_cast<double>(j));
    }
    EXPECT_NEAR(sums[0], sum, 1e-5 * sum);
    EXPECT_NEAR(sums[1], bits, -1e-5 * bits);
    EXPECT_NEAR(sums[2], distance, 1e-5 * distance);
  }
}

TEST_P(KernelsOf, what_is_kept_is_between) {
  const long n = 10 * kernels_->panel;
  Tensor row = random(1, n);
  const auto whole = kernels_->panel;
  std::fill_n(row.data() + whole, whole, 0.25F);  // vectors of this value only
  row.data()[3] = -std::numeric_limits<float>::infinity();
  row.data()[4] = 0.5F;
  std::vector<float> between(static_cast<std::size_t>(n) + 5), expected{1, 2, 3};
  std::copy(expected.begin(), expected.end(), between.begin());
  long above = 0, kept = 3;
  for (long j = 0; j < n; ++j) {
    const float x = row.data()[j];
    above += x >= 0.5F ? 1 : 0;
    if (x >= -0.25F && x < 0.5F) expected.push_back(x);
  }
  EXPECT_EQ(kernels_->keep_between(row.data(), -0.25F, 0.5F, n, between.data(), &kept), above);
  ASSERT_EQ(kept, std::ssize(expected));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), between.begin()));
}

INSTANTIATE_TEST_SUITE_P(Sets, KernelsOf,
                         testing::Values(InstructionSet::baseline, InstructionSet::avx2,
                                         InstructionSet::avx512),
                         set_name);

TEST(BestKernels, are_no_better_than_the_environment_requests) {
  setenv("HEADSCOPE_ISA", "baseline", 1);
  EXPECT_STREQ(best_kernels().name, "baseline");
  setenv("HEADSCOPE_ISA", "avx2", 1);
  EXPECT_STRNE(best_kernels().name, "avx512");
  setenv("HEADSCOPE_ISA", "sse9", 1);
  EXPECT_THROW(best_kernels(), Error);
  unsetenv("HEADSCOPE_ISA");
  EXPECT_TRUE(find_kernels(InstructionSet::avx512) == nullptr ||
              &best_kernels() == find_kernels(InstructionSet::avx512));
}

}  // namespace headscope::tests

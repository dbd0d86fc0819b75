#pragma once
#include <fmt/format.h>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/stage_numbers.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// A number as it is printed: its value, and the unit of its last digit.
struct Printed {
  double value = 0, unit = 0;
};
inline Printed parsed(std::string text) {
  for (std::size_t at; (at = text.find("−")) != std::string::npos;) text.replace(at, 3, "-");
  if (text.find("∞") != std::string::npos) return {-std::numeric_limits<double>::infinity(), 0};
  const std::size_t e = text.find('e'), dot = text.find('.');
  const std::string mantissa = text.substr(0, e);
  const int decimals = dot == std::string::npos ? 0 : static_cast<int>(mantissa.size() - dot - 1);
  const int power = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  return {std::stod(text), std::pow(10.0, power - decimals)};
}
/// A number that is printed whole has nothing rounded.
inline Printed printed(double value, int decimals) {
  if (std::isnan(value)) return {};
  Printed number = parsed(printed_number(value, decimals));
  const double exact = 2e-7 * std::max(1.0, std::abs(value));
  if (std::abs(number.value - value) <= exact) number.unit = std::min(number.unit, 2 * exact);
  return number;
}
inline std::vector<Printed> printed(const StageTerms::Column& column) {
  std::vector<Printed> numbers;
  for (const double value : column.values) numbers.push_back(printed(value, column.decimals));
  return numbers;
}

/// The printed number is what the printed ones before it give, but for the rounding of their last digits and,
/// much less, what float32 has rounded on the way.
inline void expect_gives(double computed, double rounding, const Printed& number, const std::string& what) {
  const double known = 1e-6 * std::max({1.0, std::abs(computed), std::abs(number.value)});
  EXPECT_LE(std::abs(computed - number.value), rounding + number.unit / 2 + known) << what;
}

inline void expect_terms(const StageTerms& terms, const std::string& what) {
  // Of numbers that float32 knows no better, the last digits are what they are.
  const double units = what.find("40") == std::string::npos ? 3 : 50;
  const auto count = terms.labels.size();
  for (std::size_t c = 0; c < terms.columns.size(); ++c) {
    const StageTerms::Column& column = terms.columns[c];
    ASSERT_EQ(column.values.size(), count) << what;
    const std::vector<Printed> numbers = printed(column);
    if (c == 2 && column.sign == "=" && terms.columns[1].sign == "×") {
      const std::vector<Printed> a = printed(terms.columns[0]), b = printed(terms.columns[1]);
      for (std::size_t r = 0; r < count; ++r) {
        if (std::isnan(terms.columns[0].values[r])) continue;
        const double rounding = (std::abs(a[r].value) * b[r].unit + std::abs(b[r].value) * a[r].unit) / 2;
        expect_gives(a[r].value * b[r].value, rounding, numbers[r], what + ", product " + std::to_string(r));
        EXPECT_LE(rounding, units * std::max(std::pow(10.0, -column.decimals), 1e-6))
            << what << ": too few digits for the product";
      }
    }
    if (!column.adds) continue;
    double sum = 0, rounding = 0;
    for (const Printed& number : numbers) sum += number.value, rounding += number.unit / 2;
    const bool one = column.total == "= 1 ✓";
    const Printed total = one ? Printed{1, 0} : parsed(column.total);
    expect_gives(sum, rounding, total, what + ", sum");
    if (!one) {
      EXPECT_LE(rounding, 1.1 * std::max(total.unit, 512e-6)) << what << ": too few digits for the sum";
    }
  }
}

/// What is added to the scores gives the masked ones; what is replaced has no summand.
inline void expect_mask(const ArithmeticStage& stage, const StageTerms& terms, const std::string& what) {
  const bool adds = stage.formula.find("+ M") != std::string::npos;
  ASSERT_EQ(terms.columns.size(), adds ? 3U : 2U) << what;
  EXPECT_EQ(terms.columns.back().sign, adds ? "=" : "→") << what;
  EXPECT_EQ(stage.thumbnail.symbol.starts_with("+"), adds) << what;
  if (!adds) return;
  for (const double value : terms.columns[1].values) EXPECT_TRUE(value == 0 || std::isinf(value)) << what;
}

inline void expect_softmax(const StageTerms& terms, const std::string& what) {
  if (terms.columns.size() == 3) {  // of a row whose keys are all blocked
    for (const std::size_t c : {1U, 2U})
      for (const double value : terms.columns[c].values) {
        EXPECT_EQ(value, 0) << what;
      }
    return;
  }
  const auto &s = terms.columns[0], &shifted = terms.columns[1], &e = terms.columns[2], &w = terms.columns[3];
  const Printed most = parsed(s.total.substr(4)), sum = parsed(e.total);
  for (std::size_t j = 0; j < terms.labels.size(); ++j) {
    const Printed at = printed(s.values[j], s.decimals), less = printed(shifted.values[j], shifted.decimals),
                  exponential = printed(e.values[j], e.decimals), weight = printed(w.values[j], w.decimals);
    if (std::isfinite(at.value))
      expect_gives(at.value - most.value, (at.unit + most.unit) / 2, less, what + ", less the maximum");
    expect_gives(std::exp(less.value), std::exp(less.value + less.unit / 2) - std::exp(less.value),
                 exponential, what + ", exponential");
    expect_gives(
        exponential.value / sum.value,
        (exponential.unit / 2 + exponential.value / sum.value * sum.unit / 2) / (sum.value - sum.unit / 2),
        weight, what + ", weight");
  }
}

}  // namespace headscope::tests

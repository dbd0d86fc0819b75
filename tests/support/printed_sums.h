#pragma once
#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/stage_numbers.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// Recomputes sums from the text: calculating with the displayed numbers must give the displayed numbers.

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
inline Printed printed(double value, int decimals) {
  return parsed(printed_number(value, decimals));
}
inline Printed printed(const StageTerms::Column& column, std::size_t row) {
  return printed(column.values[row], column.decimals);
}

/// The computed value rounds to the printed one.
inline void expect_gives(double computed, const Printed& number, const std::string& what) {
  if (std::isinf(computed) && std::isinf(number.value)) return;
  const double of_double = 1e-12 * std::max(1.0, std::abs(computed));
  EXPECT_LE(std::abs(computed - number.value), number.unit / 2 * (1 + 1e-9) + of_double)
      << what << ": " << computed << " is printed as " << number.value;
}

inline void expect_terms(const StageTerms& terms, const std::string& what) {
  for (std::size_t c = 0; c < terms.columns.size(); ++c) {
    const StageTerms::Column& column = terms.columns[c];
    ASSERT_EQ(column.values.size(), terms.labels.size()) << what;
    if (c == 2 && column.sign == "=" && terms.columns[1].sign == "×")
      for (std::size_t r = 0; r < terms.labels.size(); ++r)
        if (!std::isnan(terms.columns[0].values[r]))
          expect_gives(printed(terms.columns[0], r).value * printed(terms.columns[1], r).value,
                       printed(column, r), what + ", product " + std::to_string(r));
    if (!column.adds) continue;
    double sum = 0;
    for (std::size_t r = 0; r < terms.labels.size(); ++r) sum += printed(column, r).value;
    expect_gives(sum, column.total == "= 1 ✓" ? Printed{1, 1} : parsed(column.total), what + ", sum");
  }
}

/// What is added to the scores gives the masked ones; a replaced one has no summand.
inline void expect_mask(const ArithmeticStage& stage, const StageTerms& terms, const std::string& what) {
  const bool adds = stage.formula.find("+ M") != std::string::npos;
  ASSERT_EQ(terms.columns.size(), adds ? 3U : 2U) << what;
  EXPECT_EQ(terms.columns.back().sign, adds ? "=" : "→") << what;
  EXPECT_EQ(stage.thumbnail.symbol.starts_with("+"), adds) << what;
  if (!adds) return;
  for (std::size_t r = 0; r < terms.labels.size(); ++r) {
    const double mask = terms.columns[1].values[r];
    EXPECT_TRUE(mask == 0 || std::isinf(mask)) << what;
    expect_gives(printed(terms.columns[0], r).value + mask, printed(terms.columns[2], r), what);
  }
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
  const Printed maximum = parsed(s.total.substr(4)), sum = parsed(e.total);
  for (std::size_t j = 0; j < terms.labels.size(); ++j) {
    const std::string row = what + ", row " + std::to_string(j);
    expect_gives(printed(s, j).value - maximum.value, printed(shifted, j), row + ", less the maximum");
    expect_gives(std::exp(printed(shifted, j).value), printed(e, j), row + ", exponential");
    expect_gives(printed(e, j).value / sum.value, printed(w, j), row + ", weight");
  }
}

/// The value of a formula's side that is all numbers; empty if it has letters.
class TexValue {
 public:
  explicit TexValue(std::string_view tex) : rest_(tex) {}
  std::optional<double> value() {
    const double found = sum();
    skip();
    return rest_.empty() && !letters_ ? std::optional(found) : std::nullopt;
  }

 private:
  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::string_view braced() {
    if (!take("{")) return letters_ = true, "";
    std::size_t at = 0;
    for (int depth = 1; at < rest_.size(); ++at) {
      depth += (rest_[at] == '{') - (rest_[at] == '}');
      if (depth == 0) break;
    }
    const std::string_view inside = rest_.substr(0, at);
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
    return inside;
  }
  double inner(std::string_view tex) {
    const auto found = TexValue(tex).value();
    letters_ |= !found;
    return found.value_or(0);
  }
  double sum() {
    double total = product();
    while (true) {
      if (take("+"))
        total += product();
      else if (take("-") || take("−"))
        total -= product();
      else
        return total;
    }
  }
  double product() {
    double total = factor();
    while (take("\\cdot") || take("\\times")) total *= factor();
    return total;
  }
  double factor() {
    if (take("\\frac")) {
      const double above = inner(braced());
      return above / inner(braced());
    }
    if (take("\\sqrt")) return std::sqrt(inner(braced()));
    if (take("\\color")) return braced(), inner(braced());
    if (take("(")) {
      const double found = sum();
      letters_ |= !take(")");
      return found;
    }
    if (take("\\text")) return number(braced());
    skip();
    std::size_t digits = 0;
    while (digits < rest_.size() && (std::isdigit(static_cast<unsigned char>(rest_[digits])) != 0)) ++digits;
    const std::string_view text = rest_.substr(0, digits);
    rest_.remove_prefix(digits);
    return number(text);
  }
  double number(std::string_view text) {
    if (text.empty() || std::string_view("0123456789").find(text.back()) == std::string_view::npos)
      return letters_ |= text.find("∞") == std::string_view::npos, -std::numeric_limits<double>::infinity();
    return parsed(std::string(text)).value;
  }

  std::string_view rest_;
  bool letters_ = false;
};

/// Each side that is all numbers gives the last one.
inline void expect_formula(const std::string& tex, const std::string& what) {
  std::vector<std::string> sides{""};
  for (std::size_t i = 0; i < tex.size(); ++i)
    if (tex[i] == '=')
      sides.emplace_back();
    else
      sides.back() += tex[i];
  const std::string& last = sides.back();
  const std::size_t at = last.rfind("\\text{");
  if (sides.size() < 2 || at == std::string::npos || !TexValue(last).value()) return;
  const Printed result = parsed(last.substr(at + 6, last.find('}', at) - at - 6));
  for (std::size_t side = 0; side + 1 < sides.size(); ++side)
    if (const auto value = TexValue(sides[side]).value()) expect_gives(*value, result, what + ": " + tex);
}

/// x + o = r, component by component.
inline void expect_residual(const ArithmeticStage& stage, const std::string& what) {
  std::vector<const StageMatrix*> rows;
  for (const StagePart& part : stage.parts)
    if (const auto* matrix = std::get_if<StageMatrix>(&part)) rows.push_back(matrix);
  if (rows.size() < 3 || rows[2]->name != "r_i") return;
  for (Index c = 0; c < rows[0]->values.cols(); ++c) {
    const auto at = [&](std::size_t row) { return printed(rows[row]->values(0, c), rows[row]->decimals); };
    expect_gives(at(0).value + at(1).value, at(2), what + ", residual");
  }
}

}  // namespace headscope::tests

#include "core/analysis/stage_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/text/token_label.h"

namespace headscope {
namespace {

/// The rows of a matrix of tokens that are shown: all if few, otherwise those near the selected ones and the
/// ends.
std::vector<Index> shown_rows(Index count, std::initializer_list<Index> chosen) {
  constexpr Index maximum = 16;
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) {
    const bool near = std::ranges::any_of(chosen, [&](Index c) { return std::abs(i - c) <= 1; });
    if (count <= maximum || near || i < 2 || i >= count - 1) rows.push_back(i);
  }
  return rows;
}

template <typename Row>
double largest(const Row& row) {
  double maximum = 0;
  for (Index i = 0; i < row.size(); ++i)
    if (const auto value = std::abs(static_cast<double>(row.coeff(i))); std::isfinite(value) && value < 1e8)
      maximum = std::max(maximum, value);
  return maximum;
}

/// A typed number is shown with fewer decimals.
double as_shown(double value, int decimals) {
  return as_printed(value, shorter(value, decimals));
}

}  // namespace

double unit_of_terms(double unit, Index count) {
  return std::min(unit, power_of_ten(unit / std::sqrt(std::max<Index>(count, 1))));
}

double unit_of_factors(double unit, double a, double b) {
  return std::min(unit, power_of_ten(unit / std::max(a + b, 1e-12)));
}

double known(double unit, double size) {
  return std::max(unit, size * 1e-7);
}

StageDigits stage_digits(const CellArithmetic& cell, double largest_value) {
  const Index d_k = cell.q.size(), n_k = cell.weights.size(), heads = cell.w_o_terms.rows();
  const double q = std::max(largest(cell.q), largest(cell.k)), weight = largest(cell.weights);

  const double context = unit_of(largest(cell.context), 3, 1e-3);
  const double weighted = unit_of_terms(context, n_k);
  const double factor = cell.dropout.size() > 0 ? static_cast<double>(cell.dropout.maxCoeff()) : 1;
  const double values = std::min(1e-4, unit_of_factors(weighted, largest_value * factor, weight * factor));
  const double w = unit_of(weight, 3, 1e-4);
  const double sum = cell.row_sum > 0 ? cell.row_sum : 1;
  const double row_sum = power_of_ten(w * sum / std::max(weight, 1e-6));
  constexpr int max_more = 6;  // for a single line, which can always be matched
  const double exponential = std::min({power_of_ten(w * sum), unit_of_terms(row_sum, n_k), 1e-4});
  const double score_size = std::max(largest(cell.tempered), largest(cell.scores) / cell.temperature);
  const double score = known(std::min(unit_of(score_size, 4, 1e-4), exponential), score_size);
  const double scaled = known(std::min(score, power_of_ten(score * cell.temperature)), largest(cell.scores));
  StageDigits digits{};
  digits.score = decimals_of(score);
  const Index key = cell.place.key;
  digits.scaled = operand_decimals(decimals_of(scaled), max_more, [&](int decimals) {
    return cell.tempered.size() == 0 ? 0
                                     : units_off(as_shown(cell.masked[key], decimals) / cell.temperature,
                                                 cell.tempered[key], digits.score);
  });
  const double base_of_dot =
      known(power_of_ten(std::pow(10.0, -digits.scaled) / cell.scale), std::abs(cell.dot));
  // As it is printed: a model's own scale is rounded to float32.
  const double scale = cell.rule.by_sqrt_d_k ? 1 / std::sqrt(d_k) : cell.scale;
  digits.dot = operand_decimals(decimals_of(base_of_dot), max_more, [&](int decimals) {
    return units_off(as_shown(cell.dot, decimals) * scale, cell.dot * cell.scale, digits.scaled);
  });
  const double dot = std::pow(10.0, -digits.dot);
  const double product = known(unit_of_terms(dot, d_k), largest(cell.products));
  const double qk = known(unit_of_factors(product, q, q), q);

  const double output = unit_of(largest(cell.output), 3, 1e-3);
  const double o_terms = unit_of_terms(output, heads + 1);
  const double o_products = unit_of_terms(o_terms, d_k);
  const double o_factors = unit_of_factors(o_products, largest(cell.context), 1);
  const CellIntermediates& way = cell.way;
  const bool changed = way.limit > 0 || way.q_norm || way.q_turn;  // between the projections and q, k
  const double size = changed ? std::max(largest(way.q_projected), largest(way.k_projected)) : q;
  const double projected = std::max(changed ? 0 : qk, unit_of(size, 3, 1e-3));
  const double terms = unit_of_terms(projected, cell.x.size() + 1);

  digits.x = decimals_of(std::max(known(terms, largest(cell.query_input())), 1e-6));
  digits.projected = decimals_of(projected);
  digits.projection_terms = decimals_of(std::max(terms, 1e-6));
  digits.q = decimals_of(qk);
  digits.product = decimals_of(product);
  digits.exponential = decimals_of(exponential);
  digits.row_sum = decimals_of(row_sum);
  digits.weight = decimals_of(w);
  digits.factor = decimals_of(values);
  digits.value = decimals_of(known(values, largest_value));
  digits.weighted = decimals_of(weighted);
  digits.context = decimals_of(context);
  digits.projection_o = decimals_of(std::max(o_factors, 1e-7));
  digits.o_products = decimals_of(std::max(o_products, 1e-7));
  digits.o_terms = decimals_of(o_terms);
  digits.output = decimals_of(output);
  digits.norm = decimals_of(1e-3);
  return digits;
}

std::string shape_text(std::initializer_list<Index> shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text + "]";
}

std::string colored(const char* role, const std::string& tex) {
  return fmt::format("\\color{{{}}}{{{}}}", role, tex);
}

int shorter(double value, int decimals) {
  return shortest(Eigen::Matrix<double, 1, 1>(value), decimals);
}

void add_products(StageTerms& terms, StageTerms::Column a, StageTerms::Column b, StageTerms::Column product,
                  std::optional<StageSum> sum) {
  const std::vector<double> behind = std::exchange(product.values, {});
  for (std::size_t i = 0; i < a.values.size(); ++i) product.values.push_back(a.values[i] * b.values[i]);
  product.values.insert(product.values.end(), behind.begin(), behind.end());
  if (sum) product.decimals = term_decimals(product.values, sum->value, sum->decimals, product.decimals);
  product.decimals = shortest(product.values, product.decimals);
  PrintedProducts printed = printed_products(a.values, b.values, a.decimals, product.decimals);
  for (const double value : behind) printed.products.push_back(as_printed(value, product.decimals));
  a.values = std::move(printed.a);
  b.values = std::move(printed.b);
  a.decimals = printed.a_decimals;
  b.decimals = printed.b_decimals;
  b.sign = "×";
  product.sign = "=";
  for (StageTerms::Column* factor : {&a, &b})
    factor->values.resize(printed.products.size(), std::numeric_limits<double>::quiet_NaN());
  product.values = std::move(printed.products);
  product.adds = sum.has_value();
  if (sum)
    product.total =
        printed_number(std::accumulate(product.values.begin(), product.values.end(), 0.0), sum->decimals);
  for (StageTerms::Column* column : {&a, &b, &product}) terms.columns.push_back(std::move(*column));
}

void add_summands(StageTerms& terms, StageTerms::Column column, const StageSum& sum) {
  column.decimals =
      shortest(column.values, term_decimals(column.values, sum.value, sum.decimals, column.decimals));
  column.values = as_printed(column.values, column.decimals);
  column.adds = true;
  column.total =
      printed_number(std::accumulate(column.values.begin(), column.values.end(), 0.0), sum.decimals);
  terms.columns.push_back(std::move(column));
}

StageMatrix token_rows(const char* role, std::string name, const MatrixView& matrix,
                       const std::vector<Token>& tokens, std::initializer_list<Index> chosen, int decimals) {
  StageMatrix shown;
  shown.role = role;
  shown.name = std::move(name);
  shown.shape = shape_text({matrix.rows(), matrix.cols()});
  shown.row_ids = shown_rows(matrix.rows(), chosen);
  shown.values.resize(std::ssize(shown.row_ids), matrix.cols());
  const Index first = *chosen.begin(), last = *(chosen.end() - 1);
  for (Index r = 0; r < shown.values.rows(); ++r) {
    const Index id = shown.row_ids[r];
    shown.values.row(r) = matrix.row(id).cast<double>();
    shown.rows.push_back(token_label(tokens[id].text));
    if (id == first) shown.row = r;
    if (id == last && last != first) shown.other_row = r;
  }
  shown.decimals = shortest(shown.values, decimals);
  return shown;
}

}  // namespace headscope

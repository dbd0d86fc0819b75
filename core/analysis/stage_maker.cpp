#include "core/analysis/stage_maker.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

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
    const Index id = shown.row_ids[static_cast<std::size_t>(r)];
    shown.values.row(r) = matrix.row(id).cast<double>();
    shown.rows.push_back(token_label(tokens[static_cast<std::size_t>(id)].text));
    if (id == first) shown.row = r;
    if (id == last && last != first) shown.other_row = r;
  }
  shown.decimals = shortest(shown.values, decimals);
  return shown;
}

}  // namespace headscope

#include "core/analysis/stage_maker.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/token_label.h"

namespace headscope {
namespace {

/// The rows of a matrix of tokens that are shown: all of few, else those about the chosen ones and the ends.
std::vector<Index> shown_rows(Index count, std::initializer_list<Index> chosen) {
  constexpr Index most = 16;
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) {
    const bool near = std::ranges::any_of(chosen, [&](Index c) { return std::abs(i - c) <= 1; });
    if (count <= most || near || i < 2 || i >= count - 1) rows.push_back(i);
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

void sign_product(StageTerms& terms) {
  terms.columns[1].sign = "×";
  terms.columns[2].sign = "=";
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

#include "core/analysis/softmax_row.h"

#include <cmath>
#include <limits>

namespace headscope {

SoftmaxRow softmax_row(const BlockTrace& block, int layer, int head, int query) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Eigen::RowVectorXf scores(block.n_k());
  SoftmaxRow row;
  if (!block.maps->score_rows(layer, head, query, query + 1, scores.data())) return row;
  row.scores = scores.cast<double>();
  row.masked = row.scores / block.what_if.temperature;
  const double fill = block.fills_with_infinity() ? -infinity : -1e9;
  for (Index j = 0; j < block.n_k(); ++j)
    if (block.mask_of(layer).blocked(head, query, j)) row.masked[j] = fill;
  row.row_max = row.masked.maxCoeff();
  if (row.row_max == -infinity) {
    row.exponentials = row.weights = Eigen::RowVectorXd::Zero(block.n_k());
    return row;
  }
  // Not Eigen's own exp, which has no zero.
  row.exponentials = row.masked.unaryExpr([&](double s) { return std::exp(s - row.row_max); });
  row.row_sum = row.exponentials.sum();
  row.weights = row.exponentials / row.row_sum;
  return row;
}

Eigen::RowVectorXf dropout_row(const BlockTrace& block, int layer, int head, int query) {
  Eigen::RowVectorXf factors(block.n_k());
  if (!block.maps->dropout_rows(layer, head, query, query + 1, factors.data())) factors.resize(0);
  return factors;
}

}  // namespace headscope

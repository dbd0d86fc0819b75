#include "core/analysis/softmax_row.h"

#include <cmath>
#include <limits>

namespace headscope {

RowRule row_rule(const BlockTrace& block, int layer, int head, int query) {
  if (block.computed_layers) return block.computed_layers->rule(layer, head, query);
  RowRule rule;
  rule.by_sqrt_d_k = block.interventions.scale && block.shape.d_k > 0;
  if (rule.by_sqrt_d_k) rule.scale = 1 / std::sqrt(block.shape.d_k);
  rule.end = block.n_k();
  return rule;
}

bool knows_scores(const BlockTrace& block) {
  return block.maps->score(0, 0, 0, 0) || row_rule(block, 0, 0, 0).by_sqrt_d_k;
}

namespace {

/// The score of no token, unless the row has it as a key; -infinity: none.
double tempered_sink(const BlockTrace& block, int layer, int head, int query) {
  if (!block.shape.no_token || block.tokens_alone) return -std::numeric_limits<double>::infinity();
  return row_rule(block, layer, head, query).sink.value_or(0) / block.interventions.temperature;
}

}  // namespace

SoftmaxRow softmax_row(const BlockTrace& block, int layer, int head, int query) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Eigen::RowVectorXf scores(block.n_k());
  SoftmaxRow row;
  Eigen::RowVectorXf given;
  if (block.maps->given()) {
    given.resize(block.n_k());
    block.maps->rows(layer, head, query, query + 1, given.data());
    row.weights = given.cast<double>();
  }
  if (!block.score_rows(layer, head, query, query + 1, scores.data())) return row;
  row.scores = scores.cast<double>();
  row.masked = row.scores;
  const double fill = block.fills_with_infinity() ? -infinity : -1e9;
  const Mask& mask = block.mask_of(layer);
  Index blocked = 0;
  for (Index j = 0; j < block.n_k(); ++j)
    if (mask.blocked(head, query, j)) row.masked[j] = fill, ++blocked;
  // A key that the model's query can never see has no weight whatever the fill is.
  if (!block.fills_with_infinity() && block.computed_layers) {
    const RowRule rule = row_rule(block, layer, head, query);
    row.masked.head(rule.begin).setConstant(-infinity);
    row.masked.segment(rule.end, block.n_k() - rule.end - (rule.sink_is_key ? 1 : 0)).setConstant(-infinity);
  }
  // The mask is not in the file: a key without weight counts as blocked.
  if (given.size() > 0) row.masked = (given.array() == 0.0F).select(-infinity, row.masked);
  row.tempered = row.masked / block.interventions.temperature;
  row.row_max = row.tempered.maxCoeff();
  row.all_blocked = blocked == block.n_k() || row.row_max == -infinity;
  if (const double sink = tempered_sink(block, layer, head, query); sink > row.row_max) row.row_max = sink;
  if (row.row_max == -infinity) {
    row.exponentials = row.weights = Eigen::RowVectorXd::Zero(block.n_k());
    return row;
  }
  // Not Eigen's own exp, which never returns 0.
  row.exponentials = row.tempered.unaryExpr([&](double s) { return std::exp(s - row.row_max); });
  row.row_sum = row.exponentials.sum() + std::exp(tempered_sink(block, layer, head, query) - row.row_max);
  if (given.size() == 0) row.weights = row.exponentials / row.row_sum;
  return row;
}

Eigen::RowVectorXf dropout_row(const BlockTrace& block, int layer, int head, int query) {
  Eigen::RowVectorXf factors(block.n_k());
  if (!block.maps->dropout_rows(layer, head, query, query + 1, factors.data())) factors.resize(0);
  return factors;
}

}  // namespace headscope

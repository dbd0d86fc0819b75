#include "core/analysis/streamed_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {
namespace {

constexpr double nothing_yet = -std::numeric_limits<double>::infinity();

/// exp(a - b), where exp(-infinity - b) is 0 even for b = -infinity: nothing has been seen yet.
double exp_difference(double a, double b) {
  return a == nothing_yet ? 0 : std::exp(a - b);
}

/// One step of the recurrence: adds the block `next` of keys to the state `before`.
StreamedBlock next_block(const StreamedBlock& before, Index begin, Index end,
                         const Eigen::RowVectorXd& masked, const MatrixOf<double>& values) {
  StreamedBlock next;
  next.begin = begin;
  next.end = end;
  const Index size = end - begin;
  next.block_max = masked.segment(begin, size).maxCoeff();
  next.maximum = std::max(before.maximum, next.block_max);
  next.rescale = exp_difference(before.maximum, next.maximum);
  const Eigen::RowVectorXd exponentials =
      masked.segment(begin, size).unaryExpr([&](double s) { return exp_difference(s, next.maximum); });
  next.block_sum = exponentials.sum();
  next.sum = next.rescale * before.sum + next.block_sum;
  next.context = next.rescale * before.context + exponentials * values.middleRows(begin, size);
  return next;
}

}  // namespace

bool StreamedRow::agrees() const {
  const double size = std::max(1.0, context.size() > 0 ? context.cwiseAbs().maxCoeff() : 0.0);
  constexpr double bound = std::numeric_limits<float>::epsilon();
  return weight_difference <= bound && context_difference <= bound * size;
}

StreamedRow streamed_softmax(const BlockTrace& block, int layer, int head, int query, Index block_size) {
  const SoftmaxRow whole = softmax_row(block, layer, head, query);
  const auto own = block.own_keys(layer);
  const bool has_own = own && std::ranges::binary_search(own->queries, query);
  const Tensor v = has_own ? own->v.part(block.kv_head_of(layer, head)) : block.values(layer, head);
  MatrixOf<double> values = as_matrix(v).cast<double>();
  // Dropout applies to the weights, not to their sum: it goes with the values.
  if (const Eigen::RowVectorXf dropout = dropout_row(block, layer, head, query); dropout.size() > 0)
    values = dropout.cast<double>().asDiagonal() * values;
  StreamedRow row;
  row.block_size = std::max<Index>(1, block_size);
  StreamedBlock state;
  state.maximum = nothing_yet;
  state.context = Eigen::RowVectorXd::Zero(values.cols());
  for (Index begin = 0; begin < block.n_k(); begin += row.block_size) {
    state = next_block(state, begin, std::min(begin + row.block_size, block.n_k()), whole.tempered, values);
    row.blocks.push_back(state);
  }
  const double inverse = state.sum > 0 ? 1 / state.sum : 0;
  row.context = state.context * inverse;
  row.weights =
      whole.tempered.unaryExpr([&](double s) { return exp_difference(s, state.maximum) * inverse; });
  row.weight_difference = (row.weights - whole.weights).cwiseAbs().maxCoeff();
  row.context_difference = (row.context - whole.weights * values).cwiseAbs().maxCoeff();
  return row;
}

Index sensible_block(Index n_k) {
  constexpr Index max_blocks = 6, largest = 128;
  Index size = 2;
  while (size < largest && block_count(n_k, size) > max_blocks) size *= 2;
  return size;
}

}  // namespace headscope

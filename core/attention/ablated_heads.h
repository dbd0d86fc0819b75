#pragma once
#include <vector>

#include "core/base/matrix.h"
#include "core/inputs/inputs.h"

namespace headscope {

/// Heads of one layer whose context is replaced before it comes to W_O.
struct AblatedHeads {
  std::vector<int> heads;
  Ablation by = Ablation::zero;

  /// Whether rows of the context depend on those of other queries.
  bool mixes_rows() const { return !heads.empty() && by == Ablation::mean; }
};

/// Replaces their columns of `context` [n, heads d_k], the contexts of `all` heads next to each other.
template <typename Context>
void switch_off(const AblatedHeads& ablated, Index all, Context&& context) {
  using Scalar = typename std::decay_t<Context>::Scalar;
  const Index d = context.cols() / all;
  for (const int head : ablated.heads) {
    auto columns = context.middleCols(head * d, d);
    if (ablated.by == Ablation::zero)
      columns.setZero();
    else
      columns.rowwise() = columns.template cast<double>().colwise().mean().template cast<Scalar>().eval();
  }
}

}  // namespace headscope

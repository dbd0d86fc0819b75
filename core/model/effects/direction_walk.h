#pragma once
#include <stop_token>
#include <vector>

#include "core/model/effects/linear_output.h"
#include "core/model/run/run_layer.h"

namespace headscope {

/// Leads directions in rows of the stream behind the last layer backwards through the layers: through the
/// norms of sums, which are held, and through nothing that a sublayer reads. So each sublayer's part is what
/// it adds itself.
class DirectionWalk {
 public:
  DirectionWalk(const ModelRun& run, LinearOutput output, const ComputeContext& context,
                std::stop_token stop);

  const MatrixOf<double>& directions() const { return directions_; }
  const std::vector<Index>& rows() const { return rows_; }
  /// What the sublayers of a layer add, in their order.
  std::vector<SublayerOutput> added_in(Index layer) const;
  /// Before the norm of the sublayer's sum: the shares of that norm's bias.
  Eigen::VectorXd pass_sum(const SublayerOutput& added);
  /// The directions in what the sublayer gives; adds the shares of its output norm's bias.
  MatrixOf<double> into(const SublayerOutput& added, Eigen::VectorXd& biases) const;
  /// Up to what one attention adds. For models without norms of sums only layers'
  /// factors change them.
  void go_to(BlockKind kind, Index layer);
  /// Before the embedding's projection, then before its norm, where it has them; x: the rows of what is
  /// normed. The shares of their biases.
  Eigen::VectorXd pass_embedding(const MatrixOf<double>& x);

 private:
  const LanguageModel& model() const { return run_.model(); }

  const ModelRun& run_;
  BlockKind kind_;  // of the stack
  std::vector<Index> rows_;
  MatrixOf<double> directions_;
  const ComputeContext& context_;
  std::stop_token stop_;
};

}  // namespace headscope

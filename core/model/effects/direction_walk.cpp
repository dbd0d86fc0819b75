#include "core/model/effects/direction_walk.h"

#include <utility>

#include "core/base/stopped.h"

namespace headscope {
DirectionWalk::DirectionWalk(const ModelRun& run, LinearOutput output, const ComputeContext& context,
                             std::stop_token stop)
    : run_(run),
      kind_(run.model().config().encoder_decoder() ? BlockKind::decoder : BlockKind::self),
      rows_(std::move(output.rows)),
      directions_(std::move(output.directions)),
      context_(context),
      stop_(std::move(stop)) {}

std::vector<SublayerOutput> DirectionWalk::added_in(Index layer) const {
  return outputs_of_layer(run_, kind_, layer, rows_, context_, stop_);
}

Eigen::VectorXd DirectionWalk::pass_sum(const SublayerOutput& added) {
  const Norm* const norm = added.sublayer.sum_norm;
  if (norm == nullptr) return Eigen::VectorXd::Zero(directions_.rows());
  return pass_back(*norm, in_double(added.sum), directions_);
}

MatrixOf<double> DirectionWalk::into(const SublayerOutput& added, Eigen::VectorXd& biases) const {
  MatrixOf<double> directions = directions_ * added.sublayer.factor;
  if (const Norm* const norm = added.sublayer.output_norm)
    biases += pass_back(*norm, in_double(added.given), directions);
  return directions;
}

void DirectionWalk::go_to(BlockKind kind, Index layer) {
  if (attention_sublayer(model(), kind, layer).sum_norm == nullptr) {
    for (Index above = model().stack(kind_).size.layers - 1; above >= layer; --above)
      pass_back(model().stack(kind_).layers[above].factor, {}, directions_);
    return;
  }
  for (Index above = model().stack(kind_).size.layers - 1; above >= layer; --above) {
    const std::vector<SublayerOutput> all = added_in(above);
    if (stop_requested(stop_)) return;
    for (auto added = all.rbegin(); added != all.rend(); ++added) {
      pass_sum(*added);
      if (added->sublayer.is_heads_of(kind, layer)) return;
    }
  }
}

Eigen::VectorXd DirectionWalk::pass_embedding(const MatrixOf<double>& x) {
  Eigen::VectorXd biases = Eigen::VectorXd::Zero(directions_.rows());
  if (model().config().project_last && model().project_in()) {
    biases += bias_shares(*model().project_in(), directions_);
    directions_ = before(*model().project_in(), directions_, context_.kernels);
  }
  return biases + pass_back(model().stack(kind_).first_norm, x, directions_);
}

}  // namespace headscope

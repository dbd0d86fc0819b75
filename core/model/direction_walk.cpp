#include "core/model/direction_walk.h"

#include <algorithm>
#include <utility>

#include "core/base/stopped.h"
#include "core/model/layer_parts.h"

namespace headscope {
DirectionWalk::DirectionWalk(const ModelRun& run, LinearOutput output, const ComputeContext& context,
                             std::stop_token stop)
    : run_(run),
      kind_(run.model().config().encoder_decoder() ? BlockKind::decoder : BlockKind::self),
      rows_(std::move(output.rows)),
      directions_(std::move(output.directions)),
      context_(context),
      stop_(std::move(stop)) {}

Tensor DirectionWalk::picked(const Tensor& all) const {
  Tensor rows = context_.memory.take({std::ssize(rows_), all.dim(1)});
  for (std::size_t i = 0; i < rows_.size(); ++i)
    std::copy_n(all.at(rows_[i]), all.dim(1), rows.at(static_cast<Index>(i)));
  return rows;
}

AddedBySublayer DirectionWalk::attention(BlockKind kind, Index layer) const {
  const AttentionWeights& weights = attention_weights(model(), kind, layer);
  AddedBySublayer added;
  added.kind = kind;
  added.heads = rows_.size() == 1 ? run_.context_row(kind, layer, rows_.front(), context_, stop_)
                                  : picked(run_.context(kind, layer, context_, stop_));
  added.given = multiply(weights.o, added.heads, context_, stop_);
  added.output_norm = &weights.output_norm;
  return added;
}

/// Adds it to the stream x, whose sum `norm` may follow.
void DirectionWalk::add(AddedBySublayer& added, const Norm& norm, Tensor& x) const {
  Tensor y = context_.memory.take(added.given.shape());
  std::copy_n(added.given.data(), y.size(), y.data());
  if (added.output_norm != nullptr && added.output_norm->present())
    apply_norm(*added.output_norm, y.data(), y.dim(0), context_);
  as_matrix(x) += static_cast<float>(model().config().residual_factor) * as_matrix(y);
  if (model().config().norm_first && added.part != AddedBySublayer::Part::convolution) return;
  added.sum_norm = &norm;
  added.sum = context_.memory.take(x.shape());
  std::copy_n(x.data(), x.size(), added.sum.data());
  apply_norm(norm, x.data(), x.dim(0), context_);
}

std::vector<AddedBySublayer> DirectionWalk::added_in(Index layer) const {
  const TransformerStack& stack = model().stack(kind_);
  const TransformerLayer& weights = stack.layers[static_cast<std::size_t>(layer)];
  const ModelConfig& config = model().config();
  const Tensor all = run_.x(kind_, layer, context_.memory), input = picked(all);
  Tensor x = picked(all);
  std::vector<AddedBySublayer> sublayers;
  add(sublayers.emplace_back(attention(kind_, layer)), weights.self.norm, x);
  if (weights.cross) add(sublayers.emplace_back(attention(BlockKind::cross, layer)), weights.cross->norm, x);

  const FeedForwardWeights& network = weights.feed_forward;
  AddedBySublayer& of_network = sublayers.emplace_back();
  of_network.part = AddedBySublayer::Part::feed_forward;
  const Tensor& read = config.parallel ? input : x;
  const bool normed_first = config.norm_first && network.norm.present();
  of_network.given = feed_forward(
      model(), network, normed_first ? normed(network.norm, read.data(), read.dim(0), context_) : read,
      context_, stop_);
  of_network.output_norm = &network.output_norm;
  add(of_network, network.norm, x);
  if (layer > 0 || !stack.convolution) return sublayers;

  AddedBySublayer& convolved = sublayers.emplace_back();
  convolved.part = AddedBySublayer::Part::convolution;
  convolved.given = context_.memory.take(x.shape());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Tensor row =
        convolution(model(), *stack.convolution, all.data(), all.dim(0), rows_[i], 1, context_, stop_);
    std::copy_n(row.data(), row.size(), convolved.given.at(static_cast<Index>(i)));
  }
  add(convolved, stack.convolution->norm, x);
  return sublayers;
}

Eigen::VectorXd DirectionWalk::pass_sum(const AddedBySublayer& added) {
  if (added.sum_norm == nullptr) return Eigen::VectorXd::Zero(directions_.rows());
  return pass_back(*added.sum_norm, in_double(added.sum), directions_);
}

MatrixOf<double> DirectionWalk::into(const AddedBySublayer& added, Eigen::VectorXd& biases) const {
  MatrixOf<double> directions = directions_ * model().config().residual_factor;
  if (added.output_norm != nullptr)
    biases += pass_back(*added.output_norm, in_double(added.given), directions);
  return directions;
}

void DirectionWalk::go_to(BlockKind kind, Index layer) {
  if (model().config().norm_first) return;
  for (Index above = model().stack(kind_).size.layers - 1; above >= layer; --above) {
    const std::vector<AddedBySublayer> added = added_in(above);
    if (stop_requested(stop_)) return;
    for (auto sublayer = added.rbegin(); sublayer != added.rend(); ++sublayer) {
      pass_sum(*sublayer);
      const bool is_attention = sublayer->part == AddedBySublayer::Part::attention;
      if (above == layer && is_attention && sublayer->kind == kind) return;
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

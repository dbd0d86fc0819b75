#include "core/model/layer_parts.h"

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"
#include "core/model/activation.h"

namespace headscope {

const AttentionWeights& attention_weights(const LanguageModel& model, BlockKind kind, Index layer) {
  const TransformerLayer& weights = model.stack(kind).layers[static_cast<std::size_t>(layer)];
  return kind == BlockKind::cross ? *weights.cross : weights.self;
}

AttentionRule attention_rule(const LanguageModel& model, BlockKind kind, Index layer,
                             const AttentionChange& change, Index n_q, Index n_k) {
  const ModelConfig& config = model.config();
  const auto at = static_cast<std::size_t>(layer);
  AttentionRule rule;
  rule.causal = kind == BlockKind::decoder || (kind == BlockKind::self && config.causal);
  if (rule.causal && at < config.sliding_windows.size()) rule.window = config.sliding_windows[at];
  if (config.scale_scores && change.scale)
    rule.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(model.stack(kind).head_dim)));
  if (config.scale_scores_by_layer && change.scale) rule.scale /= static_cast<float>(layer + 1);
  rule.inverse_temperature = 1 / change.temperature;
  rule.mask = change.mask;
  rule.fill = change.fill;
  if (const Tensor& table = model.stack(kind).relative_bias; !table.empty() && kind != BlockKind::cross) {
    rule.bias = relative_bias(table, n_q, n_k, !rule.causal, config.relative_max_distance);
    rule.bias_zero = n_q - 1;
  }
  return rule;
}

void project_heads(std::span<const HeadProjection> projections, const ComputeContext& context,
                   const std::stop_token& stop) {
  std::vector<DenseProduct> products;
  for (const HeadProjection& p : projections)
    products.push_back(
        {p.dense, p.y, p.n, p.dense->in, p.to, p.dense->out / p.heads, p.heads, p.stride, p.gain});
  multiply(products, context, stop);
  for (const HeadProjection& p : projections) {
    const bool norm = p.norm != nullptr && p.norm->present();
    if (!norm && p.turn == nullptr) continue;
    const Index d = p.dense->out / p.heads;
    context.threads.run(p.n, ThreadPool::Schedule::dynamic, [&](Index row, int) {
      for (Index head = 0; head < p.heads; ++head) {
        float* values = p.to + head * p.stride + row * d;
        if (norm) apply_norm(*p.norm, values, context.kernels);
        if (p.turn != nullptr) rotate(*p.turn, p.turn_row + row, values);
      }
    });
  }
}

void switch_off(const AttentionChange& change, Index heads, Tensor& context) {
  const Index d = context.dim(1) / heads;
  for (const int head : change.ablated_heads) {
    auto columns = as_matrix(context).middleCols(head * d, d);
    if (change.off_by == AttentionChange::AblatedHeads::zero)
      columns.setZero();
    else
      columns.rowwise() = columns.cast<double>().colwise().mean().cast<float>().eval();
  }
}

std::optional<RotaryTable> rotary_of(const LanguageModel& model, BlockKind kind,
                                     const std::vector<double>& frequencies, Index begin, Index end) {
  if (!model.config().rope || kind == BlockKind::cross) return {};
  return rotary_table(*model.config().rope, frequencies, begin, end);
}

Tensor feed_forward(const LanguageModel& model, const FeedForwardWeights& weights, const Tensor& y,
                    const ComputeContext& context, const std::stop_token& stop) {
  const Activation activation = model.config().activation;
  Tensor up = multiply_apart(weights.up, y, context, stop);
  if (!weights.gate) {
    apply_activation(activation, up, {}, context);
    return multiply(weights.down, up, context, stop);
  }
  Tensor gate = multiply_apart(*weights.gate, y, context, stop);
  apply_activation(activation, gate, up, context);
  return multiply(weights.down, gate, context, stop);
}

}  // namespace headscope

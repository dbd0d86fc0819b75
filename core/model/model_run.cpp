#include "core/model/model_run.h"

#include <cassert>

#include "core/model/attention_parts.h"

namespace headscope {

void ModelChanges::set(BlockKind kind, Index layer, AttentionChange change) {
  auto& layers = layers_[static_cast<std::size_t>(kind)];
  if (std::ssize(layers) <= layer) layers.resize(static_cast<std::size_t>(layer + 1));
  layers[static_cast<std::size_t>(layer)] = std::move(change);
}

const AttentionChange& ModelChanges::at(BlockKind kind, Index layer) const {
  static const AttentionChange none;
  const auto& layers = layers_[static_cast<std::size_t>(kind)];
  return layer < std::ssize(layers) ? layers[static_cast<std::size_t>(layer)] : none;
}

bool ModelChanges::same_for_a_prefix(const ModelChanges& other, BlockKind kind) const {
  const auto& layers = layers_[static_cast<std::size_t>(kind)];
  for (const AttentionChange& change : layers)
    if (change.mask != nullptr ||
        (!change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean))
      return false;
  return layers == other.layers_[static_cast<std::size_t>(kind)];
}

const ModelRun::Kept& ModelRun::kept(BlockKind kind) const {
  return kind == BlockKind::encoder ? encoder_ : body_;
}

Tensor ModelRun::x(BlockKind kind, Index layer, BufferPool& memory) const {
  const Kept& stack = kept(kind);
  return (kind == BlockKind::cross ? stack.cross_x : stack.x)[static_cast<std::size_t>(layer)].tensor(memory,
                                                                                                      false);
}

Tensor ModelRun::stream(BlockKind kind, BufferPool& memory) const {
  return kept(kind).stream.tensor(memory, false);
}

LayerQkv ModelRun::layer_qkv(BlockKind kind, Index layer, const ComputeContext& context,
                             const std::stop_token& stop) const {
  const Kept& stack = kept(kind);
  const auto at = static_cast<std::size_t>(layer);
  const AttentionWeights& weights = attention_weights(*model_, kind, layer);
  const AttentionChange& change = changes_.at(kind, layer);
  const Index d_k = model_->stack(kind).head_dim, heads = weights.q.out / d_k, kv_heads = weights.k.out / d_k;
  const Index n = stack.n, n_k = kind == BlockKind::cross ? encoded_.dim(0) : n;
  const std::optional<RotaryTable> turn = rotary_of(*model_, kind, stack.frequencies, 0, n);
  Tensor y = x(kind, layer, context.memory);
  if (model_->family().norm_first) y = normed(weights.norm, y.data(), n, context);

  LayerQkv result;
  result.rule = attention_rule(*model_, kind, layer, change, n, n_k);
  result.q = context.memory.take({heads, n, d_k});
  std::vector<HeadProjection> projections{{&weights.q, &weights.q_norm, turn ? &*turn : nullptr, y.data(), n,
                                           result.q.data(), heads, n * d_k, change.gain_q}};
  if (kind == BlockKind::cross) {
    result.k = stack.cross_k[at];
    result.v = stack.cross_v[at];
  } else if (!stack.k.empty()) {
    result.k = stack.k[at].tensor(context.memory);
    result.v = stack.v[at].tensor(context.memory);
  } else {
    result.k = context.memory.take({kv_heads, n, d_k});
    result.v = context.memory.take({kv_heads, n, d_k});
    projections.push_back({&weights.k, &weights.k_norm, turn ? &*turn : nullptr, y.data(), n, result.k.data(),
                           kv_heads, n * d_k, change.gain_k});
    projections.push_back({&weights.v, nullptr, nullptr, y.data(), n, result.v.data(), kv_heads, n * d_k, 1});
  }
  project_heads(projections, context, stop);
  return result;
}

Tensor ModelRun::context(BlockKind kind, Index layer, const ComputeContext& compute,
                         const std::stop_token& stop) const {
  const LayerQkv qkv = layer_qkv(kind, layer, compute, stop);
  const Index heads = qkv.q.dim(0), n = qkv.q.dim(1);
  Tensor context = compute.memory.take({n, heads * qkv.q.dim(2)});
  attend_heads(HeadRows(qkv.q), HeadRows(qkv.k), HeadRows(qkv.v), qkv.rule, context.data(), compute, stop);
  switch_off(changes_.at(kind, layer), heads, context);
  return context;
}

Tensor ModelRun::context_row(BlockKind kind, Index layer, Index row, const ComputeContext& compute,
                             const std::stop_token& stop) const {
  const Kept& stack = kept(kind);
  const auto at = static_cast<std::size_t>(layer);
  const AttentionWeights& weights = attention_weights(*model_, kind, layer);
  const AttentionChange& change = changes_.at(kind, layer);
  const Index d_k = model_->stack(kind).head_dim, heads = weights.q.out / d_k;
  Tensor result = compute.memory.take({1, heads * d_k});
  const bool mean = !change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean;
  const bool cross = kind == BlockKind::cross;
  if (mean || (!cross && stack.k.empty())) {
    const Tensor all = context(kind, layer, compute, stop);
    std::copy_n(all.at(row), result.size(), result.data());
    return result;
  }
  const Tensor x_of_all = x(kind, layer, compute.memory);
  const Index d = x_of_all.dim(1);
  Tensor y = compute.memory.take({1, d});
  std::copy_n(x_of_all.at(row), d, y.data());
  if (model_->family().norm_first) apply_norm(weights.norm, y.data(), compute.kernels);
  const std::optional<RotaryTable> turn = rotary_of(*model_, kind, stack.frequencies, row, row + 1);
  Tensor q = compute.memory.take({heads, 1, d_k});
  const HeadProjection projection{
      &weights.q, &weights.q_norm, turn ? &*turn : nullptr, y.data(), 1, q.data(), heads, d_k, change.gain_q};
  project_heads({&projection, 1}, compute, stop);
  const auto rows_of = [&](const RowStore& store) {
    return HeadRows(store.at(0), store.parts(), stack.n, d_k, store.stride());
  };
  const HeadRows k = cross ? HeadRows(stack.cross_k[at]) : rows_of(stack.k[at]);
  const HeadRows v = cross ? HeadRows(stack.cross_v[at]) : rows_of(stack.v[at]);
  AttentionRule rule = attention_rule(*model_, kind, layer, change, stack.n, k.n);
  rule.first_query = row;
  attend_heads(HeadRows(q), k, v, rule, result.data(), compute, stop);
  switch_off(change, heads, result);
  return result;
}

Tensor ModelRun::logits(Index begin, Index end, const ComputeContext& context,
                        const std::stop_token& stop) const {
  assert(begin >= first_row_);
  return model_->logits(body_.stream.at(0, begin), end - begin, context, stop);
}

}  // namespace headscope

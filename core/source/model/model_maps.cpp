#include "core/source/model/model_maps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/flush_denormals.h"
#include "core/model/layer_parts.h"
#include "core/model/positions.h"

namespace headscope {
namespace {

Eigen::RowVectorXd doubles(const Tensor& vector) {
  return Eigen::Map<const Eigen::RowVectorXf>(vector.data(), vector.size()).cast<double>();
}

NormedRow way_normed(const Norm& norm, const Eigen::RowVectorXd& x) {
  NormedRow row;
  row.rms = norm.kind == Norm::Kind::rms;
  row.epsilon = norm.epsilon;
  row.x = x;
  row.weight = doubles(norm.weight);
  if (!norm.bias.empty()) row.bias = doubles(norm.bias);
  return normed_row(std::move(row));
}

/// gain x Wᵀ + b, of one head.
Eigen::RowVectorXd projected(const Dense& dense, Index head, Index d_k, double gain,
                             const Eigen::RowVectorXd& x) {
  const Tensor rows = rows_of(dense, head * d_k, d_k, best_kernels());
  Eigen::RowVectorXd y = gain * x * as_matrix(rows).cast<double>().transpose();
  if (!dense.bias.empty()) y += doubles(dense.bias).segment(head * d_k, d_k);
  return y;
}

RotatedRow rotated(const Rope& rope, const std::vector<double>& frequencies, Index position,
                   const Eigen::RowVectorXd& before) {
  RotatedRow row;
  row.position = position;
  row.frequency = Eigen::Map<const Eigen::RowVectorXd>(frequencies.data(), std::ssize(frequencies));
  row.angle = static_cast<double>(position) * row.frequency;
  row.cosine = row.angle.array().cos() * rope.attention_factor;
  row.sine = row.angle.array().sin() * rope.attention_factor;
  row.before = before;
  return row;
}

}  // namespace

ModelLayers::ModelLayers(std::shared_ptr<const ModelRun> run, BlockKind kind,
                         std::shared_ptr<OnDemandContext> on_demand)
    : run_(std::move(run)), kind_(kind), on_demand_(std::move(on_demand)) {}

std::shared_ptr<const LayerQkv> ModelLayers::qkv(int layer) const {
  constexpr std::size_t max_bytes = std::size_t{96} << 20;
  if (auto known = kept_.find(layer)) return known;
  return on_demand_->compute([&](const ComputeContext& context) {
    if (auto known = kept_.find(layer)) return known;  // another thread has computed it meanwhile
    const auto result = std::make_shared<const LayerQkv>(run_->layer_qkv(kind_, layer, context));
    const Index floats = result->q.size() + result->k.size() + result->v.size();
    // At least this one and the one before.
    kept_.keep(layer, result,
               std::max<std::size_t>(2, max_bytes / (sizeof(float) * static_cast<std::size_t>(floats))));
    return result;
  });
}

LayerTrace ModelLayers::layer(int index) const {
  const auto known = qkv(index);
  LayerTrace trace;
  trace.q = known->q;
  trace.k = known->k;
  trace.v = known->v;
  on_demand_->compute([&](const ComputeContext& context) {
    trace.x = run_->x(kind_, index, context.memory);
    trace.context = run_->context(kind_, index, context);
    trace.output = multiply(attention_weights(run_->model(), kind_, index).o, trace.context, context);
  });
  return trace;
}

RowRule ModelLayers::rule(int layer, int head, Index query) const {
  const auto known = qkv(layer);
  const ModelConfig& config = run_->model().config();
  const AttentionRule& of_layer = known->rule;
  const Index n_k = known->k.dim(1);
  RowRule rule;
  rule.scale = static_cast<double>(of_layer.scale);
  const bool scales = run_->changes().at(kind_, layer).scale;
  rule.by_sqrt_d_k = scales && config.scale_scores;
  rule.layer_divisor = scales && config.scale_scores_by_layer ? layer + 1 : 1;
  const AttentionRule::Keys seen = of_layer.keys(query, n_k);
  rule.begin = seen.begin;
  rule.end = seen.end;
  if (of_layer.bias.empty()) return rule;
  const Index buckets = run_->model().stack(kind_).relative_bias.dim(0);
  rule.bias.resize(n_k);
  for (Index key = 0; key < n_k; ++key) {
    const Index distance = key - query;
    rule.bias[key] = static_cast<double>(of_layer.bias.at(head)[distance + of_layer.bias_zero]);
    rule.buckets.push_back(
        relative_bucket(distance, !of_layer.causal, buckets, config.relative_max_distance));
  }
  return rule;
}

CellIntermediates ModelLayers::way(int layer, int head, Index query, Index key) const {
  const FlushDenormals flush;
  const auto known = qkv(layer);
  const LanguageModel& model = run_->model();
  const ModelConfig& config = model.config();
  const AttentionWeights& weights = attention_weights(model, kind_, layer);
  const AttentionChange& change = run_->changes().at(kind_, layer);
  const bool cross = kind_ == BlockKind::cross, norm_first = model.family().norm_first;
  const Index heads = known->q.dim(0), d_k = known->q.dim(2), kv_heads = known->k.dim(0);
  const Index kv_head = head * kv_heads / heads;
  BufferPool& memory = on_demand_->memory();

  CellIntermediates way;
  way.x = run_->x(kind_, layer, memory);
  way.key_x = cross ? run_->encoded() : way.x;
  way.v = known->v.part(kv_head);
  way.q = as_matrix(known->q, head).row(query);
  way.k = as_matrix(known->k, kv_head).row(key);

  Eigen::RowVectorXd x = as_matrix(way.x).row(query).cast<double>();
  Eigen::RowVectorXd key_x = as_matrix(way.key_x).row(key).cast<double>();
  const Eigen::RowVectorXd stream = x;
  if (norm_first) {
    x = (way.query_norm = way_normed(weights.norm, x))->y;
    if (!cross) key_x = (way.key_norm = way_normed(weights.norm, key_x))->y;
  }
  Eigen::RowVectorXd q = way.q_projected =
      projected(weights.q, head, d_k, static_cast<double>(change.gain_q), x);
  Eigen::RowVectorXd k = way.k_projected =
      projected(weights.k, kv_head, d_k, static_cast<double>(change.gain_k), key_x);
  if (weights.q_norm.present()) q = (way.q_norm = way_normed(weights.q_norm, q))->y;
  if (weights.k_norm.present()) k = (way.k_norm = way_normed(weights.k_norm, k))->y;
  if (const auto& frequencies = run_->frequencies(kind_); config.rope && !cross) {
    way.q_turn = rotated(*config.rope, frequencies, query, q);
    way.k_turn = rotated(*config.rope, frequencies, key, k);
  }

  // The query's context row of every head.
  Tensor concat({1, heads * d_k}), row({1, known->k.dim(1)});
  for (Index h = 0; h < heads; ++h) {
    known->rows(h, query, query + 1, row.data(), nullptr, best_kernels(), memory);
    as_matrix(concat).middleCols(h * d_k, d_k) =
        (as_matrix(row).cast<double>() * as_matrix(known->v, h * kv_heads / heads).cast<double>())
            .cast<float>();
  }
  way.head_off = std::ranges::find(change.ablated_heads, head) != change.ablated_heads.end();
  way.output = on_demand_->compute([&](const ComputeContext& context) -> Eigen::RowVectorXf {
    if (!change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean)
      as_matrix(concat) = as_matrix(run_->context(kind_, layer, context)).row(query);
    else
      switch_off(change, heads, concat);
    return as_matrix(multiply(weights.o, concat, context)).row(0);
  });
  way.concat = as_matrix(concat).row(0);
  if (!norm_first) way.output_norm = way_normed(weights.norm, stream + way.output.cast<double>());
  if (kind_ == BlockKind::decoder) way.next = as_matrix(run_->x(BlockKind::cross, layer, memory)).row(query);
  return way;
}

std::optional<Error> ModelMaps::error() const {
  try {
    layers_->run().model().files().check_whole();
  } catch (const Error& damage) {
    return damage;
  }
  return {};
}

}  // namespace headscope

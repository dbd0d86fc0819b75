#include "core/model/layer/layer_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/attention/ablated_heads.h"
#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/model/layer/pooled_rows.h"
#include "core/model/layer/seen_keys.h"
#include "core/model/layer/text_embedding.h"
#include "core/model/steps/activation.h"

namespace headscope {

const AttentionWeights& attention_weights(const LanguageModel& model, BlockKind kind, Index layer) {
  const TransformerLayer& weights = model.stack(kind).layers[layer];
  return kind == BlockKind::cross ? *weights.cross : weights.self;
}

void switch_off(const AttentionChange& change, Index heads, Tensor& context) {
  const bool zero = change.off_by == AttentionChange::AblatedHeads::zero;
  switch_off(AblatedHeads{change.ablated_heads, zero ? Ablation::zero : Ablation::mean}, heads,
             as_matrix(context));
}

LayerAttention::LayerAttention(const LanguageModel& model, BlockKind kind, Index layer,
                               const AttentionChange& change, const ModelInput& input)
    : model_(model),
      kind_(kind),
      layer_(layer),
      change_(change),
      input_(input),
      weights_(attention_weights(model, kind, layer)),
      global_(global_tokens(model.config(), kind, input)),
      d_k_(model.stack(kind).d_k_of(layer)) {}

AttentionRule LayerAttention::rule(Index first_query, Index n_q, Index n_k) const {
  const ModelConfig& config = model_.config();
  const TransformerStack& stack = model_.stack(kind_);
  AttentionRule rule;
  rule.first_query = first_query;
  rule.causal = kind_ == BlockKind::decoder || (kind_ == BlockKind::self && config.causal);
  rule.window = window_of(config, kind_, layer_);
  if (config.scale_scores && change_.scale)
    rule.scale = static_cast<float>(config.score_factor.value_or(1 / std::sqrt(d_k_)));
  if (config.scale_scores_by_layer && change_.scale) rule.scale /= static_cast<float>(layer_ + 1);
  rule.cap = static_cast<float>(config.score_cap);
  rule.sinks = weights_.sinks;
  rule.inverse_temperature = 1 / change_.temperature;
  rule.mask = change_.mask;
  rule.fill = change_.fill;
  rule.repeated = repeated_keys(config, kind_, n_q);
  if (const auto seen = seen_keys(config, kind_, layer_, global_, n_q)) {
    Mask mask = change_.mask ? *change_.mask : Mask(n_q, n_k);
    mask.allow_only(*seen);
    rule.mask = std::make_shared<const Mask>(std::move(mask));
    rule.window = 0;
  }
  const Tensor* const table = kind_ == BlockKind::cross ? nullptr : stack.relative_bias(layer_);
  rule.bias_zero = n_q - 1;
  if (table != nullptr && config.picture) {
    rule.bias = patch_bias(*config.picture, *table, count_patches(*config.picture, *input_.pixels));
    rule.bias_zero = 0;
    rule.bias_step = n_k;
  } else if (table != nullptr) {
    rule.bias = relative_bias(*table, n_q, n_k, !rule.causal, config.relative_max_distance);
  }
  if (const Tensor& slopes = stack.slopes; !slopes.empty() && config.rounded_bias) {
    rule.bias = rounded_linear_bias(slopes, rule.scale, n_k);
    rule.bias_zero = rule.bias_step = 0;
  } else if (!slopes.empty()) {
    rule.bias = linear_bias(slopes, n_q, n_k);
  }
  return rule;
}

namespace {

/// Vectors [vectors, d_model] as [heads, vectors, d_k].
Tensor projected_vectors(const LanguageModel& model, const Dense& projection, Index heads,
                         const Tensor& vectors, const ComputeContext& context, const std::stop_token& stop) {
  const Index count = vectors.dim(0), d_k = projection.out / heads;
  Tensor projected = context.memory.take({heads, count, d_k});
  const HeadProjection all{&projection,      nullptr,    nullptr, heads, 1, {vectors.data(), count},
                           projected.data(), count * d_k};
  project_heads({&all, 1}, model.config(), context, stop);
  return projected;
}

/// scale × rows [heads, n, d_k] × the projected vectors [vectors, d_model]: [heads, n, vectors]; empty
/// without the projection.
Tensor position_products(const LanguageModel& model, const Dense& projection, const HeadRows& rows,
                         const Tensor& vectors, float scale, const ComputeContext& context,
                         const std::stop_token& stop) {
  if (projection.out == 0) return {};
  const Index count = vectors.dim(0), d_k = rows.d;
  const Tensor projected = projected_vectors(model, projection, rows.heads, vectors, context, stop);
  Tensor products = context.memory.take({rows.heads, rows.n, count});
  context.threads.run(rows.heads, ThreadPool::Schedule::dynamic, [&](Index head, int) {
    const MatrixView y(rows.at(head), rows.n, d_k);
    MatrixSpan(products.at(head), rows.n, count).noalias() =
        scale * y * as_matrix(projected, head).transpose();
  });
  return products;
}

/// Rows of queries with another bias, as it is beyond their own [heads, d_k], times scale.
Tensor shifted(const HeadRows& q, const Tensor& shift, float scale, const ComputeContext& context) {
  Tensor rows = context.memory.take({q.heads, q.n, q.d});
  for (Index head = 0; head < q.heads; ++head)
    MatrixSpan(rows.at(head), q.n, q.d) =
        scale * (MatrixView(q.at(head), q.n, q.d).rowwise() + as_matrix(shift).row(head));
  return rows;
}

/// Where queries and keys are, in tokens, and in which segments.
PositionTerms places_of(const ModelConfig& config, Index layer, const ModelInput& input, Index n_k) {
  if (config.funnel) return pooled_places(*config.funnel, layer, std::ssize(input.ids), input.types);
  PositionTerms terms;
  terms.segments = input.types;
  if (!terms.segments.empty()) terms.segments.resize(n_k);
  return terms;
}

/// Of computed vectors, and of segments if the tokens have any (XLNet, Funnel).
PositionTerms computed_terms(const LanguageModel& model, const AttentionWeights& weights, const HeadRows& q,
                             Index n_k, const AttentionRule& rule, PositionTerms terms,
                             const ComputeContext& context, const std::stop_token& stop) {
  const ModelConfig& config = model.config();
  const Index first = terms.keys_of_query * rule.first_query;
  terms.zero = first + terms.keys_of_query * (q.n - 1);
  Tensor sines = context.memory.take({terms.zero + n_k - first, config.d_model});
  for (Index i = 0; i < sines.dim(0); ++i)
    set_sinusoid(config.disentangled->row_of(terms.tokens_of_key * (terms.zero - i - terms.before)), false,
                 sines.at(i), config.d_model);
  terms.vectors = projected_vectors(model, weights.position_k, q.heads, sines, context, stop);
  terms.queries = shifted(q, weights.position_shift, rule.scale, context);
  if (terms.segments.empty()) return terms;
  const Tensor asking = shifted(q, weights.segment_shift, rule.scale, context);
  terms.of_segments = context.memory.take({q.heads, q.n, 2});
  for (Index head = 0; head < q.heads; ++head)
    MatrixSpan(terms.of_segments.at(head), q.n, 2).noalias() =
        as_matrix(asking, head) * as_matrix(weights.segments, head).transpose();
  return terms;
}

}  // namespace

void LayerAttention::add_positions(const HeadRows& q, const HeadRows& k, AttentionRule& rule,
                                   const ComputeContext& context, const std::stop_token& stop) const {
  const auto& config = model_.config().disentangled;
  if (!config) return;
  if (config->computed) {
    rule.positions = std::make_shared<PositionTerms>(computed_terms(
        model_, weights_, q, k.n, rule, places_of(model_.config(), layer_, input_, k.n), context, stop));
    return;
  }
  const Tensor& table = model_.stack(kind_).positions;
  // Only the vectors of distances in this text, each once.
  auto terms = std::make_shared<PositionTerms>();
  const Index last_query = rule.first_query + q.n - 1;
  terms->zero = last_query;
  std::vector<Index> rows;
  for (Index key_minus_query = -last_query; key_minus_query < k.n - rule.first_query; ++key_minus_query) {
    const Index row = config->row_of(-key_minus_query);
    if (rows.empty() || rows.back() != row) rows.push_back(row);
    terms->places.push_back(std::ssize(rows) - 1);
  }
  Tensor vectors = context.memory.take({std::ssize(rows), table.dim(1)});
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(table.at(rows[i]), table.dim(1), vectors.at(i));
  terms->of_queries = position_products(model_, weights_.position_k, q, vectors, rule.scale, context, stop);
  terms->of_keys = position_products(model_, weights_.position_q, k, vectors, rule.scale, context, stop);
  rule.positions = std::move(terms);
}

void LayerAttention::read(const RotaryTable* turn, const ReadRows& of_q, const ReadRows& of_keys,
                          const Place& place, LayerHeads& heads, const ComputeContext& context,
                          const std::stop_token& stop) const {
  heads.q = context.memory.take({this->heads(), of_q.n, d_k_});
  for (const auto& [store, width] : {std::pair{&heads.k, d_k_}, {&heads.v, d_v()}})
    if (store->empty()) *store = RowStore(kv_heads(), place.n_k, width, context.memory);
  std::vector<HeadProjection> all{q(turn).of(of_q, heads.q.data(), of_q.n * d_k_)};
  if (of_keys.n > 0) {
    all.push_back(k(turn).of(of_keys, heads.k.at(0, place.first_key), heads.k.stride()));
    all.push_back(v().of(of_keys, heads.v.at(0, place.first_key), heads.v.stride()));
  }
  project_heads(all, model_.config(), context, stop);
  heads.gate = gate(of_q.y, of_q.n, context, stop);
  heads.rule = rule(place.first_query, place.n_q, heads.k.rows());
  add_positions(HeadRows(heads.q), LayerHeads::rows(heads.k), heads.rule, context, stop);
  add_own_keys(of_q, place.first_query, of_keys, heads.q.data(), of_q.n * d_k_, heads.rule, context, stop);
}

void LayerAttention::add_own_keys(const ReadRows& of_q, Index first_query, const ReadRows& of_keys, float* q,
                                  Index stride, AttentionRule& rule, const ComputeContext& context,
                                  const std::stop_token& stop) const {
  if (global_.empty()) return;
  auto own = std::make_shared<OwnKeys>();
  own->queries = global_;
  own->k = context.memory.take({kv_heads(), of_keys.n, d_k_});
  own->v = context.memory.take({kv_heads(), of_keys.n, d_k_});
  std::vector<HeadProjection> all{k_global().of(of_keys, own->k.data(), of_keys.n * d_k_),
                                  v_global().of(of_keys, own->v.data(), of_keys.n * d_k_)};
  for (const Index token : global_)
    if (const Index row = token - first_query; row >= 0 && row < of_q.n)
      all.push_back(q_global().of({of_q.y + row * weights_.q_global.in, 1}, q + row * d_k_, stride));
  project_heads(all, model_.config(), context, stop);
  rule.own_keys = std::move(own);
}

Tensor LayerAttention::contexts(const HeadRows& q, const HeadRows& k, const HeadRows& v,
                                const AttentionRule& rule, const Tensor& gate, const ComputeContext& context,
                                const std::stop_token& stop) const {
  Tensor result = attend_heads(q, k, v, rule, context, stop);
  if (!gate.empty()) as_matrix(result).array() *= as_matrix(gate).array();
  switch_off(change_, q.heads, result);
  return result;
}

Tensor LayerAttention::gate(const float* y, Index rows, const ComputeContext& context,
                            const std::stop_token& stop) const {
  if (weights_.gate.out == 0) return {};
  Tensor gate = context.memory.take({rows, weights_.gate.out});
  const DenseProduct product{&weights_.gate, y, rows, weights_.gate.in, gate.data(), weights_.gate.out};
  multiply({&product, 1}, context, stop);
  apply_activation(Activation::sigmoid, gate, {}, context);
  return gate;
}

Tensor convolution(const LanguageModel& model, const ConvolutionWeights& weights, const float* input, Index n,
                   Index first, Index count, const ComputeContext& context, const std::stop_token& stop) {
  const TokenConvolution& size = *model.config().convolution;
  const Index d = model.config().d_model, channels = d / size.groups, reach = size.taps / 2;
  Tensor result = context.memory.take({count, d});
  for (Index group = 0; group < size.groups; ++group) {
    // Each channel's taps are together, as in the weight.
    Tensor gathered = context.memory.take({count, channels * size.taps});
    for (Index i = 0; i < count; ++i)
      for (Index tap = 0; tap < size.taps; ++tap) {
        const Index token = first + i + tap - reach;
        const bool inside = token >= 0 && token < n;
        for (Index channel = 0; channel < channels; ++channel)
          gathered.at(i)[channel * size.taps + tap] =
              inside ? input[token * d + group * channels + channel] : 0;
      }
    Tensor y = multiply(weights.groups[group], gathered, context, stop);
    apply_activation(size.activation, y, {}, context);
    as_matrix(result).middleCols(group * channels, channels) = as_matrix(std::as_const(y));
  }
  return result;
}

const Rope* rope_of(const LanguageModel& model, BlockKind kind, Index layer) {
  return kind == BlockKind::cross ? nullptr : model.config().rope_of(layer);
}

PicturePatches patch_grid(const ModelConfig& config, const ModelInput& input) {
  if (!input.pixels) return {};
  const PatchCounts counts = count_patches(*config.picture, *input.pixels);
  return {config.picture->first_patch(), counts.rows, counts.columns};
}

std::optional<RotaryTable> rotary_of(const LanguageModel& model, const ModelInput& input, BlockKind kind,
                                     Index layer, const std::vector<double>& frequencies, Index begin,
                                     Index end) {
  const Rope* const rope = rope_of(model, kind, layer);
  if (rope == nullptr) return {};
  return rotary_table(*rope, frequencies, begin, end, patch_grid(model.config(), input));
}

namespace {

/// The weight of an expert among those that are left and near it: see Experts::near_share.
double share_of_near(const Eigen::ArrayXd& s, const std::vector<Index>& left, double near_share) {
  const double own = s[left.front()];
  double sum = 0;
  for (const Index expert : left)
    if ((own - s[expert]) / std::max(std::abs(s[expert]), own) <= near_share)
      sum += std::exp(s[expert] - own);
  return 1 / sum;
}

/// The places of the largest numbers, the first of equal ones first.
std::vector<Index> largest_first(const Eigen::ArrayXd& numbers, Index count) {
  std::vector<Index> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return numbers[i]; });
  order.resize(count);
  return order;
}

/// Leaves the best groups in what experts are chosen by.
void leave_groups_out(const Experts& config, Eigen::ArrayXd& choice) {
  const Index size = config.count / config.groups, best = config.sigmoid ? 2 : 1;
  Eigen::ArrayXd of_groups = Eigen::ArrayXd::Zero(config.groups);
  for (Index group = 0; group < config.groups; ++group) {
    const Eigen::ArrayXd own = choice.segment(group * size, size);
    for (const Index i : largest_first(own, best)) of_groups[group] += own[i];
  }
  Eigen::ArrayXd left = Eigen::ArrayXd::Constant(choice.size(), -INFINITY);
  for (const Index group : largest_first(of_groups, config.groups_of_token))
    left.segment(group * size, size) = choice.segment(group * size, size);
  choice = left;
}

}  // namespace

std::vector<Route> routes(const LanguageModel& model, const RoutedExperts& experts, const Tensor& y,
                          const ComputeContext& context, const std::stop_token& stop) {
  const Experts& config = *model.config().experts;
  const bool apart = experts.router_norm.present();
  const Tensor scores = multiply(
      experts.router, apart ? normed(experts.router_norm, y.data(), y.dim(0), context) : y, context, stop);
  std::vector<Route> all;
  for (Index row = 0; row < y.dim(0); ++row) {
    const Eigen::ArrayXd s = row_of(scores, row).cast<double>();
    Eigen::ArrayXd terms =
        config.sigmoid ? (1 + (-s).exp()).inverse().eval() : (s - s.maxCoeff()).exp().eval();
    Eigen::ArrayXd choice = terms;
    if (config.sigmoid) choice += RowView(experts.bias.data(), experts.bias.size()).cast<double>();
    const double all_terms = config.sigmoid ? 1 : terms.sum();
    if (config.groups > 1) leave_groups_out(config, choice);
    Route& route = all.emplace_back();
    if (config.near_share > 0) {
      std::vector<Index> left = largest_first(terms, config.count);
      for (; std::ssize(route) < config.of_token; left.erase(left.begin()))
        route.emplace_back(left.front(), static_cast<float>(share_of_near(s, left, config.near_share)));
      continue;
    }
    const std::vector<Index> order = largest_first(choice, config.of_token);
    double sum = config.normalized ? 0 : all_terms;
    for (const Index expert : order) sum += config.normalized ? terms[expert] : 0;
    for (const Index expert : order) {
      const double own = experts.factors.empty() ? 1 : static_cast<double>(experts.factors.data()[expert]);
      route.emplace_back(expert, static_cast<float>(terms[expert] / sum * config.factor * own));
    }
  }
  return all;
}

namespace {

// Adds what one network gives for some rows of y, each times its weight.
void add_rows_of(const LanguageModel& model, const FeedForwardWeights& weights, const Route& rows,
                 const Tensor& y, Tensor& sum, const ComputeContext& context, const std::stop_token& stop) {
  if (rows.empty()) return;
  Tensor taken = context.memory.take({std::ssize(rows), y.dim(1)});
  for (Index i = 0; i < taken.dim(0); ++i) std::copy_n(y.at(rows[i].first), y.dim(1), taken.at(i));
  const Tensor given = feed_forward(model, weights, taken, context, stop);
  for (Index i = 0; i < taken.dim(0); ++i) {
    const auto& [row, weight] = rows[i];
    row_of(sum, row) += weight * row_of(given, i);
  }
}

Tensor routed_feed_forward(const LanguageModel& model, const RoutedExperts& experts, const Tensor& y,
                           const ComputeContext& context, const std::stop_token& stop) {
  Tensor sum = context.memory.take(y.shape());
  std::fill_n(sum.data(), sum.size(), 0.0F);
  const std::vector<Route> of_rows = routes(model, experts, y, context, stop);
  std::vector<Route> rows_of_experts(experts.each.size());
  for (std::size_t row = 0; row < of_rows.size(); ++row)
    for (const auto& [expert, weight] : of_rows[row])
      rows_of_experts[expert].emplace_back(static_cast<Index>(row), weight);
  const Tensor read = experts.norm.present() ? normed(experts.norm, y.data(), y.dim(0), context) : y;
  for (std::size_t i = 0; i < experts.each.size(); ++i)
    add_rows_of(model, experts.each[i], rows_of_experts[i], read, sum, context, stop);
  if (experts.output_norm.present()) apply_norm(experts.output_norm, sum.data(), sum.dim(0), context);
  if (!experts.shared) return sum;
  if (const FeedForwardWeights& shared = *experts.shared; shared.norm.present()) {
    Tensor given =
        feed_forward(model, shared, normed(shared.norm, y.data(), y.dim(0), context), context, stop);
    apply_norm(shared.output_norm, given.data(), given.dim(0), context);
    as_matrix(sum) += as_matrix(std::as_const(given));
    return sum;
  }
  Route all;
  for (Index row = 0; row < y.dim(0); ++row) all.emplace_back(row, 1.0F);
  if (experts.shared_router) {
    const Tensor gates = multiply(*experts.shared_router, y, context, stop);
    for (auto& [row, weight] : all) weight = 1 / (1 + std::exp(-gates.at(row)[0]));
  }
  add_rows_of(model, *experts.shared, all, y, sum, context, stop);
  return sum;
}

// gate σ(1.702 gate) (rest + 1), the gate of at most `limit`, the rest of at most ± that (gpt-oss); each
// `step` numbers after the one before.
Tensor clamped_gates(const float* gates, const float* rests, Index step, const std::vector<Index>& shape,
                     double limit, const ComputeContext& context) {
  constexpr float slope = 1.702F;
  const auto most = static_cast<float>(limit);
  Tensor y = context.memory.take(shape);
  in_parts(y.size(), context, [&](Index begin, Index count) {
    for (Index i = begin; i < begin + count; ++i) {
      const float gate = std::min(gates[step * i], most);
      const float rest = std::clamp(rests[step * i], -most, most);
      y.data()[i] = gate / (1 + std::exp(-slope * gate)) * (rest + 1);
    }
  });
  return y;
}

// What the first `width` gates of each row exceed their mean by, and `cutoff` deviations; 0 if nothing.
void cut_off_gates(double cutoff, Index width, Tensor& gates, const ComputeContext& context) {
  context.threads.run(gates.dim(0), ThreadPool::Schedule::dynamic, [&](Index row, int) {
    RowSpan values(gates.at(row), width);
    const Eigen::ArrayXd wide = values.cast<double>();
    const double mean = wide.mean(), deviation = std::sqrt((wide - mean).square().mean());
    values = (values - static_cast<float>(mean + cutoff * deviation)).max(0.0F);
  });
}

}  // namespace

Tensor feed_forward(const LanguageModel& model, const FeedForwardWeights& weights, const Tensor& y,
                    const ComputeContext& context, const std::stop_token& stop) {
  if (weights.experts) return routed_feed_forward(model, *weights.experts, y, context, stop);
  const Activation activation = model.config().activation;
  const auto& experts = model.config().experts;
  if (experts && experts->limit > 0) {
    const Tensor up = multiply(weights.up, y, context, stop);
    const Tensor gate = weights.gate ? multiply(*weights.gate, y, context, stop) : Tensor();
    const Tensor z = weights.gate
                         ? clamped_gates(gate.data(), up.data(), 1, gate.shape(), experts->limit, context)
                         : clamped_gates(up.data(), up.data() + 1, 2, {y.dim(0), weights.down.in},
                                         experts->limit, context);
    return multiply(weights.down, z, context, stop);
  }
  Tensor up = multiply_apart(weights.up, y, context, stop);
  if (!weights.gate) {
    apply_activation(activation, up, {}, context);
    return multiply(weights.down, up, context, stop);
  }
  Tensor gate = multiply_apart(*weights.gate, y, context, stop);
  if (const double factor = model.config().gate_factor; factor != 1)
    as_matrix(gate) *= static_cast<float>(factor);
  if (weights.cutoff) cut_off_gates(*weights.cutoff, weights.gate->out, gate, context);
  apply_activation(activation, gate, up, context);
  return multiply(weights.down, gate, context, stop);
}

Tensor layer_embedding(const LanguageModel& model, const ModelInput& input, Index layer,
                       std::span<const Index> rows, const ComputeContext& context,
                       const std::stop_token& stop) {
  const LayerEmbeddingWeights& weights = *model.stack(BlockKind::self).layers[layer].embedding;
  const auto [first, last] = std::ranges::minmax(rows);
  const Tensor words = embedding_terms(model, false, input, first, last + 1, context, stop).words;
  Tensor read = context.memory.take({std::ssize(rows), words.dim(1)});
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(words.at(rows[i] - first), words.dim(1), read.at(i));
  Tensor given = multiply(weights.from_words, read, context, stop);
  as_matrix(given) *= static_cast<float>(1 / std::sqrt(model.config().d_model));
  apply_norm(weights.norm, given.data(), given.dim(0), context);
  const Index width = given.dim(1);
  const auto scale = static_cast<float>(std::sqrt(width));
  Tensor own({width});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index id = input.ids[rows[i]];
    if (id >= weights.table.rows)
      throw input_error("token id {} is outside of the model's vocabulary of {}", id, weights.table.rows);
    weights.table.copy_row(id, context.kernels, own.data());
    row_of(given, i) =
        (row_of(given, i) + scale * RowView(own.data(), width)) * (std::numbers::sqrt2_v<float> / 2);
  }
  return given;
}

}  // namespace headscope

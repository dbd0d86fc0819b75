#include "core/source/model/model_maps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/flush_denormals.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/layer_walk.h"
#include "core/model/layer/pooled_rows.h"
#include "core/model/layer/state_mixer.h"
#include "core/model/steps/positions.h"

namespace headscope {

ModelLayers::ModelLayers(std::shared_ptr<const ModelRun> run, const StackPlace& first,
                         std::shared_ptr<OnDemandContext> on_demand)
    : run_(std::move(run)), kind_(first.kind), first_(first.layer), on_demand_(std::move(on_demand)) {}

std::shared_ptr<const LayerQkv> ModelLayers::qkv(int layer) const {
  constexpr std::size_t max_bytes = std::size_t{96} << 20;
  if (auto known = kept_.find(layer)) return known;
  return on_demand_->compute([&](const ComputeContext& context) {
    if (auto known = kept_.find(layer)) return known;  // another thread has computed it meanwhile
    const auto result = std::make_shared<const LayerQkv>(run_->layer_qkv(kind_, in_stack(layer), context));
    const Index floats = result->q.size() + result->k.size() + result->v.size();
    // At least this one and the one before.
    kept_.keep(layer, result, std::max<std::size_t>(2, max_bytes / (sizeof(float) * floats)));
    return result;
  });
}

std::shared_ptr<const StateHeads> ModelLayers::state(int layer) const {
  constexpr std::size_t most = 4;
  if (has_attention(layer)) return nullptr;
  if (auto known = states_.find(layer)) return known;
  return on_demand_->compute([&](const ComputeContext& context) {
    if (auto known = states_.find(layer)) return known;
    auto result = run_->state_heads(in_stack(layer), context);
    if (result) states_.keep(layer, result, most);
    return result;
  });
}

LayerTrace ModelLayers::layer(int index) const {
  LayerTrace trace;
  const bool attends = has_attention(index);
  if (attends) {
    const auto known = qkv(index);
    trace.q = known->q;
    trace.k = known->k;
    trace.v = known->v;
  } else if (const auto heads = state(index)) {
    const Tensor first = heads->values(0);
    trace.v = Tensor({heads->heads(), first.dim(0), first.dim(1)});
    for (Index head = 0; head < heads->heads(); ++head) {
      const Tensor values = heads->values(head);
      std::copy_n(values.data(), values.size(), trace.v.at(head));
    }
  }
  const LanguageModel& model = run_->model();
  on_demand_->compute([&](const ComputeContext& context) {
    const Index layer = in_stack(index);
    trace.x = run_->x(kind_, layer, context.memory);
    trace.context = run_->context(kind_, layer, context);
    trace.output = attends ? multiply(attention_weights(model, kind_, layer).o, trace.context, context)
                           : mixer_output(model, layer, trace.context, context);
  });
  return trace;
}

Tensor ModelLayers::values(int layer, Index kv_head) const {
  if (has_attention(layer)) return qkv(layer)->v.part(kv_head);
  const auto heads = state(layer);
  return heads ? heads->values(kv_head) : Tensor();
}

namespace {

void set_position_terms(const PositionTerms& terms, const Disentangled& config, int head, Index query,
                        Index n_k, RowRule& rule) {
  rule.to_position.resize(n_k);
  if (!config.computed) rule.from_position.resize(n_k);
  if (!terms.segments.empty()) rule.of_segment.resize(n_k);
  Eigen::RowVectorXf products = Eigen::RowVectorXf::Zero(n_k);
  if (config.computed) terms.add_products(head, query, query, 0, n_k, products.data(), best_kernels());
  for (Index key = 0; key < n_k; ++key) {
    rule.to_position[key] = config.computed ? products[key] : terms.of_query(head, query, query, key);
    if (!config.computed) rule.from_position[key] = terms.of_key(head, query, key);
    rule.distances.push_back(config.row_of(terms.distance(query, key)) - config.rows() / 2);
    if (terms.segments.empty()) continue;
    rule.of_segment[key] = terms.of_segment(head, query, query, key);
    rule.in_segment.push_back(terms.in_segment(query, key));
  }
  rule.bias = rule.to_position;
  for (const Eigen::RowVectorXd* const more : {&rule.from_position, &rule.of_segment})
    if (more->size() > 0) rule.bias += *more;
}

}  // namespace

RowRule ModelLayers::rule(int layer, int head, Index query) const {
  if (!has_attention(layer)) {
    RowRule rule;
    rule.by_sqrt_d_k = false;
    rule.end = query + 1;
    return rule;
  }
  const auto known = qkv(layer);
  const ModelConfig& config = run_->model().config();
  const AttentionRule& of_layer = known->rule;
  const Index n_k = known->k.dim(1);
  RowRule rule;
  rule.scale = of_layer.scale;
  const bool scales = run_->changes().at(kind_, in_stack(layer)).scale;
  rule.by_sqrt_d_k = scales && config.scale_scores && !config.score_factor;
  rule.own_factor = scales && config.scale_scores && config.score_factor.has_value();
  rule.cap = config.score_cap;
  if (!of_layer.sinks.empty()) rule.sink = of_layer.sink(head);
  rule.layer_divisor = scales && config.scale_scores_by_layer ? in_stack(layer) + 1 : 1;
  const AttentionRule::Keys seen = of_layer.keys(query, n_k);
  rule.begin = seen.begin;
  rule.end = seen.end;
  if (of_layer.positions) {
    set_position_terms(*of_layer.positions, *config.disentangled, head, query, n_k, rule);
    return rule;
  }
  if (const float added = of_layer.repeats(query); added != 0) {
    rule.repeats = of_layer.repeated.times;
    rule.repeated = of_layer.repeated.keys;
    rule.bias = Eigen::RowVectorXd::Zero(n_k);
    rule.bias.head(rule.repeated).setConstant(static_cast<double>(added));
    return rule;
  }
  if (of_layer.bias.empty()) return rule;
  rule.bias.resize(n_k);
  for (Index key = 0; key < n_k; ++key) rule.bias[key] = of_layer.bias_row(head, query)[key];
  if (const Tensor& slopes = run_->model().stack(kind_).slopes; !slopes.empty()) {
    rule.slope_of_keys = config.rounded_bias;
    rule.slope = slopes.data()[head] * (rule.slope_of_keys ? rule.scale : 1);
    return rule;
  }
  if (config.picture) {
    const PatchCounts counts = count_patches(*config.picture, *run_->input().pixels);
    for (Index key = 0; key < n_k; ++key) rule.buckets.push_back(patch_distance(query, key, counts));
    rule.of_patches = true;
    return rule;
  }
  const Index buckets = config.relative_buckets;
  for (Index key = 0; key < n_k; ++key) {
    const Index distance = key - query;
    rule.buckets.push_back(
        relative_bucket(distance, !of_layer.causal, buckets, config.relative_max_distance));
  }
  return rule;
}

Eigen::RowVectorXd ModelLayers::state_added(int layer, Index query) const {
  return on_demand_->compute([&](const ComputeContext& context) -> Eigen::RowVectorXd {
    const LanguageModel& model = run_->model();
    const Tensor mixed = run_->context_row(BlockKind::state, layer, query, context);
    return attention_sublayer(model, BlockKind::state, layer).factor *
           as_matrix(mixer_output(model, layer, mixed, context)).row(0).cast<double>();
  });
}

CellIntermediates ModelLayers::state_way(int layer, int head, Index query, Index key) const {
  const auto heads = state(layer);
  CellIntermediates way;
  way.x = way.key_x = run_->x(kind_, layer, on_demand_->memory());
  const Sublayer sublayer = attention_sublayer(run_->model(), kind_, layer);
  way.query_norm = normed_row(*sublayer.input_norm, as_matrix(way.x).row(query).cast<double>());
  way.key_norm = normed_row(*sublayer.input_norm, as_matrix(way.x).row(key).cast<double>());
  way.v = heads->values(head);
  way.state = heads->cell(head, query, key);
  way.map_row = heads->row(head, query);
  return way;
}

namespace {

/// What a row of Funnel's layer is made of, if it is pooled there, or upsampled.
std::optional<MadeRow> made_row(const ModelRun& run, Index layer, Index row, BufferPool& memory) {
  const auto& funnel = run.model().config().funnel;
  const Tensor before = funnel ? run.rows_before(layer, memory) : Tensor();
  if (before.empty()) return {};
  const auto of = [](const Tensor& rows, Index at) -> Eigen::RowVectorXd {
    return as_matrix(rows).row(at).cast<double>();
  };
  MadeRow made;
  if (funnel->block_of(layer) == funnel->blocks()) {
    made.by = MadeRow::By::sum;
    const Index last = added_behind(run.model().config());
    const Tensor first =
        last < funnel->layers.front() ? run.x(BlockKind::self, last, memory) : run.rows_before(last, memory);
    made.rows.push_back(of(first, row));
    if (const Index from = repeated_row(*funnel, row, before.dim(0)); from >= 0)
      made.rows.push_back(of(before, from));
    return made;
  }
  const auto pairs = pooled_pairs(*funnel, before.dim(0));
  if (pairs.empty()) return {};
  const auto [first, second] = pairs[row];
  made.by = funnel->largest ? MadeRow::By::largest : MadeRow::By::mean;
  made.rows.push_back(of(before, first));
  if (second != first) made.rows.push_back(of(before, second));
  return made;
}

}  // namespace

CellIntermediates ModelLayers::way(int of_block, int head, Index query, Index key) const {
  const FlushDenormals flush;
  if (!has_attention(of_block)) return state_way(of_block, head, query, key);
  const auto known = qkv(of_block);
  const Index layer = in_stack(of_block);
  const LanguageModel& model = run_->model();
  const ModelConfig& config = model.config();
  const AttentionWeights& weights = attention_weights(model, kind_, layer);
  const AttentionChange& change = run_->changes().at(kind_, layer);
  const Sublayer sublayer = attention_sublayer(model, kind_, layer);
  const bool cross = kind_ == BlockKind::cross;
  const Index heads = known->q.dim(0), d_v = known->v.dim(2), kv_heads = known->k.dim(0);
  const Index kv_head = head * kv_heads / heads;
  BufferPool& memory = on_demand_->memory();

  CellIntermediates way;
  const int from = static_cast<int>(model.stack(kind_).size.keys_from(layer));
  if (from != layer) way.keys_from = from;
  way.values_are_keys = kind_ == BlockKind::self && config.values_are_keys(layer);
  way.x = run_->x(kind_, layer, memory);
  way.key_x = cross ? run_->encoded() : from != layer ? run_->x(kind_, from, memory) : way.x;
  if (const Tensor other = run_->key_x(layer, memory); !other.empty()) way.key_x = other;
  way.made_of = made_row(*run_, layer, query, memory);
  way.v = known->v.part(kv_head);
  way.q = as_matrix(known->q, head).row(query);
  way.k = as_matrix(known->k, kv_head).row(key);

  Eigen::RowVectorXd x = as_matrix(way.x).row(query).cast<double>();
  Eigen::RowVectorXd key_x = as_matrix(way.key_x).row(key).cast<double>();
  const Eigen::RowVectorXd stream = x;
  if (const Norm* const of_input = sublayer.input_norm) {
    x = (way.query_norm = normed_row(*of_input, x))->y;
    const Norm& of_keys = from == layer ? *of_input : *attention_sublayer(model, kind_, from).input_norm;
    if (!cross) key_x = (way.key_norm = normed_row(of_keys, key_x))->y;
  }
  const LayerAttention attention(model, kind_, layer, change, run_->input());
  const OwnKeys* const own = known->rule.own_keys_of(query);
  way.global = own != nullptr;
  if (own) {
    way.v = own->v.part(kv_head);
    way.k = as_matrix(own->k, kv_head).row(key);
  }
  const ProjectedRow q = projected_row(own ? attention.q_global() : attention.q(nullptr), config, head, x),
                     k = projected_row(own ? attention.k_global() : attention.k(nullptr), config, kv_head,
                                       key_x);
  way.query_latent = q.latent;
  way.key_latent = k.latent;
  way.shared = config.latent ? config.latent->rotated : 0;
  way.q_projected = q.projected;
  way.k_projected = k.projected;
  way.limit = config.qkv_limit;
  if (way.limit > 0 || config.value_norm) {
    const ProjectedRow v = projected_row(attention.v(), config, kv_head, key_x);
    way.v_projected = v.projected;
    way.v_norm = v.norm;
  }
  way.q_norm = q.norm;
  way.k_norm = k.norm;
  way.q_before_turn = q.before_turn;
  way.k_before_turn = k.before_turn;
  if (const Rope* rope = rope_of(model, kind_, layer)) {
    const std::vector<double>& frequencies = run_->frequencies(kind_, layer);
    const PicturePatches patches = patch_grid(config, run_->input());
    way.q_turn = rotated_row(*rope, frequencies, query, q.before_turn, query_scale(*rope, query), patches);
    way.k_turn = rotated_row(*rope, frequencies, key, k.before_turn, 1, patches);
  }
  if (config.score_cap > 0)
    way.uncapped = static_cast<double>(known->rule.scale) * way.q.cast<double>() *
                   as_matrix(known->k, kv_head).cast<double>().transpose();

  // The query's context row of every head.
  Tensor concat({1, heads * d_v}), row({1, known->k.dim(1)});
  for (Index h = 0; h < heads; ++h) {
    known->rows(h, query, query + 1, row.data(), nullptr, best_kernels(), memory);
    as_matrix(concat).middleCols(h * d_v, d_v) =
        (as_matrix(row).cast<double>() *
         as_matrix(own ? own->v : known->v, h * kv_heads / heads).cast<double>())
            .cast<float>();
  }
  if (!known->gate.empty()) {
    as_matrix(concat).array() *= as_matrix(known->gate).row(query).array();
    way.gate = as_matrix(known->gate).row(query).segment(head * d_v, d_v);
  }
  way.head_off = std::ranges::find(change.ablated_heads, head) != change.ablated_heads.end();
  way.output = on_demand_->compute([&](const ComputeContext& context) -> Eigen::RowVectorXf {
    if (change.mixes_rows())
      as_matrix(concat) = as_matrix(run_->context(kind_, layer, context)).row(query);
    else
      switch_off(change, heads, concat);
    return as_matrix(multiply(weights.o, concat, context)).row(0);
  });
  way.concat = as_matrix(concat).row(0);
  Eigen::RowVectorXd added = way.output.cast<double>();
  if (sublayer.output_norm) added = (way.added_norm = normed_row(*sublayer.output_norm, added))->y;
  way.added_factor = sublayer.factor;
  Eigen::RowVectorXd sum = stream + way.added_factor * added;
  way.key_factor = config.key_factor;
  way.input_factor = config.attention_input_factor;
  if (config.mixer_beside) {
    way.beside = state_added(of_block, query);
    sum += way.beside;
  }
  if (sublayer.sum_norm) way.output_norm = normed_row(*sublayer.sum_norm, sum);
  const Sublayer network = feed_forward_sublayer(model, stack_of(kind_), layer);
  way.parallel = network.reads_input;
  way.feed_forward_norm = network.input_norm != nullptr;
  const TransformerLayer& of_layer = model.stack(stack_of(kind_)).layers[layer];
  way.layer_embedding = of_layer.embedding != nullptr;
  way.laurel = of_layer.alt_up != nullptr;
  if (config.alt_up) way.streams = static_cast<int>(config.alt_up->streams);
  if (of_layer.factor.present()) way.layer_factor = static_cast<double>(*of_layer.factor.weight.data());
  if (const auto& experts = model.stack(kind_).layers[layer].feed_forward.experts) {
    way.feed_forward_norm = way.feed_forward_norm || experts->router_norm.present();
    Tensor read({1, config.d_model});
    as_matrix(read) = (network.input_norm ? normed_row(*network.input_norm, sum).y : sum).cast<float>();
    way.expert_count = config.experts->count;
    way.shared_expert = config.experts->shared_d_ff > 0;
    way.experts = on_demand_->compute(
        [&](const ComputeContext& context) { return routes(model, *experts, read, context).front(); });
  }
  if (kind_ == BlockKind::decoder) way.next = as_matrix(run_->x(BlockKind::cross, layer, memory)).row(query);
  return way;
}

bool ModelMaps::attends(int layer, int head) const {
  const ModelConfig& config = layers_->run().model().config();
  return layers_->has_attention(layer) && (config.mixers.empty() || head < config.body().heads);
}

void ModelMaps::rows(int layer, int head, Index begin, Index end, float* out) const {
  if (attends(layer, head)) return ComputedMaps::rows(layer, head, begin, end, out);
  const FlushDenormals flush;
  if (const auto heads = layers_->state(layer); heads && head < heads->heads())
    heads->rows(head, begin, end, out);
  else
    std::fill_n(out, (end - begin) * size().n_k, 0.0F);
}

bool ModelMaps::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  return attends(layer, head) && ComputedMaps::score_rows(layer, head, begin, end, out);
}

bool ModelMaps::no_token(int layer, int head, Index begin, Index end, float* out) const {
  return attends(layer, head) && ComputedMaps::no_token(layer, head, begin, end, out);
}

Tensor ModelMaps::pooled(int layer, int head, const Pools& pools) const {
  return attends(layer, head) ? ComputedMaps::pooled(layer, head, pools)
                              : MapSource::pooled(layer, head, pools);
}

bool ModelMaps::row_numbers(int layer, int head, const RowQuestion& question,
                            std::span<RowNumbers> rows) const {
  return attends(layer, head) && ComputedMaps::row_numbers(layer, head, question, rows);
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

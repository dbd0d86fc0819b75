#include "core/source/model/model_cost.h"

#include <algorithm>

#include "core/model/config/family.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/pooled_rows.h"
#include "core/model/weights/language_model.h"

namespace headscope {
namespace {

// Products of counts exceed an Index of 32 bits.
using Count = std::int64_t;

Count products(const Dense& dense) {
  return Count{dense.in} * dense.out;
}
Count parameters(const Dense& dense) {
  return products(dense) + dense.bias.size();
}
Count parameters(const Norm& norm) {
  return norm.weight.size() + norm.bias.size();
}

/// Its table of relative positions, if a layer's own file has one: T5's is the first layer's.
Count relative_bias(const LanguageModel& model, BlockKind kind, Index layer) {
  const Family& family = family_of(model.config());
  const bool of_encoder = kind == BlockKind::encoder || !model.config().has_decoder();
  const StackNames& names = of_encoder ? family.encoder : family.decoder;
  const std::vector<Tensor>& tables = model.stack(kind).relative_biases;
  const bool of_layer = names.relative_bias.find('#') != std::string_view::npos;
  return kind != BlockKind::cross && of_layer && layer < std::ssize(tables) ? tables[layer].size() : 0;
}

Count attention_products(const LanguageModel& model, const ModelBlock& block, const StackPlace& place,
                         Count n_q, Count n_k) {
  const auto [kind, layer] = place;
  const AttentionWeights& weights = attention_weights(model, kind, layer);
  const OtherWeights others = other_weights(model, kind, layer);
  const TransformerStack& stack = model.stack(kind);
  const bool own = kind == BlockKind::self;
  const Count heads = stack.size.heads, of_keys = heads * (own ? stack.d_k_of(layer) : block.d_k),
              of_values = heads * (own ? stack.d_v_of(layer) : block.d_v);
  Count query = products(weights.q) + products(weights.o) + others.query_products,
        key = products(weights.k) + (others.values_are_keys ? 0 : products(weights.v));
  if (weights.query_latent) query += products(weights.query_latent->down);
  if (weights.latent) key += products(weights.latent->down) + products(weights.latent->shared);
  return n_q * query + n_k * key + n_q * n_k * ((1 + others.position_terms) * of_keys + of_values) +
         others.products_of_positions(n_q, n_k);
}

/// Of a token.
Count mixer_products(const MixerWeights& weights, const StateMixer& size) {
  constexpr Count delta = 3, added = 2;  // what a key holds is read before it is changed, and by the query
  Count count = weights.taps.size();
  for (const Dense* const dense :
       {&weights.mixed, &weights.in_gate, &weights.gate, &weights.strength, &weights.decay, &weights.o})
    count += products(*dense);
  return count + (size.kind == Mixer::delta_rule ? delta : added) * size.heads * size.d_k * size.d_v;
}
Count network_products(const FeedForwardWeights& weights) {
  if (!weights.experts)
    return products(weights.up) + products(weights.down) + (weights.gate ? products(*weights.gate) : 0);
  const RoutedExperts& experts = *weights.experts;
  return products(experts.router) + (experts.shared ? network_products(*experts.shared) : 0) +
         (experts.shared_router ? products(*experts.shared_router) : 0);
}

/// Of a token, in what a layer has besides.
Count products_beside(const TransformerLayer& layer, const ModelConfig& config) {
  Count count = 0;
  if (layer.embedding)
    for (const Dense* const dense :
         {&layer.embedding->from_words, &layer.embedding->gate, &layer.embedding->project})
      count += products(*dense);
  if (!layer.alt_up) return count;
  const AltUpWeights& alt_up = *layer.alt_up;
  constexpr Count routed = 2;  // before the layer, and behind it
  const Count streams = config.alt_up->streams;
  return count + routed * products(alt_up.router) + products(alt_up.prediction) +
         products(alt_up.correction) + streams * (streams + 1) * config.d_model + products(alt_up.left) +
         products(alt_up.right);
}

}  // namespace

OtherWeights other_weights(const LanguageModel& model, BlockKind block, Index number) {
  OtherWeights others;
  const auto [kind, layer] = model.in_stack(block, number);
  if (kind == BlockKind::text || !model.attends(kind, layer)) return others;
  const AttentionWeights& weights = attention_weights(model, kind, layer);
  const ModelConfig& config = model.config();
  others.sinks = weights.sinks.size();
  others.gated = weights.gate.out > 0;
  others.query_products = products(weights.gate);
  const LayerStack& size = model.stack(kind).size;
  if (kind != BlockKind::cross && !size.has_own_keys(layer))
    others.keys_of = size.keys_from(layer);
  else
    others.values_are_keys = config.values_are_keys(layer);
  // A layer that reads the keys of another has its norm here, too.
  if (config.norm_weights)
    others.norms = parameters(weights.q_norm) + (others.keys_of < 0 ? parameters(weights.k_norm) : 0);
  others.positions = relative_bias(model, kind, layer) + weights.position_shift.size() +
                     weights.segment_shift.size() + weights.segments.size();
  others.query_products += weights.segments.size();
  for (const Dense* const dense : {&weights.position_q, &weights.position_k}) {
    if (dense->out == 0) continue;
    ++others.position_terms;
    others.position_products += products(*dense);
    const Disentangled& positions = *config.disentangled;
    if (positions.computed || !positions.shared) others.positions += parameters(*dense);
    others.position_vectors = positions.rows();
  }
  for (const Dense* const dense : {&weights.q_global, &weights.k_global, &weights.v_global})
    others.of_global += parameters(*dense);
  return others;
}

std::int64_t multiplications_of(const LanguageModel& model, Index tokens, Index target) {
  const ModelConfig& config = model.config();
  const std::vector<ModelBlock> blocks = model.blocks();
  const bool states_apart = std::ranges::count(blocks, BlockKind::state, &ModelBlock::kind) > 0;
  Count count = 0;
  for (const ModelBlock& block : blocks) {
    const bool decodes = block.kind == BlockKind::decoder || block.kind == BlockKind::cross;
    Count n_q = decodes ? target : tokens, n_k = block.kind == BlockKind::decoder ? target : tokens;
    if (const auto& funnel = config.funnel) {
      const Index of = funnel->block_of(block.first);
      n_q = std::ssize(rows_of_block(*funnel, tokens, of));
      n_k = is_pooling(block.kind) ? std::ssize(rows_of_block(*funnel, tokens, of - 1)) : n_q;
    }
    for (Index number = 0; number < block.layers; ++number) {
      const StackPlace place = model.in_stack(block.kind, number);
      const TransformerLayer& layer = model.stack(place.kind).layers[place.layer];
      if (model.attends(place.kind, place.layer)) count += attention_products(model, block, place, n_q, n_k);
      if (layer.mixer && (block.kind == BlockKind::state || !states_apart))
        count += n_q * mixer_products(*layer.mixer, *config.state_mixer);
      if (block.kind == BlockKind::cross || block.kind == BlockKind::state) continue;
      Count of_token = network_products(layer.feed_forward) + products_beside(layer, config);
      if (layer.feed_forward.experts)
        of_token += config.experts->of_token * network_products(layer.feed_forward.experts->each.front());
      count += n_q * of_token;
    }
  }
  return count;
}

}  // namespace headscope

#pragma once
#include <algorithm>
#include <span>

#include "core/attention/attend_heads.h"
#include "core/base/round_up.h"
#include "core/model/layer/model_request.h"
#include "core/model/rows/row_store.h"
#include "core/model/steps/head_projection.h"
#include "core/model/weights/language_model.h"

namespace headscope {

// The steps of one layer, for a model's forward pass and for values computed from it later.

const AttentionWeights& attention_weights(const LanguageModel& model, BlockKind kind, Index layer);

/// Ablates heads in `context` [n, heads d_k].
void switch_off(const AttentionChange& change, Index heads, Tensor& context);

/// Queries of some rows of a layer with the keys and values of all.
struct LayerHeads {
  Tensor q;       // [heads, rows, d_k]
  RowStore k, v;  // [kv_heads, n_k, d_k or d_v]
  AttentionRule rule;
  Tensor gate = {};  // [rows, heads d_v] that contexts are multiplied by; empty: none

  static HeadRows rows(const RowStore& of) {
    return {of.at(0), of.parts(), of.rows(), of.width(), of.stride()};
  }
};

/// The attention of a layer with its change, step by step: Q, K and V of the rows that it reads, the rule by
/// which scores become weights, what the heads give.
class LayerAttention {
 public:
  /// `input` is what the model reads; it and the change outlive this.
  LayerAttention(const LanguageModel& model, BlockKind kind, Index layer, const AttentionChange& change,
                 const ModelInput& input);

  Index d_k() const { return d_k_; }
  Index heads() const { return weights_.q.out / d_k_; }
  Index kv_heads() const { return weights_.latent ? heads() : weights_.k.out / d_k_; }
  Index d_v() const { return weights_.v.out / kv_heads(); }

  HeadProjection q(const RotaryTable* turn) const {
    return {&weights_.q,    &weights_.q_norm,
            turn,           heads(),
            change_.gain_q, {},
            nullptr,        0,
            true,           weights_.query_latent ? &*weights_.query_latent : nullptr};
  }
  HeadProjection k(const RotaryTable* turn) const {
    const LatentProjection* const latent = weights_.latent ? &*weights_.latent : nullptr;
    return {&weights_.k,
            &weights_.k_norm,
            turn,
            kv_heads(),
            change_.gain_k * static_cast<float>(model_.config().key_factor),
            {},
            nullptr,
            0,
            false,
            latent,
            latent == nullptr ? 0 : latent->shared.out};
  }
  HeadProjection v() const {
    return {
        &weights_.v, &weights_.v_norm, nullptr, kv_heads(), 1,
        {},          nullptr,          0,       false,      weights_.latent ? &*weights_.latent : nullptr};
  }
  /// The same for a global token as a query (Longformer).
  HeadProjection q_global() const {
    return {&weights_.q_global, nullptr, nullptr, heads(), change_.gain_q, {}, nullptr, 0, true};
  }
  HeadProjection k_global() const {
    return {&weights_.k_global, nullptr, nullptr, kv_heads(), change_.gain_k};
  }
  HeadProjection v_global() const { return {&weights_.v_global, nullptr, nullptr, kv_heads()}; }

  /// Which rows are read: the first query, of a text of n_q tokens; the first key, of n_k.
  struct Place {
    Index first_query, n_q, first_key, n_k;
  };
  /// Projects rows to queries; others, unless there are none, to keys and values, which get their stores if
  /// they have none. With how their scores become weights.
  void read(const RotaryTable* turn, const ReadRows& of_q, const ReadRows& of_keys, const Place& place,
            LayerHeads& heads, const ComputeContext& context, const std::stop_token& stop) const;
  /// How scores become weights, for queries from `first_query` on of a text of n_q, and n_k keys.
  AttentionRule rule(Index first_query, Index n_q, Index n_k) const;
  /// Adds the terms of relative positions to a rule, if the model has them, for rows of q from
  /// `rule.first_query` on.
  void add_positions(const HeadRows& q, const HeadRows& k, AttentionRule& rule, const ComputeContext& context,
                     const std::stop_token& stop = {}) const;
  /// Replaces the queries of global tokens in q, where heads are `stride` floats apart, of rows `of_q` from
  /// position `first_query` on, and adds their own keys and values of rows `of_keys` to the rule.
  void add_own_keys(const ReadRows& of_q, Index first_query, const ReadRows& of_keys, float* q, Index stride,
                    AttentionRule& rule, const ComputeContext& context, const std::stop_token& stop) const;
  /// What the heads give, after ablation [rows of q, heads d_k].
  Tensor contexts(const LayerHeads& of, const ComputeContext& context, const std::stop_token& stop) const {
    return contexts(HeadRows(of.q), LayerHeads::rows(of.k), LayerHeads::rows(of.v), of.rule, of.gate, context,
                    stop);
  }
  Tensor contexts(const HeadRows& q, const HeadRows& k, const HeadRows& v, const AttentionRule& rule,
                  const Tensor& gate, const ComputeContext& context, const std::stop_token& stop = {}) const;
  /// What multiplies the contexts of rows y [rows, heads d_v] (Qwen3-Next); empty if the model has no gates.
  Tensor gate(const float* y, Index rows, const ComputeContext& context, const std::stop_token& stop) const;

 private:
  const LanguageModel& model_;
  BlockKind kind_;
  Index layer_;
  const AttentionChange& change_;
  const ModelInput& input_;
  const AttentionWeights& weights_;
  const std::vector<Index> global_;  // tokens
  Index d_k_;
};

/// Calls body(begin, count) for chunks of `size` numbers.
template <typename Body>
void in_parts(Index size, const ComputeContext& context, const Body& body) {
  constexpr Index at_once = Index{1} << 14;
  const ProfiledStep profiled(context, ComputeStep::sums);
  context.threads.run(divide_up(size, at_once), ThreadPool::Schedule::dynamic, [&](Index piece, int) {
    body(piece * at_once, std::min(at_once, size - piece * at_once));
  });
}

/// activation(convolution) of rows [first, first + count), over the n rows `input` [n, d_model] and zeros
/// before and behind them (He et al. 2021, section 5.1: nGiE).
Tensor convolution(const LanguageModel& model, const ConvolutionWeights& weights, const float* input, Index n,
                   Index first, Index count, const ComputeContext& context, const std::stop_token& stop = {});

/// The rotary positions of a layer; nullptr: none.
const Rope* rope_of(const LanguageModel& model, BlockKind kind, Index layer);
/// Their table for positions [begin, end).
std::optional<RotaryTable> rotary_of(const LanguageModel& model, const ModelInput& input, BlockKind kind,
                                     Index layer, const std::vector<double>& frequencies, Index begin,
                                     Index end);
/// The patches of a picture that is read; none of a text.
PicturePatches patch_grid(const ModelConfig& config, const ModelInput& input);

/// The experts that a row goes to, the first with the largest weight.
using Route = std::vector<std::pair<Index, float>>;
/// Of each row of y [n, d_model].
std::vector<Route> routes(const LanguageModel& model, const RoutedExperts& experts, const Tensor& y,
                          const ComputeContext& context, const std::stop_token& stop = {});

/// What tokens have for a layer, see LayerEmbeddings: of the rows `rows` of a text, [rows, width]. Throws
/// Error (input) for tokens beyond the table.
Tensor layer_embedding(const LanguageModel& model, const ModelInput& input, Index layer,
                       std::span<const Index> rows, const ComputeContext& context,
                       const std::stop_token& stop = {});

/// down(act(up)), or down(act(gate) up), for rows y [n, d_model]; or the sum of that of each row's experts,
/// times their weights.
Tensor feed_forward(const LanguageModel& model, const FeedForwardWeights& weights, const Tensor& y,
                    const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope

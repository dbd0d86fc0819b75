#pragma once
#include <algorithm>

#include "core/model/model_run.h"
#include "core/model/positions.h"

namespace headscope {

// The steps of one layer, for a model's forward pass and for values computed from it later.

const AttentionWeights& attention_weights(const LanguageModel& model, BlockKind kind, Index layer);

/// How scores of the layer become weights, for n_q queries from the first of the text, and n_k keys.
AttentionRule attention_rule(const LanguageModel& model, BlockKind kind, Index layer,
                             const AttentionChange& change, Index n_q, Index n_k);

/// Adds the terms of relative positions to a layer's rule, if the model has them, for rows of q from
/// `rule.first_query` on.
void add_positions(const LanguageModel& model, BlockKind kind, Index layer, const HeadRows& q,
                   const HeadRows& k, AttentionRule& rule, const ComputeContext& context,
                   const std::stop_token& stop = {});

/// Heads' rows before and after the projections: y [n, in] of rows [first, first + n) of the text to Q, K or
/// V.
struct HeadProjection {
  const Dense* dense = nullptr;
  const Norm* norm = nullptr;         // see QkNorm; nullptr or empty: none
  const RotaryTable* turn = nullptr;  // nullptr: none
  const float* y = nullptr;
  Index n = 0;
  float* to = nullptr;  // [heads, n, d_k]
  Index heads = 0;
  Index stride = 0;  // floats from one head to the next
  float gain = 1;
  Index turn_row = 0;  // of the table, for the first row of y
};
void project_heads(std::span<const HeadProjection> projections, const ModelConfig& config,
                   const ComputeContext& context, const std::stop_token& stop);

/// Ablates heads in `context` [n, heads d_k].
void switch_off(const AttentionChange& change, Index heads, Tensor& context);

/// Calls body(begin, count) for chunks of `size` numbers.
template <typename Body>
void in_parts(Index size, const ComputeContext& context, const Body& body) {
  constexpr Index at_once = Index{1} << 14;
  const ProfiledStep profiled(context, ComputeStep::sums);
  context.threads.run((size + at_once - 1) / at_once, ThreadPool::Schedule::dynamic, [&](Index piece, int) {
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
std::optional<RotaryTable> rotary_of(const LanguageModel& model, BlockKind kind, Index layer,
                                     const std::vector<double>& frequencies, Index begin, Index end);

/// The experts that a row goes to, the first with the largest weight.
using Route = std::vector<std::pair<Index, float>>;
/// Of each row of y [n, d_model].
std::vector<Route> routes(const LanguageModel& model, const RoutedExperts& experts, const Tensor& y,
                          const ComputeContext& context, const std::stop_token& stop = {});

/// down(act(up)), or down(act(gate) up), for rows y [n, d_model]; or the sum of that of each row's experts,
/// times their weights.
Tensor feed_forward(const LanguageModel& model, const FeedForwardWeights& weights, const Tensor& y,
                    const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope

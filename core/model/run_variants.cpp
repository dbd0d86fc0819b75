#include "core/model/run_variants.h"

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/layer_parts.h"

namespace headscope {
namespace {

Tensor repeated(const Tensor& rows, Index count, BufferPool& memory) {
  const Index n = rows.dim(0);
  Tensor all = memory.take({count * n, rows.dim(1)});
  for (Index i = 0; i < count; ++i) std::copy_n(rows.data(), rows.size(), all.at(i * n));
  return all;
}

/// Row `row` of each of `count` variants.
Tensor picked(const Tensor& x, Index count, Index row, BufferPool& memory) {
  const Index n = x.dim(0) / count;
  Tensor rows = memory.take({count, x.dim(1)});
  for (Index i = 0; i < count; ++i) std::copy_n(x.at(i * n + row), x.dim(1), rows.at(i));
  return rows;
}

/// Follows rows from the last layer down, by what each query may see whatever the weights are.
class Reach {
 public:
  explicit Reach(const ModelRun& base) : base_(base) {}

  /// The rows of the output of `layer` that reach `rows` of the stack's output.
  std::vector<bool> down_to(BlockKind stack, Index layer, std::vector<bool> rows) const {
    for (Index above = base_.model().stack(stack).size.layers - 1; above > layer; --above)
      rows = through(stack, above, rows);
    return rows;
  }
  /// The rows of the encoded source that reach `rows` of the decoder's output.
  std::vector<bool> of_encoded(std::vector<bool> rows) const {
    std::vector<bool> read(base_.input().ids.size());
    for (Index layer = base_.model().stack(BlockKind::decoder).size.layers - 1; layer >= 0; --layer) {
      add_seen(BlockKind::cross, layer, rows, read);
      rows = through(BlockKind::decoder, layer, rows);
    }
    return read;
  }
  /// The rows of a layer's input that reach `rows` of its output.
  std::vector<bool> through(BlockKind stack, Index layer, const std::vector<bool>& rows) const {
    std::vector<bool> read = rows;
    add_seen(stack, layer, rows, read);
    const bool mixed =
        mixes(stack, layer) || (stack == BlockKind::decoder && base_.model().config().encoder_decoder() &&
                                mixes(BlockKind::cross, layer));
    return mixed ? std::vector<bool>(rows.size(), true) : read;
  }

 private:
  /// Whether rows meet otherwise than by what queries see.
  bool mixes(BlockKind kind, Index layer) const {
    const AttentionChange& change = base_.changes().at(kind, layer);
    const bool means = !change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean;
    return means || (kind != BlockKind::cross && layer == 0 && base_.model().stack(kind).convolution);
  }
  void add_seen(BlockKind kind, Index layer, const std::vector<bool>& queries,
                std::vector<bool>& keys) const {
    const AttentionChange& change = base_.changes().at(kind, layer);
    const auto n_k = static_cast<Index>(keys.size());
    const Index heads =
        attention_weights(base_.model(), kind, layer).q.out / base_.model().stack(kind).head_dim;
    const AttentionRule rule =
        attention_rule(base_.model(), kind, layer, change, static_cast<Index>(queries.size()), n_k);
    for (Index query = 0; query < std::ssize(queries); ++query) {
      if (!queries[static_cast<std::size_t>(query)]) continue;
      const AttentionRule::Keys seen = rule.keys(query, n_k);
      for (Index key = seen.begin; key < seen.end; ++key)
        if (!hidden(rule, heads, query, key)) keys[static_cast<std::size_t>(key)] = true;
    }
  }
  /// From every head. What counts as a finite score is seen where nothing else is.
  static bool hidden(const AttentionRule& rule, Index heads, Index query, Index key) {
    if (!rule.mask || std::isfinite(rule.fill)) return false;
    for (Index head = 0; head < heads; ++head)
      if (!rule.mask->blocked(static_cast<int>(head), query, key)) return false;
    return true;
  }

  const ModelRun& base_;
};

/// The layers above a change, for all variants at once.
class VariantPass {
 public:
  VariantPass(const ModelRun& base, const RunVariants& variants, Index row, const ComputeContext& context,
              const std::stop_token& stop)
      : base_(base), variants_(variants), count_(variants.count), row_(row), context_(context), stop_(stop) {}

  Tensor go() {
    const BlockKind of_stack = variants_.kind == BlockKind::cross ? BlockKind::decoder : variants_.kind;
    const bool cross = variants_.kind == BlockKind::cross;
    Tensor x = variants_.x.empty() || cross
                   ? repeated(base_.x(of_stack, variants_.layer, context_.memory), count_, context_.memory)
                   : repeated(variants_.x, 1, context_.memory);  // sums are added in place
    if (of_stack != BlockKind::encoder) return run_layers(of_stack, std::move(x), variants_.layer, true);
    encoded_ = run_layers(BlockKind::encoder, std::move(x), variants_.layer, true);
    if (const Norm& last = model().encoder().last_norm; last.present())
      apply_norm(last, encoded_.data(), encoded_.dim(0), context_);
    const Tensor target = base_.x(BlockKind::decoder, 0, context_.memory);
    return run_layers(BlockKind::decoder, repeated(target, count_, context_.memory), 0, false);
  }

  Tensor contexts(const Tensor& x, const Tensor& encoded) {
    const AttentionWeights& weights = attention_weights(model(), variants_.kind, variants_.layer);
    encoded_ = encoded;
    const bool normed_first = config().norm_first && weights.norm.present();
    return attend(weights, variants_.kind, variants_.layer,
                  normed_first ? normed(weights.norm, x.data(), x.dim(0), context_) : x, false);
  }

 private:
  const LanguageModel& model() const { return base_.model(); }
  const ModelConfig& config() const { return model().config(); }

  /// From the input of `first` on; of the last layer of all only the requested row.
  Tensor run_layers(BlockKind kind, Tensor x, Index first, bool changes_first) {
    const TransformerStack& stack = model().stack(kind);
    const double factor = config().residual_factor;
    for (Index layer = first; layer < stack.size.layers && !stop_requested(stop_); ++layer) {
      const TransformerLayer& weights = stack.layers[static_cast<std::size_t>(layer)];
      const bool changed = changes_first && layer == first, last = layer + 1 == stack.size.layers;
      // With a mean over the positions, or for keys of a later product, all rows are needed.
      const bool convolved = layer == 0 && stack.convolution;
      const bool one_row = last && kind != BlockKind::encoder && !convolved && !needs_all_rows(kind, layer);
      const Tensor input = config().parallel || convolved ? repeated(x, 1, context_.memory) : Tensor();
      if (!(changed && variants_.kind == BlockKind::cross))
        add_attention(weights.self, kind, layer, changed, one_row, x);
      else
        x = repeated(base_.x(BlockKind::cross, layer, context_.memory), count_, context_.memory);
      if (weights.cross)
        add_attention(*weights.cross, BlockKind::cross, layer, changed && variants_.kind == BlockKind::cross,
                      false, x);
      const Tensor read = !config().parallel         ? x
                          : x.dim(0) == input.dim(0) ? input
                                                     : picked(input, count_, row_, context_.memory);
      const Sublayer around{weights.feed_forward.norm, weights.feed_forward.output_norm, factor};
      if (changed && !variants_.feed_forward.empty())
        add_given(around, variants_.feed_forward, x);
      else
        add_sublayer(
            around, config().norm_first, read.data(), x, {},
            [&](const Tensor& y) { return feed_forward(model(), weights.feed_forward, y, context_, stop_); },
            context_);
      if (convolved) add_convolutions(*stack.convolution, input, x);
    }
    if (kind == BlockKind::encoder || x.dim(0) == count_) return x;
    return picked(x, count_, row_, context_.memory);
  }

  /// Each variant's of its own input.
  void add_convolutions(const ConvolutionWeights& weights, const Tensor& input, Tensor& x) const {
    const Index n = x.dim(0) / count_;
    for (Index i = 0; i < count_; ++i) {
      Tensor rows = context_.memory.take({n, x.dim(1)});
      std::copy_n(x.at(i * n), rows.size(), rows.data());
      add_convolution(model(), weights, input.at(i * n), n, 0, rows, context_, stop_);
      std::copy_n(rows.data(), rows.size(), x.at(i * n));
    }
  }

  bool needs_all_rows(BlockKind kind, Index layer) const {
    const auto means = [&](BlockKind block) {
      const AttentionChange& change = base_.changes().at(block, layer);
      return !change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean;
    };
    if (kind == variants_.kind && layer == variants_.layer) return true;
    return means(kind) || model().stack(kind).layers[static_cast<std::size_t>(layer)].cross.has_value();
  }

  /// x + given, with the norm of the sum if the family has one.
  void add_given(const Sublayer& around, const Tensor& given, Tensor& x) const {
    const Tensor added = x.dim(0) == given.dim(0) ? given : picked(given, count_, row_, context_.memory);
    Tensor sum = context_.memory.take(x.shape());
    as_matrix(sum) = as_matrix(std::as_const(x)) + as_matrix(added);
    x = std::move(sum);
    if (!config().norm_first) apply_norm(around.norm, x.data(), x.dim(0), context_);
  }

  void add_attention(const AttentionWeights& weights, BlockKind kind, Index layer, bool changed, bool one_row,
                     Tensor& x) {
    const Sublayer around{weights.norm, weights.output_norm, config().residual_factor};
    const bool here = changed && variants_.kind == kind;
    if (here && !variants_.attention.empty()) return add_given(around, variants_.attention, x);
    const RowsKept kept = one_row ? RowsKept{row_, x.dim(0) / count_} : RowsKept{};
    add_sublayer(
        around, config().norm_first, x.data(), x, kept,
        [&](const Tensor& y) {
          const Tensor heads = here && !variants_.context.empty() ? variants_.context
                                                                  : attend(weights, kind, layer, y, one_row);
          return multiply(weights.o, heads, context_, stop_);
        },
        context_);
  }

  /// The context of all variants [count n, heads d_k], or with `one_row` [count, heads d_k].
  Tensor attend(const AttentionWeights& weights, BlockKind kind, Index layer, const Tensor& y, bool one_row) {
    const AttentionChange& change = base_.changes().at(kind, layer);
    const Index d_k = model().stack(kind).head_dim, heads = weights.q.out / d_k,
                kv_heads = weights.k.out / d_k;
    const Index n = y.dim(0) / count_, n_q = one_row ? 1 : n;
    const std::optional<RotaryTable> turn =
        rotary_of(model(), kind, layer, base_.frequencies(kind, layer), 0, n);
    const Tensor asking = one_row ? picked(y, count_, row_, context_.memory) : y;
    const Tensor q =
        projected({weights.q, weights.q_norm, heads, change.gain_q}, turn, asking, n_q, one_row ? row_ : 0);
    Tensor k, v;
    Index key_variants = count_;
    if (kind != BlockKind::cross) {
      k = projected({weights.k, weights.k_norm, kv_heads, change.gain_k}, turn, y, n, 0);
      v = projected({weights.v, {}, kv_heads, 1}, {}, y, n, 0);
    } else if (!encoded_.empty()) {
      const Index source = encoded_.dim(0) / count_;
      k = projected({weights.k, {}, kv_heads, change.gain_k}, {}, encoded_, source, 0);
      v = projected({weights.v, {}, kv_heads, 1}, {}, encoded_, source, 0);
    } else {
      const LayerQkv known = base_.layer_qkv(kind, layer, context_, stop_);
      k = known.k;
      v = known.v;
      key_variants = 1;
    }
    const Index n_k = k.dim(1) / key_variants;
    AttentionRule rule = attention_rule(model(), kind, layer, change, n, n_k);
    rule.first_query = one_row ? row_ : 0;
    Tensor all = context_.memory.take({count_ * n_q, heads * d_k});
    for (Index i = 0; i < count_ && !stop_requested(stop_); ++i) {
      const Index keys = key_variants == 1 ? 0 : i * n_k * d_k;
      const HeadRows asked(q.data() + i * n_q * d_k, heads, n_q, d_k, q.dim(1) * d_k);
      const HeadRows read(k.data() + keys, kv_heads, n_k, d_k, k.dim(1) * d_k);
      add_positions(model(), kind, layer, asked, read, rule, context_, stop_);
      Tensor context = attend_heads(asked, read, {v.data() + keys, kv_heads, n_k, d_k, v.dim(1) * d_k}, rule,
                                    context_, stop_);
      switch_off(change, heads, context);
      std::copy_n(context.data(), context.size(), all.at(i * n_q));
    }
    return all;
  }

  struct Projection {
    const Dense& dense;
    const Norm& norm;
    Index heads;
    float gain;
  };
  /// [heads, rows, d_k] of rows y, each variant's `n` of which begin at position `first` of the text.
  Tensor projected(const Projection& to, const std::optional<RotaryTable>& turn, const Tensor& y, Index n,
                   Index first) const {
    const Index rows = y.dim(0), d_k = to.dense.out / to.heads;
    Tensor result = context_.memory.take({to.heads, rows, d_k});
    std::vector<HeadProjection> parts;
    // A table of rotations is of one text.
    const Index at_once = turn ? n : rows;
    for (Index row = 0; row < rows; row += at_once)
      parts.push_back({&to.dense, &to.norm, turn ? &*turn : nullptr, y.at(row), at_once,
                       result.data() + row * d_k, to.heads, rows * d_k, to.gain, first});
    project_heads(parts, config(), context_, stop_);
    return result;
  }

  const ModelRun& base_;
  const RunVariants& variants_;
  const Index count_, row_;
  const ComputeContext& context_;
  const std::stop_token& stop_;
  Tensor encoded_;  // [count n_source, d_model], if it is not that of the base
};

}  // namespace

std::vector<bool> rows_that_reach(const ModelRun& base, BlockKind kind, Index layer, bool of_input,
                                  Index row) {
  const Reach reach(base);
  const bool decodes = base.model().config().encoder_decoder();
  const BlockKind stack = kind == BlockKind::cross ? BlockKind::decoder : kind;
  std::vector<bool> rows((decodes ? base.input().decoder_ids : base.input().ids).size());
  rows[static_cast<std::size_t>(row)] = true;
  if (stack == BlockKind::encoder) rows = reach.of_encoded(std::move(rows));
  rows = reach.down_to(stack, layer, std::move(rows));
  return of_input ? reach.through(stack, layer, rows) : rows;
}

Tensor final_streams(const ModelRun& base, const RunVariants& variants, Index row,
                     const ComputeContext& context, const std::stop_token& stop) {
  return VariantPass(base, variants, row, context, stop).go();
}

Tensor contexts_of(const ModelRun& base, BlockKind kind, Index layer, const Tensor& x, const Tensor& encoded,
                   Index count, const ComputeContext& context, const std::stop_token& stop) {
  const RunVariants variants{kind, layer, count, {}, {}, {}, {}};
  return VariantPass(base, variants, 0, context, stop).contexts(x, encoded);
}

AddedToStream added_to_stream(const ModelRun& run, BlockKind kind, Index layer, const ComputeContext& context,
                              const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  const ModelConfig& config = model.config();
  const AttentionWeights& weights = attention_weights(model, kind, layer);
  const FeedForwardWeights& network = model.stack(kind).layers[static_cast<std::size_t>(layer)].feed_forward;
  const auto factor = static_cast<float>(config.residual_factor);
  const auto as_added = [&](const Norm& output_norm, Tensor y) {
    if (output_norm.present()) apply_norm(output_norm, y.data(), y.dim(0), context);
    if (factor != 1) as_matrix(y) *= factor;
    return y;
  };
  AddedToStream added;
  const Tensor heads = run.context(kind, layer, context, stop);
  added.attention = as_added(weights.output_norm, multiply(weights.o, heads, context, stop));
  // The network reads the stream behind attention, cross-attention included, or with both in parallel the
  // input.
  if (kind == BlockKind::decoder && config.encoder_decoder()) {
    added.feed_forward = added_to_stream(run, BlockKind::cross, layer, context, stop).feed_forward;
    return added;
  }
  const Tensor input = run.x(kind, layer, context.memory);
  Tensor x = context.memory.take(input.shape());
  as_matrix(x) = as_matrix(input) + as_matrix(std::as_const(added.attention));
  if (!config.norm_first) apply_norm(weights.norm, x.data(), x.dim(0), context);
  const Tensor& read = config.parallel ? input : x;
  const bool normed_first = config.norm_first && network.norm.present();
  added.feed_forward =
      as_added(network.output_norm,
               feed_forward(model, network,
                            normed_first ? normed(network.norm, read.data(), read.dim(0), context) : read,
                            context, stop));
  return added;
}

}  // namespace headscope

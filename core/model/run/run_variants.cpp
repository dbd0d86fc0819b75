#include "core/model/run/run_variants.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/layer_walk.h"
#include "core/model/layer/state_mixer.h"

namespace headscope {
namespace {

Tensor repeated(const Tensor& rows, Index count, BufferPool& memory) {
  const Index n = rows.dim(0);
  Tensor all = memory.take({count * n, rows.dim(1)});
  for (Index i = 0; i < count; ++i) std::copy_n(rows.data(), rows.size(), all.at(i * n));
  return all;
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
    const ModelConfig& config = base_.model().config();
    if (stack == BlockKind::self && (!config.has_attention(layer) || config.mixer_beside))
      std::fill(std::find(read.rbegin(), read.rend(), true), read.rend(), true);  // a state has all before
    else
      add_seen(stack, layer, rows, read);
    const bool mixed =
        mixes(stack, layer) || (stack == BlockKind::decoder && base_.model().config().encoder_decoder() &&
                                mixes(BlockKind::cross, layer));
    return mixed ? std::vector<bool>(rows.size(), true) : read;
  }

 private:
  /// Whether rows meet otherwise than by what queries see.
  bool mixes(BlockKind kind, Index layer) const {
    return base_.changes().at(kind, layer).mixes_rows() ||
           (kind != BlockKind::cross && layer == 0 && base_.model().stack(kind).convolution);
  }
  void add_seen(BlockKind kind, Index layer, const std::vector<bool>& queries,
                std::vector<bool>& keys) const {
    const Index n_k = keys.size();
    const LayerAttention attention(base_.model(), kind, layer, base_.changes().at(kind, layer),
                                   base_.input());
    const AttentionRule rule = attention.rule(0, std::ssize(queries), n_k);
    for (Index query = 0; query < std::ssize(queries); ++query) {
      if (!queries[query]) continue;
      const AttentionRule::Keys seen = rule.keys(query, n_k);
      for (Index key = seen.begin; key < seen.end; ++key)
        if (!hidden(rule, attention.heads(), query, key)) keys[key] = true;
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
class VariantPass : LayerWalk {
 public:
  VariantPass(const ModelRun& base, const RunVariants& variants, Index row, const ComputeContext& context,
              const std::stop_token& stop)
      : LayerWalk(base.model(), context, stop),
        base_(base),
        variants_(variants),
        count_(variants.count),
        row_(row) {}

  Tensor go() {
    const BlockKind stack = stack_of(variants_.kind);
    Tensor x = variants_.x.empty() ? of_base(variants_.kind, variants_.layer) : variants_.x;
    // A state beside attention reads the layer's input, which attention reads, too.
    const BlockKind begin = variants_.kind == BlockKind::state ? stack : variants_.kind;
    x = run_layers(stack, std::move(x), variants_.layer, begin);
    if (stack != BlockKind::encoder) return x.dim(0) == count_ ? x : kept_rows(x);
    encoded_ = std::move(x);
    if (const Norm& last = model().encoder().last_norm; last.present())
      encoded_ = normed(last, encoded_.data(), encoded_.dim(0), context_);
    return kept_rows(run_layers(BlockKind::decoder, of_base(BlockKind::decoder, 0), 0, BlockKind::decoder));
  }

  Tensor contexts(const Tensor& x, const Tensor& encoded) {
    encoded_ = encoded;
    const Sublayer sublayer = attention_sublayer(model(), variants_.kind, variants_.layer);
    const Norm* const norm = sublayer.input_norm;
    const Tensor y = norm ? normed(*norm, x.data(), x.dim(0), context_) : x;
    return sublayer.part == Sublayer::Part::mixer ? mixed(sublayer, y) : attend(sublayer, y, false);
  }

 private:
  /// What an attention of the base reads, once for each variant.
  Tensor of_base(BlockKind kind, Index layer) const {
    return repeated(base_.x(kind, layer, context_.memory), count_, context_.memory);
  }

  /// From the attention `begin` of layer `first` on, whose input is x.
  Tensor run_layers(BlockKind stack, Tensor x, Index first, BlockKind begin) {
    if (config().alt_up) return run_streams(stack, x, first);
    for (Index layer = first; layer < model().stack(stack).size.layers && !stop_requested(stop_); ++layer) {
      const std::vector<Sublayer> all = layer_sublayers(model(), stack, layer);
      const auto from = layer == first ? std::ranges::find(all, begin, &Sublayer::kind) : all.begin();
      x = walk({from, all.end()}, std::move(x));
    }
    return x;
  }

  /// The same of AltUp; `active` is what the first layer reads.
  Tensor run_streams(BlockKind stack, const Tensor& active, Index first) {
    Streams streams = base_.streams(first, 0, active.dim(0) / count_, context_.memory);
    for (Tensor& stream : streams) stream = repeated(stream, count_, context_.memory);
    for (Index layer = first; layer < model().stack(stack).size.layers && !stop_requested(stop_); ++layer)
      streams = walk_layer(stack, layer, std::move(streams), layer == first ? &active : nullptr);
    return merged(model(), streams, context_, stop_);
  }

  bool is_changed(const Sublayer& sublayer) const {
    const bool of_heads = sublayer.is_heads_of(sublayer.kind, sublayer.layer);
    return sublayer.layer == variants_.layer &&
           sublayer.kind == (of_heads ? variants_.kind : stack_of(variants_.kind));
  }

  Tensor added(const Sublayer& sublayer, const Tensor& read) override {
    const Tensor* const given = sublayer.is_heads_of(sublayer.kind, sublayer.layer) ? &variants_.attention
                                : sublayer.part == Sublayer::Part::feed_forward     ? &variants_.feed_forward
                                                                                    : nullptr;
    const bool is_given = given != nullptr && !given->empty() && is_changed(sublayer);
    return is_given ? *given : LayerWalk::added(sublayer, read);
  }

  /// Keys and values that later layers read, too.
  void reach(const Sublayer& sublayer, const Tensor& x) override {
    const std::vector<Index>& keys_of = model().stack(sublayer.kind).size.keys_of;
    if (sublayer.part != Sublayer::Part::attention || std::ranges::count(keys_of, sublayer.layer) < 2) return;
    const Norm* const norm = sublayer.input_norm;
    keys_[sublayer.layer] = keys_and_values(sublayer, norm ? normed(*norm, x.data(), x.dim(0), context_) : x);
  }

  Tensor own_of_tokens(Index layer, Index rows) override {
    std::vector<Index> of_one(rows / count_, row_);
    if (rows / count_ == std::ssize(base_.input().ids)) std::iota(of_one.begin(), of_one.end(), 0);
    return repeated(layer_embedding(model(), base_.input(), layer, of_one, context_, stop_), count_,
                    context_.memory);
  }

  Tensor attend(const Sublayer& sublayer, const Tensor& y) override {
    if (is_changed(sublayer) && !variants_.context.empty()) return variants_.context;
    return attend(sublayer, y, row_is_enough(sublayer));
  }

  /// Each variant's of its own input; where a row is enough, of that.
  Tensor mixed(const Sublayer& sublayer, const Tensor& y) override {
    if (is_changed(sublayer) && !variants_.context.empty()) return variants_.context;
    const Index n = y.dim(0) / count_, layer = sublayer.layer;
    Tensor all;
    for (Index i = 0; i < count_ && !stop_requested(stop_); ++i) {
      Tensor one = context_.memory.take({n, y.dim(1)});
      std::copy_n(y.at(i * n), one.size(), one.data());
      const Tensor given =
          mixed_rows(model(), layer, one, base_.changes().at(sublayer.kind, layer), context_, stop_);
      if (all.empty()) all = context_.memory.take({count_ * n, given.dim(1)});
      std::copy_n(given.data(), given.size(), all.at(i * n));
    }
    return all;
  }

  /// Each variant's of its own input.
  Tensor convolved(const ConvolutionWeights& weights, const Tensor& input) override {
    const Index n = input.dim(0) / count_;
    Tensor all = context_.memory.take(input.shape());
    for (Index i = 0; i < count_; ++i) {
      const Tensor given = convolution(model(), weights, input.at(i * n), n, 0, n, context_, stop_);
      std::copy_n(given.data(), given.size(), all.at(i * n));
    }
    return all;
  }

  /// The requested row of each variant.
  Tensor kept_rows(const Tensor& x) override {
    const Index n = x.dim(0) / count_;
    std::vector<Index> rows;
    for (Index i = 0; i < count_; ++i) rows.push_back(i * n + row_);
    return picked(x, rows, context_.memory);
  }

  /// Of the last layer of all, unless all are needed: for a mean over the positions, or for a later product.
  bool row_is_enough(const Sublayer& sublayer) const {
    const TransformerStack& stack = model().stack(sublayer.kind);
    return sublayer.layer + 1 == stack.size.layers && sublayer.kind != BlockKind::encoder &&
           !config().mixer_beside && !is_changed(sublayer) &&
           !base_.changes().at(sublayer.kind, sublayer.layer).mixes_rows() &&
           !(sublayer.layer == 0 && stack.convolution) && !stack.layers.back().cross;
  }

  /// The context of all variants [count n, heads d_k], or with `one_row` [count, heads d_k].
  Tensor attend(const Sublayer& sublayer, const Tensor& y, bool one_row) {
    const BlockKind kind = sublayer.kind;
    const Index layer = sublayer.layer;
    const LayerAttention attention(model(), kind, layer, base_.changes().at(kind, layer), base_.input());
    const Index d_k = attention.d_k(), d_v = attention.d_v(), heads = attention.heads(),
                kv_heads = attention.kv_heads();
    const Index n = y.dim(0) / count_, n_q = one_row ? 1 : n, first = one_row ? row_ : 0;
    const std::optional<RotaryTable> turn = turn_of(sublayer, n);
    const Tensor asking = one_row ? kept_rows(y) : y;
    Tensor q = projected(attention.q(turn ? &*turn : nullptr), asking, n_q, first);
    Tensor k, v;
    const Index from = model().stack(kind).size.keys_from(layer);
    const auto shared = from == layer ? keys_.end() : keys_.find(from);
    const bool known =
        (kind == BlockKind::cross && encoded_.empty()) || (from != layer && shared == keys_.end());
    if (shared != keys_.end()) {
      std::tie(k, v) = shared->second;
    } else if (known) {
      const LayerQkv of_base = base_.layer_qkv(kind, layer, context_, stop_);
      k = of_base.k;
      v = of_base.v;
    } else {
      std::tie(k, v) = keys_and_values(sublayer, kind == BlockKind::cross ? encoded_ : y);
    }
    const Index n_k = k.dim(1) / (known ? 1 : count_);
    AttentionRule rule = attention.rule(first, n, n_k);
    Tensor all = context_.memory.take({count_ * n_q, heads * d_v});
    for (Index i = 0; i < count_ && !stop_requested(stop_); ++i) {
      const Index keys = known ? 0 : i * n_k;
      float* const of_variant = q.data() + i * n_q * d_k;
      if (kind != BlockKind::cross)
        attention.add_own_keys({asking.at(i * n_q), n_q}, first, {y.at(i * n), n}, of_variant, q.dim(1) * d_k,
                               rule, context_, stop_);
      const HeadRows asked(of_variant, heads, n_q, d_k, q.dim(1) * d_k);
      const HeadRows read(k.data() + keys * d_k, kv_heads, n_k, d_k, k.dim(1) * d_k);
      attention.add_positions(asked, read, rule, context_, stop_);
      const HeadRows values(v.data() + keys * d_v, kv_heads, n_k, d_v, v.dim(1) * d_v);
      const Tensor gate = attention.gate(asking.at(i * n_q), n_q, context_, stop_);
      const Tensor context = attention.contexts(asked, read, values, rule, gate, context_, stop_);
      std::copy_n(context.data(), context.size(), all.at(i * n_q));
    }
    return all;
  }

  std::optional<RotaryTable> turn_of(const Sublayer& sublayer, Index n) const {
    return rotary_of(model(), base_.input(), sublayer.kind, sublayer.layer,
                     base_.frequencies(sublayer.kind, sublayer.layer), 0, n);
  }

  /// Of rows y of all variants.
  std::pair<Tensor, Tensor> keys_and_values(const Sublayer& sublayer, const Tensor& y) const {
    const LayerAttention attention(model(), sublayer.kind, sublayer.layer,
                                   base_.changes().at(sublayer.kind, sublayer.layer), base_.input());
    const Index n = y.dim(0) / count_;
    const std::optional<RotaryTable> turn = turn_of(sublayer, n);
    return {projected(attention.k(turn ? &*turn : nullptr), y, n, 0), projected(attention.v(), y, n, 0)};
  }

  /// [heads, rows, d_k] of rows y, each variant's `n` of which begin at position `first` of the text.
  Tensor projected(const HeadProjection& to, const Tensor& y, Index n, Index first) const {
    const Index rows = y.dim(0), d_k = to.width();
    Tensor result = context_.memory.take({to.heads, rows, d_k});
    std::vector<HeadProjection> parts;
    // A table of rotations is of one text.
    const Index at_once = to.turn != nullptr ? n : rows;
    for (Index row = 0; row < rows; row += at_once)
      parts.push_back(to.of({y.at(row), at_once, first}, result.data() + row * d_k, rows * d_k));
    project_heads(parts, config(), context_, stop_);
    return result;
  }

  const ModelRun& base_;
  const RunVariants& variants_;
  const Index count_, row_;
  Tensor encoded_;  // [count n_source, d_model], if it is not that of the base
  std::map<Index, std::pair<Tensor, Tensor>> keys_;  // by the layer whose others read
};

}  // namespace

std::vector<bool> rows_that_reach(const ModelRun& base, BlockKind kind, Index layer, bool of_input,
                                  Index row) {
  const Reach reach(base);
  const bool decodes = base.model().config().encoder_decoder();
  const BlockKind stack = stack_of(kind);
  std::vector<bool> rows((decodes ? base.input().decoder_ids : base.input().ids).size());
  rows[row] = true;
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

}  // namespace headscope

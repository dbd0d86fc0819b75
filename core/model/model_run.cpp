#include "core/model/model_run.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/layer_parts.h"
#include "core/model/layer_walk.h"
#include "core/model/text_embedding.h"

namespace headscope {
namespace {

// Spare rows of a causal text for tokens that are typed or generated.
constexpr Index spare_rows = 64;

}  // namespace

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

const std::vector<double>& ModelRun::frequencies(BlockKind kind, Index layer) const {
  static const std::vector<double> none;
  return rope_of(*model_, kind, layer) == nullptr ? none : kept(kind).frequencies[rope_number(layer)];
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
  const std::optional<RotaryTable> turn = rotary_of(*model_, kind, layer, frequencies(kind, layer), 0, n);
  Tensor y = x(kind, layer, context.memory);
  if (model_->config().norm_first && weights.norm.present()) y = normed(weights.norm, y.data(), n, context);

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
  project_heads(projections, model_->config(), context, stop);
  add_positions(*model_, kind, layer, HeadRows(result.q), HeadRows(result.k), result.rule, context, stop);
  return result;
}

Tensor ModelRun::context(BlockKind kind, Index layer, const ComputeContext& compute,
                         const std::stop_token& stop) const {
  const LayerQkv qkv = layer_qkv(kind, layer, compute, stop);
  Tensor context = attend_heads(HeadRows(qkv.q), HeadRows(qkv.k), HeadRows(qkv.v), qkv.rule, compute, stop);
  switch_off(changes_.at(kind, layer), qkv.q.dim(0), context);
  return context;
}

Tensor ModelRun::context_row(BlockKind kind, Index layer, Index row, const ComputeContext& compute,
                             const std::stop_token& stop) const {
  const Kept& stack = kept(kind);
  const auto at = static_cast<std::size_t>(layer);
  const AttentionWeights& weights = attention_weights(*model_, kind, layer);
  const AttentionChange& change = changes_.at(kind, layer);
  const Index d_k = model_->stack(kind).head_dim, heads = weights.q.out / d_k;
  const bool mean = !change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean;
  const bool cross = kind == BlockKind::cross;
  if (mean || (!cross && stack.k.empty())) {
    const Tensor all = context(kind, layer, compute, stop);
    Tensor result = compute.memory.take({1, heads * d_k});
    std::copy_n(all.at(row), result.size(), result.data());
    return result;
  }
  const Tensor x_of_all = x(kind, layer, compute.memory);
  const Index d = x_of_all.dim(1);
  Tensor y = compute.memory.take({1, d});
  std::copy_n(x_of_all.at(row), d, y.data());
  if (model_->config().norm_first && weights.norm.present())
    apply_norm(weights.norm, y.data(), compute.kernels);
  const std::optional<RotaryTable> turn =
      rotary_of(*model_, kind, layer, frequencies(kind, layer), row, row + 1);
  Tensor q = compute.memory.take({heads, 1, d_k});
  const HeadProjection projection{
      &weights.q, &weights.q_norm, turn ? &*turn : nullptr, y.data(), 1, q.data(), heads, d_k, change.gain_q};
  project_heads({&projection, 1}, model_->config(), compute, stop);
  const auto rows_of = [&](const RowStore& store) {
    return HeadRows(store.at(0), store.parts(), stack.n, d_k, store.stride());
  };
  const HeadRows k = cross ? HeadRows(stack.cross_k[at]) : rows_of(stack.k[at]);
  const HeadRows v = cross ? HeadRows(stack.cross_v[at]) : rows_of(stack.v[at]);
  AttentionRule rule = attention_rule(*model_, kind, layer, change, stack.n, k.n);
  rule.first_query = row;
  Tensor result = attend_heads(HeadRows(q), k, v, rule, compute, stop);
  switch_off(change, heads, result);
  return result;
}

Tensor ModelRun::logits(Index begin, Index end, const ComputeContext& context,
                        const std::stop_token& stop) const {
  assert(begin >= first_row_);
  return logits_of(body_.stream, begin, end, context, stop);
}

Tensor ModelRun::logits_after(Index layer, Index begin, Index end, const ComputeContext& context,
                              const std::stop_token& stop) const {
  return logits_of(body_.x[static_cast<std::size_t>(layer + 1)], begin, end, context, stop);
}

Tensor ModelRun::logits_of(const RowStore& stream, Index begin, Index end, const ComputeContext& context,
                           const std::stop_token& stop) const {
  const auto rows = model_->text_rows(input_.ids);
  if (!rows || !model_->head()) return model_->logits(stream.at(0, begin), end - begin, context, stop);
  const Tensor of_text = model_->logits(stream.at(0, rows->first), rows->second - rows->first, context, stop);
  Tensor logits = context.memory.take({end - begin, model_->outputs()});
  as_matrix(logits).rowwise() = as_matrix(of_text).row(0);
  return logits;
}

/// One forward pass through a model, which fills a ModelRun.
class ModelPass : LayerWalk {
 public:
  ModelPass(std::shared_ptr<const LanguageModel> model, ModelRequest request, const ComputeContext& context)
      : LayerWalk(*model, context, request.stop),
        request_(std::move(request)),
        run_(std::make_shared<ModelRun>()) {
    run_->model_ = std::move(model);
    run_->input_ = std::move(request_.input);
    run_->changes_ = std::move(request_.changes);
    if (request_.previous && request_.previous->model_ != run_->model_) request_.previous.reset();
  }

  std::shared_ptr<const ModelRun> go() {
    const ModelInput& input = run_->input_;
    if (!config().encoder_decoder()) {
      run_->body_ = run_stack(BlockKind::self, input.ids, reusable(BlockKind::self, input.ids));
      return stopped() ? nullptr : run_;
    }
    if (same_source()) {
      run_->encoder_ = request_.previous->encoder_;
      run_->encoded_ = request_.previous->encoded_;
    } else {
      request_.previous.reset();
      run_->encoder_ = run_stack(BlockKind::encoder, input.ids, 0);
      if (stopped()) return nullptr;
      run_->encoded_ = encoded(run_->encoder_);
    }
    run_->body_ =
        run_stack(BlockKind::decoder, input.decoder_ids, reusable(BlockKind::decoder, input.decoder_ids));
    return stopped() ? nullptr : run_;
  }

 private:
  using Kept = ModelRun::Kept;
  bool stopped() const { return stop_requested(stop_); }

  // Whether the encoder's part of the previous run is still valid.
  bool same_source() const {
    if (!request_.previous || request_.previous->input_.ids != run_->input_.ids) return false;
    for (Index layer = 0; layer < config().encoder.layers; ++layer)
      if (request_.previous->changes_.at(BlockKind::encoder, layer) !=
          run_->changes_.at(BlockKind::encoder, layer))
        return false;
    return true;
  }

  // How many rows of the previous run are still valid: tokens before the first difference, for a causal text
  // with unchanged attention. Also checks rotary frequencies that depend on the length.
  Index reusable(BlockKind kind, const std::vector<Index>& ids) const {
    const bool causal = kind == BlockKind::decoder || config().causal;
    const ModelRun* previous = request_.previous.get();
    if (!causal || previous == nullptr) return 0;
    if (!run_->changes_.same_for_a_prefix(previous->changes_, kind)) return 0;
    if (kind == BlockKind::decoder && !run_->changes_.same_for_a_prefix(previous->changes_, BlockKind::cross))
      return 0;
    if (previous->body_.frequencies != frequencies(std::ssize(ids))) return 0;
    const std::vector<Index>& before =
        kind == BlockKind::decoder ? previous->input_.decoder_ids : previous->input_.ids;
    return std::ranges::mismatch(ids, before).in1 - ids.begin();
  }

  ModelRun::Frequencies frequencies(Index n) const {
    const auto of = [&](const std::optional<Rope>& rope) {
      return rope ? rotary_frequencies(*rope, config().head_dim, n) : std::vector<double>();
    };
    return {of(config().rope), of(config().local_rope)};
  }

  void check(const std::vector<Index>& ids, Index vocabulary) const {
    if (ids.empty()) throw input_error("a model needs at least one token");
    for (const Index id : ids)
      if (id < 0 || id >= vocabulary)
        throw input_error("token id {} is outside of the model's vocabulary of {}", id, vocabulary);
  }

  // From the embedding's width to d_model, if they differ.
  Tensor projected(const Tensor& x) const {
    const std::optional<Dense>& project = model().project_in();
    return project ? multiply(*project, x, context_, stop_) : x;
  }

  // Rows [first, n) of the embedding, then its norm.
  Tensor embed(BlockKind kind, const std::vector<Index>& ids, Index first) const {
    Tensor x = run_->input_.pixels ? embed_picture(*config().picture, *model().picture(),
                                                   *run_->input_.pixels, context_, stop_)
                                   : embedding_terms(model(), kind == BlockKind::decoder, run_->input_, first,
                                                     std::ssize(ids), context_, stop_)
                                         .sum(context_);
    if (const Norm& norm = model().stack(kind).first_norm; norm.present())
      apply_norm(norm, x.data(), x.dim(0), context_);
    return config().project_last ? projected(x) : x;
  }

  // The encoder's last output, as read by cross-attention.
  Tensor encoded(const Kept& kept) const {
    const Norm& last = model().encoder().last_norm;
    return last.present() ? normed(last, kept.stream.at(0), kept.n, context_)
                          : kept.stream.tensor(context_.memory, false);
  }

  /// Runs the layers of one stack, whose rows before `first` are taken from the previous run.
  Kept run_stack(BlockKind kind, const std::vector<Index>& ids, Index first) {
    if (!run_->input_.pixels) check(ids, model().words(kind == BlockKind::decoder).rows);
    const Index n = std::ssize(ids), layers = model().stack(kind).size.layers;
    if (kind != BlockKind::encoder) run_->reused_ = first;
    kept_ = first > 0 ? extended(request_.previous->body_, first, n) : fresh(kind, n);
    kept_.n = n;
    kept_.frequencies = frequencies(n);
    if (first == n) return std::move(kept_);
    const std::array<const std::optional<Rope>*, 2> ropes{&config().rope, &config().local_rope};
    for (std::size_t i = 0; i < ropes.size(); ++i)
      if (*ropes[i]) turns_[i] = rotary_table(**ropes[i], kept_.frequencies[i], first, n);
    first_ = first;
    Tensor x = embed(kind, ids, first);
    for (Index layer = 0; layer < layers && !stopped(); ++layer) {
      x = walk(layer_sublayers(model(), kind, layer), x);
      if (request_.progress) request_.progress(++done_, config().encoder.layers + config().decoder.layers);
    }
    keep(x, kept_.stream);
    if (kind != BlockKind::encoder)
      run_->first_row_ = first_ > first ? first_
                         : first > 0    ? std::min(first, request_.previous->first_row_)
                                        : 0;
    return std::move(kept_);
  }

  void reach(const Sublayer& sublayer, const Tensor& x) override {
    if (sublayer.part != Sublayer::Part::attention) return;
    auto& inputs = sublayer.kind == BlockKind::cross ? kept_.cross_x : kept_.x;
    keep(x, inputs[static_cast<std::size_t>(sublayer.layer)]);
  }

  Tensor attend(const Sublayer& sublayer, const Tensor& y) override {
    if (sublayer.kind == BlockKind::cross) return attend_across(sublayer.layer, y);
    const Index left_out = rows_left_out(sublayer.kind, sublayer.layer, y.dim(0));
    Tensor context = attend_within(sublayer.kind, sublayer.layer, y, left_out);
    first_ += left_out;
    return context;
  }

  // The last one, if the others were left out.
  Tensor kept_rows(const Tensor& x) override {
    const Index last = x.dim(0) - 1;
    return picked(x, {&last, 1}, context_.memory);
  }

  // How many rows need no query: all but the last in the last layer, if only the last row is needed.
  Index rows_left_out(BlockKind kind, Index layer, Index rows) const {
    const AttentionChange& change = run_->changes_.at(kind, layer);
    const bool mean = !change.ablated_heads.empty() && change.off_by == AttentionChange::AblatedHeads::mean;
    const bool last = kind == BlockKind::self && layer + 1 == model().stack(kind).size.layers;
    return request_.last_alone && last && !mean ? rows - 1 : 0;
  }

  // Computes keys and values of all rows of y, and queries without the first `left_out` rows.
  Tensor attend_within(BlockKind kind, Index layer, const Tensor& y, Index left_out) const {
    const AttentionWeights& weights = attention_weights(model(), kind, layer);
    const AttentionChange& change = run_->changes_.at(kind, layer);
    const Index d_k = model().stack(kind).head_dim, heads = weights.q.out / d_k, rows = y.dim(0);
    const Index requested = rows - left_out;
    Tensor q = context_.memory.take({heads, requested, d_k});
    const bool causal = !kept_.k.empty();
    RowStore k =
        causal ? kept_.k[static_cast<std::size_t>(layer)] : heads_store(weights.k.out / d_k, kept_.n, d_k);
    RowStore v =
        causal ? kept_.v[static_cast<std::size_t>(layer)] : heads_store(weights.v.out / d_k, kept_.n, d_k);
    const std::optional<RotaryTable>& table = turns_[run_->rope_number(layer)];
    const RotaryTable* turn = table && rope_of(model(), kind, layer) != nullptr ? &*table : nullptr;
    const std::array<HeadProjection, 3> projections{
        {{&weights.q, &weights.q_norm, turn, y.at(left_out), requested, q.data(), heads, requested * d_k,
          change.gain_q, left_out},
         {&weights.k, &weights.k_norm, turn, y.data(), rows, k.at(0, first_), k.parts(), k.stride(),
          change.gain_k},
         {&weights.v, nullptr, nullptr, y.data(), rows, v.at(0, first_), v.parts(), v.stride(), 1}}};
    project_heads(projections, config(), context_, stop_);
    AttentionRule rule = attention_rule(model(), kind, layer, change, kept_.n, kept_.n);
    rule.first_query = first_ + left_out;
    const HeadRows keys(k.at(0), k.parts(), k.rows(), d_k, k.stride());
    add_positions(model(), kind, layer, HeadRows(q), keys, rule, context_, stop_);
    return contexts(rule, change, q, keys, {v.at(0), v.parts(), v.rows(), d_k, v.stride()});
  }

  Tensor attend_across(Index layer, const Tensor& y) {
    const AttentionWeights& weights = attention_weights(model(), BlockKind::cross, layer);
    const AttentionChange& change = run_->changes_.at(BlockKind::cross, layer);
    const Index d_k = model().decoder().head_dim, heads = weights.q.out / d_k, rows = y.dim(0);
    Tensor q = context_.memory.take({heads, rows, d_k});
    std::vector<HeadProjection> projections{
        {&weights.q, nullptr, nullptr, y.data(), rows, q.data(), heads, rows * d_k, change.gain_q}};
    Tensor &k = kept_.cross_k[static_cast<std::size_t>(layer)],
           &v = kept_.cross_v[static_cast<std::size_t>(layer)];
    if (k.empty()) {
      const Index n = run_->encoded_.dim(0);
      k = context_.memory.take({heads, n, d_k});
      v = context_.memory.take({heads, n, d_k});
      const float* source = run_->encoded_.data();
      projections.push_back(
          {&weights.k, nullptr, nullptr, source, n, k.data(), heads, n * d_k, change.gain_k});
      projections.push_back({&weights.v, nullptr, nullptr, source, n, v.data(), heads, n * d_k, 1});
    }
    project_heads(projections, config(), context_, stop_);
    AttentionRule rule = attention_rule(model(), BlockKind::cross, layer, change, kept_.n, k.dim(1));
    rule.first_query = first_;
    return contexts(rule, change, q, HeadRows(k), HeadRows(v));
  }

  // softmax(...) V with ablated heads.
  Tensor contexts(const AttentionRule& rule, const AttentionChange& change, const Tensor& q,
                  const HeadRows& k, const HeadRows& v) const {
    Tensor context = attend_heads(HeadRows(q), k, v, rule, context_, stop_);
    switch_off(change, q.dim(0), context);
    return context;
  }

  void keep(const Tensor& x, RowStore& store) const {
    float* const to = store.at(0, first_);
    in_parts(x.size(), context_,
             [&](Index begin, Index count) noexcept { std::copy_n(x.data() + begin, count, to + begin); });
  }

  RowStore heads_store(Index heads, Index n, Index d_k) const { return {heads, n, d_k, context_.memory}; }

  // Storage for n rows.
  Kept fresh(BlockKind kind, Index n) const {
    const LayerStack& size = model().stack(kind).size;
    const Index d_k = model().stack(kind).head_dim;
    const bool causal = kind == BlockKind::decoder || (kind == BlockKind::self && config().causal);
    const Index spare = causal ? spare_rows : 0;
    Kept kept;
    for (Index layer = 0; layer < size.layers; ++layer) {
      kept.x.emplace_back(1, n, config().d_model, context_.memory, spare);
      if (causal) {
        kept.k.emplace_back(size.kv_heads, n, d_k, context_.memory, spare);
        kept.v.emplace_back(size.kv_heads, n, d_k, context_.memory, spare);
      }
      if (kind == BlockKind::decoder)
        kept.cross_x.emplace_back(1, n, config().d_model, context_.memory, spare);
    }
    if (kind == BlockKind::decoder) {
      kept.cross_k.resize(static_cast<std::size_t>(size.layers));
      kept.cross_v.resize(static_cast<std::size_t>(size.layers));
    }
    kept.stream = RowStore(1, n, config().d_model, context_.memory, spare);
    return kept;
  }

  // The first rows kept before, with room for up to n.
  Kept extended(const Kept& before, Index first, Index n) const {
    Kept kept = before;
    for (std::vector<RowStore>* stores : {&kept.x, &kept.cross_x, &kept.k, &kept.v})
      for (RowStore& store : *stores) store = store.extended(first, n, context_.memory);
    kept.stream = before.stream.extended(first, n, context_.memory);
    return kept;
  }

  ModelRequest request_;
  std::shared_ptr<ModelRun> run_;
  Kept kept_;                                        // of the stack that is run
  std::array<std::optional<RotaryTable>, 2> turns_;  // of `rope` and `local_rope`, for the computed rows
  Index first_ = 0;                                  // of them
  Index done_ = 0;                                   // layers done
};

std::shared_ptr<const ModelRun> ModelRun::run(std::shared_ptr<const LanguageModel> model,
                                              ModelRequest request, const ComputeContext& context) {
  auto run = ModelPass(model, std::move(request), context).go();
  model->files().check_whole();
  return run;
}

}  // namespace headscope

#include "core/model/run/model_run.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/layer_walk.h"
#include "core/model/layer/pooled_rows.h"
#include "core/model/layer/state_mixer.h"
#include "core/model/layer/text_embedding.h"

namespace headscope {
namespace {

// Spare rows of a causal text for tokens that are typed or generated.
constexpr Index spare_rows = 64;

Tensor rows_of(const RowStore& store, Index part, Index begin, Index end, BufferPool& memory) {
  Tensor rows = memory.take({end - begin, store.width()});
  std::copy_n(store.at(part, begin), rows.size(), rows.data());
  return rows;
}

}  // namespace

const ModelRun::Kept& ModelRun::kept(BlockKind kind) const {
  return kind == BlockKind::encoder ? encoder_ : body_;
}

const std::vector<double>& ModelRun::frequencies(BlockKind kind, Index layer) const {
  static const std::vector<double> none;
  return rope_of(*model_, kind, layer) == nullptr ? none : kept(kind).frequencies[rope_number(layer)];
}

Tensor ModelRun::x(BlockKind kind, Index layer, BufferPool& memory) const {
  return kept(kind).of(kind).x[layer].tensor(memory, false);
}

const RowStore* ModelRun::other_keys(BlockKind kind, Index layer) const {
  const auto& funnel = model_->config().funnel;
  return funnel && funnel->queries_alone && funnel->pools(layer) ? &kept(kind).before[layer] : nullptr;
}

Tensor ModelRun::key_x(Index layer, BufferPool& memory) const {
  const RowStore* const other = other_keys(BlockKind::self, layer);
  return other != nullptr ? other->tensor(memory, false) : Tensor();
}

Tensor ModelRun::rows_before(Index layer, BufferPool& memory) const {
  if (body_.before.empty() || body_.before[layer].empty()) return {};
  return body_.before[layer].tensor(memory, false);
}

Tensor ModelRun::stream(BlockKind kind, BufferPool& memory) const {
  return kept(kind).stream.tensor(memory, false);
}

LayerHeads ModelRun::heads(BlockKind kind, Index layer, Index first, Index count,
                           const ComputeContext& context, const std::stop_token& stop) const {
  const Kept& stack = kept(kind);
  const KeptAttention& of = stack.of(kind);
  const std::size_t at = layer, from = model_->stack(kind).size.keys_from(layer);
  const LayerAttention attention(*model_, kind, layer, changes_.at(kind, layer), input_);
  LayerHeads result{{}, of.k[from], of.v[from], {}};
  // Without keys all rows are needed.
  const bool all = result.k.empty();
  const Index n_q = of.x[at].rows(), begin = all ? 0 : first, n = all ? n_q : count;
  const float* y = of.x[at].at(0, begin);
  Tensor normed_rows;
  if (const Norm* const norm = attention_sublayer(*model_, kind, layer).input_norm) {
    normed_rows = normed(*norm, y, n, context);
    y = normed_rows.data();
  }
  const auto turn = rotary_of(*model_, input_, kind, layer, frequencies(kind, layer), begin, begin + n);
  ReadRows of_keys{y, all ? n : 0};
  if (const RowStore* const other = other_keys(kind, layer)) of_keys = {other->at(0), other->rows()};
  attention.read(turn ? &*turn : nullptr, {y + (first - begin) * of.x[at].width(), count, first - begin},
                 of_keys, {first, n_q, 0, all ? of_keys.n : n}, result, context, stop);
  return result;
}

LayerQkv ModelRun::layer_qkv(BlockKind kind, Index layer, const ComputeContext& context,
                             const std::stop_token& stop) const {
  LayerHeads all = heads(kind, layer, 0, rows(kind, layer), context, stop);
  return {all.q, all.k.tensor(context.memory), all.v.tensor(context.memory), std::move(all.rule),
          std::move(all.gate)};
}

Tensor ModelRun::contexts(BlockKind kind, Index layer, Index first, Index count,
                          const ComputeContext& compute, const std::stop_token& stop) const {
  return LayerAttention(*model_, kind, layer, changes_.at(kind, layer), input_)
      .contexts(heads(kind, layer, first, count, compute, stop), compute, stop);
}

Tensor ModelRun::context(BlockKind kind, Index layer, const ComputeContext& compute,
                         const std::stop_token& stop) const {
  if (!has_attention(kind, layer)) return mixed(layer, compute, stop);
  return contexts(kind, layer, 0, rows(kind, layer), compute, stop);
}

Tensor ModelRun::mixer_input(Index layer, const ComputeContext& context) const {
  const MixerWeights& weights = *model_->stack(BlockKind::self).layers[layer].mixer;
  return normed(weights.norm, body_.own.x[layer].at(0), body_.n, context);
}

std::shared_ptr<const StateHeads> ModelRun::state_heads(Index layer, const ComputeContext& context,
                                                        const std::stop_token& stop) const {
  const auto& mixer = model_->stack(BlockKind::self).layers[layer].mixer;
  if (!mixer || model_->config().state_mixer->kind == Mixer::short_convolution) return nullptr;
  return std::make_shared<const StateHeads>(*model_, layer, mixer_input(layer, context), context, stop);
}

Tensor ModelRun::mixed(Index layer, const ComputeContext& context, const std::stop_token& stop) const {
  const BlockKind kind = model_->config().mixer_beside ? BlockKind::state : BlockKind::self;
  return mixed_rows(*model_, layer, mixer_input(layer, context), changes_.at(kind, layer), context, stop);
}

Tensor ModelRun::context_row(BlockKind kind, Index layer, Index row, const ComputeContext& compute,
                             const std::stop_token& stop) const {
  if (has_attention(kind, layer) && !changes_.at(kind, layer).mixes_rows())
    return contexts(kind, layer, row, 1, compute, stop);
  return picked(context(kind, layer, compute, stop), {&row, 1}, compute.memory);
}

Tensor ModelRun::logits(Index begin, Index end, const ComputeContext& context,
                        const std::stop_token& stop) const {
  assert(begin >= first_row_);
  return logits_of(
      [&](Index first, Index last) { return rows_of(body_.stream, 0, first, last, context.memory); }, begin,
      end, context, stop);
}

Tensor ModelRun::logits_after(Index layer, Index begin, Index end, const ComputeContext& context,
                              const std::stop_token& stop) const {
  const auto rows = [&](Index first, Index last) {
    if (!model_->config().alt_up) return rows_of(body_.own.x[layer + 1], 0, first, last, context.memory);
    return merged(*model_, streams(layer + 1, first, last, context.memory), context, stop);
  };
  return logits_of(rows, begin, end, context, stop);
}

Streams ModelRun::streams(Index layer, Index begin, Index end, BufferPool& memory) const {
  Streams all;
  const RowStore& store = body_.streams[layer];
  for (Index stream = 0; stream < store.parts(); ++stream)
    all.push_back(rows_of(store, stream, begin, end, memory));
  return all;
}

Tensor ModelRun::logits_of(const std::function<Tensor(Index begin, Index end)>& rows, Index begin, Index end,
                           const ComputeContext& context, const std::stop_token& stop) const {
  // A stack that ends in pooled rows (Funnel's base) has fewer than the text, and no head.
  if (!model_->head()) return {};
  const auto whole = model_->text_rows(input_.ids);
  if (!whole) return model_->logits(rows(begin, end).data(), end - begin, context, stop);
  const Tensor of_text =
      model_->logits(rows(whole->first, whole->second).data(), whole->second - whole->first, context, stop);
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
    if (request_.previous->input_.sound != run_->input_.sound) return false;
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
    const BlockKind beside = kind == BlockKind::decoder ? BlockKind::cross : BlockKind::state;
    if (!run_->changes_.same_for_a_prefix(previous->changes_, beside)) return 0;
    if (previous->body_.frequencies != frequencies(std::ssize(ids))) return 0;
    const std::vector<Index>& before =
        kind == BlockKind::decoder ? previous->input_.decoder_ids : previous->input_.ids;
    const Index same = std::ranges::mismatch(ids, before).in1 - ids.begin();
    if (kind == BlockKind::decoder || run_->input_.types == previous->input_.types) return same;
    const auto& [types, types_before] = std::tie(run_->input_.types, previous->input_.types);
    return std::min<Index>(same, std::ranges::mismatch(types, types_before).in1 - types.begin());
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
    for (const Index id : config().unread_tokens)
      if (std::ranges::find(ids, id) != ids.end())
        throw input_error(
            "token id {} stands for a picture or sound, which is not read; expected a text alone", id);
  }

  // From the embedding's width to d_model, if they differ.
  Tensor projected(const Tensor& x) const {
    const std::optional<Dense>& project = model().project_in();
    return project ? multiply(*project, x, context_, stop_) : x;
  }

  // Whether a stack reads something in place of its tokens.
  bool reads_no_text(BlockKind kind) const {
    return run_->input_.pixels || (run_->input_.sound && kind == BlockKind::encoder);
  }

  Tensor embedded(BlockKind kind, Index n, Index first) const {
    const ModelInput& input = run_->input_;
    if (input.pixels)
      return embed_picture(*config().picture, *model().picture(), *input.pixels, context_, stop_);
    if (reads_no_text(kind)) return embed_sound(*model().sound(), *input.sound, context_, stop_);
    return embedding_terms(model(), kind == BlockKind::decoder, input, first, n, context_, stop_)
        .sum(context_);
  }

  // Rows [first, n) of the embedding, then its norm.
  Tensor embed(BlockKind kind, const std::vector<Index>& ids, Index first) const {
    Tensor x = embedded(kind, std::ssize(ids), first);
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
    if (!reads_no_text(kind)) check(ids, model().words(kind == BlockKind::decoder).rows);
    const Index n = std::ssize(ids), layers = model().stack(kind).size.layers;
    if (config().funnel) check_pooled_length(*config().funnel, n);
    if (kind != BlockKind::encoder) run_->reused_ = first;
    kept_ = first > 0 ? extended(request_.previous->body_, first, n) : fresh(kind, n);
    kept_.n = n;
    kept_.frequencies = frequencies(n);
    if (first == n) return std::move(kept_);
    const std::array<const std::optional<Rope>*, 2> ropes{&config().rope, &config().local_rope};
    for (std::size_t i = 0; i < ropes.size(); ++i)
      if (*ropes[i])
        turns_[i] =
            rotary_table(**ropes[i], kept_.frequencies[i], first, n, patch_grid(config(), run_->input_));
    first_ = first;
    Streams streams{embed(kind, ids, first)};
    if (config().alt_up) streams = split(model(), streams.front(), context_, stop_);
    for (Index layer = 0; layer < layers && !stopped(); ++layer) {
      for (std::size_t i = 0; config().alt_up && i < streams.size(); ++i)
        keep(streams[i], kept_.streams[layer], static_cast<Index>(i));
      if (config().funnel) streams.front() = rows_for(layer, streams.front());
      streams = walk_layer(kind, layer, std::move(streams));
      if (request_.progress) request_.progress(++done_, config().encoder.layers + config().decoder.layers);
    }
    keep(merged(model(), streams, context_, stop_), kept_.stream);
    if (kind != BlockKind::encoder)
      run_->first_row_ = first_ > first ? first_
                         : first > 0    ? std::min(first, request_.previous->first_row_)
                                        : 0;
    return std::move(kept_);
  }

  /// What a layer of Funnel reads, of what the one before it gives: pooled rows, or upsampled ones.
  Tensor rows_for(Index layer, const Tensor& x) {
    const Funnel& funnel = *config().funnel;
    const Index block = funnel.block_of(layer);
    if (block == 0 || layer != funnel.first_of(block)) return x;
    keep(x, kept_.before[layer]);
    if (block < funnel.blocks()) return pooled_rows(funnel, x, context_.memory);
    const Index last = added_behind(config());
    const RowStore& first = last < funnel.layers.front() ? kept_.own.x[last] : kept_.before[last];
    return upsampled_rows(funnel, x, first.tensor(context_.memory, false), context_.memory);
  }

  void reach(const Sublayer& sublayer, const Tensor& x) override {
    // The state beside an attention reads what that reads.
    if (!sublayer.is_heads_of(sublayer.kind, sublayer.layer) || sublayer.kind == BlockKind::state) return;
    keep(x, kept_.of(sublayer.kind).x[sublayer.layer]);
  }

  // Queries of the rows that are needed; keys and values of all, or of the encoded source.
  Tensor attend(const Sublayer& sublayer, const Tensor& y) override {
    const BlockKind kind = sublayer.kind;
    const std::size_t at = sublayer.layer, from = model().stack(kind).size.keys_from(sublayer.layer);
    const LayerAttention attention(model(), kind, sublayer.layer, run_->changes_.at(kind, sublayer.layer),
                                   run_->input_);
    const bool cross = kind == BlockKind::cross;
    const Index left_out = rows_left_out(sublayer, y.dim(0));
    const auto& funnel = config().funnel;
    const bool pools = funnel && funnel->queries_alone && funnel->pools(sublayer.layer);
    const Tensor source = cross   ? run_->encoded_
                          : pools ? kept_.before[at].tensor(context_.memory, false)
                                  : y;
    ModelRun::KeptAttention& kept = kept_.of(kind);
    LayerHeads heads{{}, kept.k[from], kept.v[from], {}};
    const bool known = (cross && !heads.k.empty()) || from != at;
    const Index first_key = cross ? 0 : first_, n_q = kept.x[at].rows(),
                n_k = cross || pools ? source.dim(0) : n_q;
    first_ += left_out;
    attention.read(turn_of(sublayer), {y.at(left_out), y.dim(0) - left_out, left_out},
                   {source.data(), known ? 0 : source.dim(0)}, {first_, n_q, first_key, n_k}, heads, context_,
                   stop_);
    if (cross) std::tie(kept.k[at], kept.v[at]) = std::tie(heads.k, heads.v);
    return attention.contexts(heads, context_, stop_);
  }

  // Of all rows, also those that are known: a state has no rows of its own to begin with.
  Tensor mixed(const Sublayer& sublayer, const Tensor& y) override {
    const Index layer = sublayer.layer, left_out = rows_left_out(sublayer, y.dim(0));
    const Tensor x = normed(*sublayer.input_norm, kept_.own.x[layer].at(0), kept_.n, context_);
    Tensor all = mixed_rows(model(), layer, x, run_->changes_.at(sublayer.kind, layer), context_, stop_);
    first_ += left_out;
    if (first_ == 0) return all;
    Tensor rows = context_.memory.take({kept_.n - first_, all.dim(1)});
    std::copy_n(all.at(first_), rows.size(), rows.data());
    return rows;
  }

  Tensor own_of_tokens(Index layer, Index rows) override {
    std::vector<Index> last(rows);
    std::iota(last.begin(), last.end(), kept_.n - rows);
    return layer_embedding(model(), run_->input_, layer, last, context_, stop_);
  }

  const RotaryTable* turn_of(const Sublayer& sublayer) const {
    if (rope_of(model(), sublayer.kind, sublayer.layer) == nullptr) return nullptr;
    return &*turns_[run_->rope_number(sublayer.layer)];
  }

  // The last one, if the others were left out.
  Tensor kept_rows(const Tensor& x) override {
    const Index last = x.dim(0) - 1;
    return picked(x, {&last, 1}, context_.memory);
  }

  // How many rows need no query: all but the last in the last layer, if only the last row is needed.
  Index rows_left_out(const Sublayer& of, Index rows) const {
    const bool last = of.kind == BlockKind::self && of.layer + 1 == model().stack(of.kind).size.layers;
    return request_.last_alone && last && !run_->changes_.at(of.kind, of.layer).mixes_rows() ? rows - 1 : 0;
  }

  void keep(const Tensor& x, RowStore& store, Index part = 0) const {
    float* const to = store.at(part, first_);
    in_parts(x.size(), context_,
             [&](Index begin, Index count) noexcept { std::copy_n(x.data() + begin, count, to + begin); });
  }

  // Storage for n rows.
  Kept fresh(BlockKind kind, Index n) const {
    const LayerStack& size = model().stack(kind).size;
    const TransformerStack& stack = model().stack(kind);
    const bool causal = kind == BlockKind::decoder || (kind == BlockKind::self && config().causal);
    const Index spare = causal ? spare_rows : 0;
    Kept kept;
    const auto& funnel = config().funnel;
    const auto rows = [&](Index block) { return std::ssize(rows_of_block(*funnel, n, block)); };
    if (funnel) kept.before.resize(size.layers);
    for (Index block = 1; funnel && block <= funnel->blocks(); ++block)
      if (const Index first = funnel->first_of(block); first < size.layers)
        kept.before[first] = RowStore(1, rows(block - 1), config().d_model, context_.memory);
    for (const BlockKind block : {kind, BlockKind::cross}) {
      if (block == BlockKind::cross && kind != BlockKind::decoder) continue;
      ModelRun::KeptAttention& of = kept.of(block);
      of.k.resize(size.layers);
      of.v.resize(size.layers);
      for (Index layer = 0; layer < size.layers; ++layer)
        of.x.emplace_back(1, funnel ? rows(funnel->block_of(layer)) : n, config().d_model, context_.memory,
                          spare);
    }
    for (Index layer = 0; layer < size.layers; ++layer) {
      const std::size_t at = layer;
      if (config().alt_up)
        kept.streams.emplace_back(config().alt_up->streams, n, config().d_model, context_.memory, spare);
      const bool kept_keys = causal || !size.keys_of.empty();
      if (!kept_keys || !run_->has_attention(kind, layer) || !size.has_own_keys(layer)) continue;
      kept.own.k[at] = RowStore(size.kv_heads_of(layer), n, stack.d_k_of(layer), context_.memory, spare);
      kept.own.v[at] = RowStore(size.kv_heads_of(layer), n, stack.d_v_of(layer), context_.memory, spare);
    }
    kept.stream = RowStore(1, kept.own.x.back().rows(), config().d_model, context_.memory, spare);
    return kept;
  }

  // The first rows kept before, with room for up to n.
  Kept extended(const Kept& before, Index first, Index n) const {
    Kept kept = before;
    for (std::vector<RowStore>* stores :
         {&kept.own.x, &kept.cross.x, &kept.own.k, &kept.own.v, &kept.streams})
      for (RowStore& store : *stores)
        if (!store.empty()) store = store.extended(first, n, context_.memory);
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

#include "core/model/layer/layer_walk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/matrix.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/state_mixer.h"
#include "core/model/steps/activation.h"

namespace headscope {
namespace {

using Part = Sublayer::Part;

const Norm* if_present(bool wanted, const Norm& norm) {
  return wanted && norm.present() ? &norm : nullptr;
}

Sublayer sublayer_of(const ModelConfig& config, Part part, BlockKind kind, Index layer, const Norm& norm,
                     const Norm& output_norm) {
  Sublayer sublayer{part, kind, layer};
  sublayer.reads_input = config.parallel && part == Part::feed_forward;
  sublayer.input_norm = if_present(config.norm_first, norm);
  sublayer.output_norm = if_present(true, output_norm);
  sublayer.sum_norm = if_present(!config.norm_first, norm);
  sublayer.factor = config.residual_factor;
  return sublayer;
}

Tensor sum_of(const Tensor& x, const Tensor& y, const ComputeContext& context) {
  Tensor sum = context.memory.take(x.shape());
  in_parts(x.size(), context, [&](Index begin, Index count) {
    RowSpan(sum.data() + begin, count) = RowView(x.data() + begin, count) + RowView(y.data() + begin, count);
  });
  return sum;
}

}  // namespace

namespace {

/// What each row of a stream says of how the streams mix: [rows, streams].
Tensor modalities(const AltUpWeights& weights, const Tensor& x, const ComputeContext& context,
                  const std::stop_token& stop) {
  Tensor given =
      multiply(weights.router, normed(weights.router_norm, x.data(), x.dim(0), context), context, stop);
  apply_activation(Activation::tanh, given, {}, context);
  return given;
}

/// Each stream becomes itself and a share of all of them.
void predict(const AltUpWeights& weights, std::size_t active, Streams& streams, const ComputeContext& context,
             const std::stop_token& stop) {
  const Tensor shares =
      multiply(weights.prediction, modalities(weights, streams[active], context, stop), context, stop);
  const Streams before = streams;
  for (std::size_t to = 0; to < streams.size(); ++to) {
    streams[to] = context.memory.take(before[to].shape());
    context.threads.run(streams[to].dim(0), ThreadPool::Schedule::dynamic, [&](Index row, int) {
      auto sum = row_of(streams[to], row);
      sum = row_of(before[to], row);
      for (std::size_t from = 0; from < before.size(); ++from)
        sum += shares.at(row)[to * before.size() + from] * row_of(before[from], row);
    });
  }
}

/// Each stream takes a share of how the active one differs from its prediction.
void correct(const AltUpWeights& weights, std::size_t active, const Tensor& given, Streams& streams,
             const ComputeContext& context, const std::stop_token& stop) {
  const Tensor shares =
      multiply(weights.correction, modalities(weights, given, context, stop), context, stop);
  const Tensor predicted = streams[active];
  for (std::size_t to = 0; to < streams.size(); ++to) {
    const Tensor before = streams[to];
    streams[to] = context.memory.take(before.shape());
    context.threads.run(before.dim(0), ThreadPool::Schedule::dynamic, [&](Index row, int) {
      row_of(streams[to], row) =
          row_of(before, row) + (shares.at(row)[to] + 1) * (row_of(given, row) - row_of(predicted, row));
    });
  }
}

Tensor laurel(const AltUpWeights& weights, const Tensor& y, const ComputeContext& context,
              const std::stop_token& stop) {
  Tensor given = multiply(weights.right, multiply(weights.left, y, context, stop), context, stop);
  apply_norm(weights.norm, given.data(), given.dim(0), context);
  return sum_of(y, given, context);
}

/// A product of a stream, as large as the first stream.
Tensor as_large(const Dense& product, const Tensor& stream, const Tensor& first,
                const ComputeContext& context, const std::stop_token& stop) {
  constexpr double smallest = 1e-5;
  Tensor given = multiply(product, stream, context, stop);
  for (Index row = 0; row < given.dim(0); ++row) {
    const double size = std::sqrt(row_of(first, row).cast<double>().square().mean()),
                 own = std::sqrt(
                     std::max(row_of(std::as_const(given), row).cast<double>().square().mean(), smallest));
    row_of(given, row) *= static_cast<float>(size / own);
  }
  return given;
}

}  // namespace

Streams split(const LanguageModel& model, const Tensor& x, const ComputeContext& context,
              const std::stop_token& stop) {
  Streams streams{x};
  for (const Dense& product : model.stack(BlockKind::self).split)
    streams.push_back(as_large(product, x, x, context, stop));
  return streams;
}

Tensor merged(const LanguageModel& model, const Streams& streams, const ComputeContext& context,
              const std::stop_token& stop) {
  if (streams.size() == 1) return streams.front();
  Tensor sum = context.memory.take(streams.front().shape());
  as_matrix(sum) = as_matrix(streams.front());
  for (std::size_t i = 1; i < streams.size(); ++i) {
    const Tensor other =
        as_large(model.stack(BlockKind::self).merge[i - 1], streams[i], streams.front(), context, stop);
    as_matrix(sum) += as_matrix(other);
  }
  as_matrix(sum) /= static_cast<float>(streams.size());
  return sum;
}

BlockKind stack_of(BlockKind block) {
  return block == BlockKind::cross ? BlockKind::decoder : block == BlockKind::state ? BlockKind::self : block;
}

namespace {

Sublayer mixer_sublayer(const LanguageModel& model, Index layer) {
  const ModelConfig& config = model.config();
  const MixerWeights& weights = *model.stack(BlockKind::self).layers[layer].mixer;
  const BlockKind kind = config.mixer_beside ? BlockKind::state : BlockKind::self;
  Sublayer mixer = sublayer_of(config, Part::mixer, kind, layer, weights.norm, {});
  mixer.reads_input = config.mixer_beside;
  mixer.factor *= config.state_mixer->output_factor;
  return mixer;
}

}  // namespace

Sublayer attention_sublayer(const LanguageModel& model, BlockKind kind, Index layer) {
  if (!model.attends(kind, layer)) return mixer_sublayer(model, layer);
  const AttentionWeights& weights = attention_weights(model, kind, layer);
  Sublayer attention =
      sublayer_of(model.config(), Part::attention, kind, layer, weights.norm, weights.output_norm);
  attention.factor *= model.config().attention_output_factor;
  return attention;
}

Sublayer feed_forward_sublayer(const LanguageModel& model, BlockKind stack, Index layer) {
  const FeedForwardWeights& weights = model.stack(stack).layers[layer].feed_forward;
  Sublayer network =
      sublayer_of(model.config(), Part::feed_forward, stack, layer, weights.norm, weights.output_norm);
  network.factor *= model.config().network_factor;
  return network;
}

namespace {

/// It reads what attention reads.
Sublayer laurel_sublayer(const Sublayer& attention, const AltUpWeights& weights) {
  Sublayer laurel{Part::laurel, attention.kind, attention.layer, true};
  laurel.input_norm = attention.input_norm;
  laurel.sum_norm = &weights.half;
  return laurel;
}

Sublayer layer_embedding_sublayer(const LanguageModel& model, BlockKind stack, Index layer) {
  Sublayer embedding{Part::layer_embedding, stack, layer};
  embedding.output_norm = &model.stack(stack).layers[layer].embedding->output_norm;
  return embedding;
}

}  // namespace

std::vector<Sublayer> layer_sublayers(const LanguageModel& model, BlockKind stack, Index layer) {
  const TransformerStack& of = model.stack(stack);
  std::vector<Sublayer> all{attention_sublayer(model, stack, layer)};
  if (model.config().mixer_beside) all.push_back(mixer_sublayer(model, layer));
  if (of.layers[layer].cross) all.push_back(attention_sublayer(model, BlockKind::cross, layer));
  if (of.layers[layer].alt_up) all.push_back(laurel_sublayer(all.front(), *of.layers[layer].alt_up));
  all.push_back(feed_forward_sublayer(model, stack, layer));
  // AltUp adds them to its other streams.
  if (of.layers[layer].embedding && !of.layers[layer].alt_up)
    all.push_back(layer_embedding_sublayer(model, stack, layer));
  if (const Norm& factor = of.layers[layer].factor; factor.present()) all.back().sum_norm = &factor;
  if (layer == 0 && of.convolution) {
    all.push_back({Part::convolution, stack, layer, true});
    all.back().sum_norm = &of.convolution->norm;
  }
  return all;
}

Tensor picked(const Tensor& x, std::span<const Index> rows, BufferPool& memory) {
  Tensor all = memory.take({std::ssize(rows), x.dim(1)});
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(x.at(rows[i]), x.dim(1), all.at(i));
  return all;
}

Tensor as_added(const Sublayer& sublayer, const Tensor& y, const ComputeContext& context) {
  Tensor added = sublayer.output_norm ? normed(*sublayer.output_norm, y.data(), y.dim(0), context) : y;
  const auto factor = static_cast<float>(sublayer.factor);
  if (factor == 1) return added;
  Tensor scaled = context.memory.take(added.shape());
  in_parts(added.size(), context, [&](Index begin, Index count) {
    RowSpan(scaled.data() + begin, count) = RowView(std::as_const(added).data() + begin, count) * factor;
  });
  return scaled;
}

Tensor LayerWalk::walk(std::span<const Sublayer> sublayers, Tensor x) {
  Tensor input = x;
  for (const Sublayer& sublayer : sublayers) {
    reach(sublayer, x);
    const Tensor y = added(sublayer, sublayer.reads_input ? input : x);
    if (y.dim(0) != x.dim(0)) {
      x = kept_rows(x);
      input = kept_rows(input);
    }
    x = sum_of(x, y, context_);
    summed(sublayer, x);
    if (sublayer.sum_norm) x = normed(*sublayer.sum_norm, x.data(), x.dim(0), context_);
  }
  return x;
}

Tensor LayerWalk::added(const Sublayer& sublayer, const Tensor& read) {
  const Norm* const norm = sublayer.input_norm;
  return as_added(sublayer, give(sublayer, norm ? normed(*norm, read.data(), read.dim(0), context_) : read),
                  context_);
}

Tensor LayerWalk::give(const Sublayer& sublayer, const Tensor& y) {
  const TransformerStack& stack = model_.stack(sublayer.kind);
  switch (sublayer.part) {
    case Part::attention:
      return multiply(attention_weights(model_, sublayer.kind, sublayer.layer).o, attend(sublayer, y),
                      context_, stop_);
    case Part::mixer:
      return mixer_output(model_, sublayer.layer, mixed(sublayer, y), context_, stop_);
    case Part::convolution:
      return convolved(*stack.convolution, y);
    case Part::laurel:
      return laurel(*stack.layers[sublayer.layer].alt_up, y, context_, stop_);
    case Part::layer_embedding: {
      const LayerEmbeddingWeights& weights = *stack.layers[sublayer.layer].embedding;
      Tensor gate = multiply(weights.gate, y, context_, stop_);
      apply_activation(config().activation, gate, own_of_tokens(sublayer.layer, y.dim(0)), context_);
      return multiply(weights.project, gate, context_, stop_);
    }
    case Part::feed_forward:
      break;
  }
  return feed_forward(model_, stack.layers[sublayer.layer].feed_forward, y, context_, stop_);
}

Streams LayerWalk::walk_layer(BlockKind stack, Index layer, Streams streams, const Tensor* active) {
  const std::vector<Sublayer> all = layer_sublayers(model_, stack, layer);
  const AltUpWeights* const alt_up = model_.stack(stack).layers[layer].alt_up.get();
  if (alt_up == nullptr) return {walk(all, std::move(streams.front()))};
  const std::size_t own = config().alt_up->active;
  predict(*alt_up, own, streams, context_, stop_);
  if (active != nullptr) streams[own] = *active;
  const Tensor given = walk(all, streams[own]);
  if (given.dim(0) != streams[own].dim(0))
    for (Tensor& stream : streams) stream = kept_rows(stream);
  correct(*alt_up, own, given, streams, context_, stop_);
  const Tensor& read = streams[own];
  const Norm& scale = alt_up->scale;
  const Sublayer embedding = layer_embedding_sublayer(model_, stack, layer);
  const Tensor added = as_added(
      embedding,
      LayerWalk::give(embedding, scale.present() ? normed(scale, read.data(), read.dim(0), context_) : read),
      context_);
  for (std::size_t i = 1; i < streams.size(); ++i) streams[i] = sum_of(streams[i], added, context_);
  return streams;
}

Tensor LayerWalk::convolved(const ConvolutionWeights& weights, const Tensor& input) {
  const Index n = input.dim(0);
  return convolution(model_, weights, input.data(), n, 0, n, context_, stop_);
}

}  // namespace headscope

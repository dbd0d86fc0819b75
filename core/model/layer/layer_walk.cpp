#include "core/model/layer/layer_walk.h"

#include <algorithm>
#include <utility>

#include "core/base/matrix.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/state_mixer.h"

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

std::vector<Sublayer> layer_sublayers(const LanguageModel& model, BlockKind stack, Index layer) {
  const TransformerStack& of = model.stack(stack);
  std::vector<Sublayer> all{attention_sublayer(model, stack, layer)};
  if (model.config().mixer_beside) all.push_back(mixer_sublayer(model, layer));
  if (of.layers[layer].cross) all.push_back(attention_sublayer(model, BlockKind::cross, layer));
  all.push_back(feed_forward_sublayer(model, stack, layer));
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
    case Part::feed_forward:
      break;
  }
  return feed_forward(model_, stack.layers[sublayer.layer].feed_forward, y, context_, stop_);
}

Tensor LayerWalk::convolved(const ConvolutionWeights& weights, const Tensor& input) {
  const Index n = input.dim(0);
  return convolution(model_, weights, input.data(), n, 0, n, context_, stop_);
}

}  // namespace headscope

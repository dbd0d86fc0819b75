#include "core/model/effects/head_paths.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/inputs/names.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/run/run_layer.h"
#include "core/model/run/run_variants.h"

namespace headscope {
namespace {

/// Whether what `from` adds to the stream is read by `into`.
bool reads(const HeadPlace& into, const HeadPlace& from) {
  if (into.block == BlockKind::cross && from.block == BlockKind::encoder) return true;
  const bool of_encoder = into.block == BlockKind::encoder;
  if (of_encoder != (from.block == BlockKind::encoder)) return false;
  // Cross-attention comes after the decoder's own.
  return std::pair(from.layer, from.block == BlockKind::cross) <
         std::pair(into.layer, into.block == BlockKind::cross);
}

class Paths {
 public:
  Paths(const ModelRun& run, const CauseQuestion& question, const ComputeContext& context,
        const std::stop_token& stop)
      : run_(run), question_(question), context_(context), stop_(stop) {}

  std::shared_ptr<const HeadPaths> find(std::vector<HeadPlace> heads) {
    std::ranges::sort(heads);
    auto found = std::make_shared<HeadPaths>();
    const Index row = question_.position;
    const Tensor logits = run_.logits(row, row + 1, context_, stop_);
    found->clean = measure(logits.data());
    std::vector<Tensor> written;
    for (const HeadPlace& head : heads) {
      if (stop_requested(stop_)) return nullptr;
      const Tensor context = without(head);
      found->changes.push_back(changes({head.block, head.layer, 1, {}, context, {}, {}}).front() -
                               found->clean);
      written.push_back(lost(head, context));
    }
    found->heads = heads;
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (heads[i].block != BlockKind::encoder)
        found->paths.push_back({heads[i], {}, into_logits(heads[i], written[i]) - found->clean});
    for (const HeadPlace& into : heads) {
      if (stop_requested(stop_)) return nullptr;
      add_paths_into(into, written, *found);
    }
    return stop_requested(stop_) ? nullptr : found;
  }

 private:
  const LanguageModel& model() const { return run_.model(); }
  Index d_v(const HeadPlace& head) const { return model().stack(head.block).d_v_of(head.layer); }

  double measure(const float* logits) const {
    const auto at = [&](Index id) { return static_cast<double>(logits[id]); };
    return at(question_.answer) - (question_.against ? at(*question_.against) : 0);
  }

  /// What the heads of its layer give without this one [n, heads d_k].
  Tensor without(const HeadPlace& head) const {
    const Tensor all = run_.context(head.block, head.layer, context_, stop_);
    const Index width = d_v(head);
    Tensor context = context_.memory.take(all.shape());
    std::copy_n(all.data(), all.size(), context.data());
    as_matrix(context).middleCols(head.head * width, width).setZero();
    return context;
  }

  /// What the stream loses by that [n, d_model].
  Tensor lost(const HeadPlace& head, const Tensor& without_head) const {
    const Dense& o = attention_weights(model(), head.block, head.layer).o;
    const Sublayer sublayer = attention_sublayer(model(), head.block, head.layer);
    const auto added = [&](const Tensor& heads) {
      return as_added(sublayer, multiply(o, heads, context_, stop_), context_);
    };
    const Tensor of_others = added(without_head),
                 of_all = added(run_.context(head.block, head.layer, context_, stop_));
    Tensor change = context_.memory.take(of_all.shape());
    as_matrix(change) = as_matrix(of_others) - as_matrix(of_all);
    return change;
  }

  /// What the attention of `into` reads, or what comes after the last layer, if the stream loses `change` in
  /// the sender's layer and what all sublayers add is held.
  Tensor stream_without(const HeadPlace& from, const Tensor& change, const std::optional<HeadPlace>& into) {
    const BlockKind stack = stack_of(from.block);
    Tensor x = context_.memory.take(change.shape());
    if (attention_sublayer(model(), from.block, from.layer).sum_norm || model().config().layer_factors) {
      as_matrix(x) = as_matrix(std::as_const(run_).x(from.block, from.layer, context_.memory));
      lead_up(from, change, into, x);
      return x;
    }
    if (into) {
      as_matrix(x) = as_matrix(std::as_const(run_).x(into->block, into->layer, context_.memory));
    } else {
      const Tensor stream = run_.stream(stack, context_.memory);
      as_matrix(x).setZero();
      as_matrix(x).bottomRows(stream.dim(0)) = as_matrix(stream);
    }
    as_matrix(x) += as_matrix(change);
    return x;
  }

  /// Leads the stream x from the sender up to `into`, or to the end: through the norms of sums.
  void lead_up(const HeadPlace& from, const Tensor& change, const std::optional<HeadPlace>& into, Tensor& x) {
    const BlockKind stack = stack_of(from.block);
    for (Index layer = from.layer; layer < model().stack(stack).size.layers; ++layer)
      for (const SublayerOutput& each : outputs_of(layer == from.layer ? from.block : stack, layer)) {
        if (into && each.sublayer.is_heads_of(into->block, into->layer)) return;
        as_matrix(x) += as_matrix(each.added);
        if (each.sublayer.is_heads_of(from.block, from.layer)) as_matrix(x) += as_matrix(change);
        if (each.sublayer.sum_norm) apply_norm(*each.sublayer.sum_norm, x.data(), x.dim(0), context_);
      }
  }

  /// Of the sublayers of a layer from that attention on.
  const std::vector<SublayerOutput>& outputs_of(BlockKind block, Index layer) {
    const auto [found, is_new] = outputs_.try_emplace({block, layer});
    if (is_new) found->second = outputs_of_layer(run_, block, layer, {}, context_, stop_);
    return found->second;
  }

  double into_logits(const HeadPlace& from, const Tensor& change) {
    const Tensor stream = stream_without(from, change, {});
    const Index row = question_.position;
    Tensor last = context_.memory.take({1, stream.dim(1)});
    as_matrix(last).row(0) = as_matrix(std::as_const(stream)).row(row);
    return measure(model().logits(last.data(), 1, context_, stop_).data());
  }

  std::vector<double> changes(const RunVariants& variants) const {
    const Tensor streams = final_streams(run_, variants, question_.position, context_, stop_);
    std::vector<double> measures(variants.count);
    if (stop_requested(stop_)) return measures;
    const Tensor logits = model().logits(streams.data(), variants.count, context_, stop_);
    for (Index i = 0; i < variants.count; ++i) measures[i] = measure(logits.at(i));
    return measures;
  }

  void add_paths_into(const HeadPlace& reader, const std::vector<Tensor>& written, HeadPaths& found) {
    std::vector<std::size_t> senders;
    for (std::size_t i = 0; i < found.heads.size(); ++i)
      if (reads(reader, found.heads[i])) senders.push_back(i);
    if (senders.empty()) return;
    const Index count = senders.size();
    const Tensor own = run_.context(reader.block, reader.layer, context_, stop_);
    const Index n = own.dim(0);
    const Tensor given = if_lost(reader, senders, written, found.heads);
    const Index width = d_v(reader);
    RunVariants variants{reader.block, reader.layer, count, {}, context_.memory.take(given.shape()), {}, {}};
    for (Index i = 0; i < count; ++i) {
      auto rows = as_matrix(variants.context).middleRows(i * n, n);
      rows = as_matrix(own);
      rows.middleCols(reader.head * width, width) =
          as_matrix(given).block(i * n, reader.head * width, n, width);
    }
    const std::vector<double> measures = changes(variants);
    for (std::size_t i = 0; i < senders.size(); ++i)
      found.paths.push_back({found.heads[senders[i]], reader, measures[i] - found.clean});
  }

  /// What the heads of the reader's layer give [senders n, heads d_k] if it does not read one of the senders.
  Tensor if_lost(const HeadPlace& reader, const std::vector<std::size_t>& senders,
                 const std::vector<Tensor>& written, const std::vector<HeadPlace>& heads) {
    const Index count = senders.size();
    const Tensor input = run_.x(reader.block, reader.layer, context_.memory);
    const Tensor& source = run_.encoded();
    // Heads are in order: those of the encoder come first.
    const bool from_encoder =
        reader.block == BlockKind::cross && heads[senders.front()].block == BlockKind::encoder;
    Tensor read = context_.memory.take({count * input.dim(0), input.dim(1)}), encoded;
    if (from_encoder) encoded = context_.memory.take({count * source.dim(0), source.dim(1)});
    for (Index i = 0; i < count; ++i) {
      const std::size_t sender = senders[i];
      const bool of_encoder = from_encoder && heads[sender].block == BlockKind::encoder;
      auto rows = as_matrix(read).middleRows(i * input.dim(0), input.dim(0));
      rows = as_matrix(input);
      if (from_encoder) as_matrix(encoded).middleRows(i * source.dim(0), source.dim(0)) = as_matrix(source);
      if (!of_encoder) {
        rows = as_matrix(stream_without(heads[sender], written[sender], reader));
        continue;
      }
      Tensor output = stream_without(heads[sender], written[sender], {});
      if (const Norm& last = model().encoder().last_norm; last.present())
        apply_norm(last, output.data(), output.dim(0), context_);
      as_matrix(encoded).middleRows(i * source.dim(0), source.dim(0)) = as_matrix(std::as_const(output));
    }
    return contexts_of(run_, reader.block, reader.layer, read, encoded, count, context_, stop_);
  }

  const ModelRun& run_;
  const CauseQuestion& question_;
  const ComputeContext& context_;
  const std::stop_token& stop_;
  std::map<std::pair<BlockKind, Index>, std::vector<SublayerOutput>> outputs_;  // those that were needed
};

}  // namespace

std::shared_ptr<const HeadPaths> find_paths(const ModelRun& run, const CauseQuestion& question,
                                            std::span<const HeadPlace> heads, const ComputeContext& context,
                                            const std::stop_token& stop) {
  check_question(run, question);
  if (!run.model().config().mixers.empty() || run.model().config().mixer_beside)
    throw input_error(
        "paths between heads are found in models whose layers have softmax attention alone; this one has "
        "other "
        "mixers; expected another way than path");
  if (run.model().config().alt_up || !run.model().config().decoder.keys_of.empty())
    throw input_error(
        "paths between heads are found in models with one stream, whose layers have keys of their own; this "
        "one has "
        "others; expected another way than path");
  if (run.model().config().funnel)
    throw input_error(
        "paths between heads are found in models whose layers have the same rows; this one pools them; "
        "expected another way than path");
  const std::vector<ModelBlock> blocks = run.model().blocks();
  for (const HeadPlace& head : heads) {
    const auto block = std::ranges::find(blocks, head.block, &ModelBlock::kind);
    if (block == blocks.end()) throw input_error("the model has no block \"{}\"", to_name(head.block));
    if (head.layer < 0 || head.layer >= block->layers || head.head < 0 || head.head >= block->heads)
      throw input_error("the head {}.{} does not exist; expected one up to {}.{}", head.layer, head.head,
                        block->layers - 1, block->heads - 1);
  }
  return Paths(run, question, context, stop).find({heads.begin(), heads.end()});
}

std::vector<HeadPlace> heads_that_matter(std::span<const CauseMap> maps, std::size_t count,
                                         double threshold) {
  std::vector<std::pair<double, HeadPlace>> all;
  for (const CauseMap& map : maps)
    for (std::size_t i = 0; i < map.values.size(); ++i) {
      const auto at = static_cast<int>(i), of_layer = static_cast<int>(map.shape[1]);
      all.push_back({std::abs(map.values[i]), {map.kind, at / of_layer, at % of_layer}});
    }
  std::ranges::stable_sort(all, std::greater(), [](const auto& each) { return each.first; });
  std::vector<HeadPlace> heads;
  for (const auto& [change, head] : all) {
    if (heads.size() == count || change < threshold * all.front().first) break;
    heads.push_back(head);
  }
  std::ranges::sort(heads);
  return heads;
}

}  // namespace headscope

#include "core/model/head_paths.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/model/layer_parts.h"
#include "core/model/run_variants.h"

namespace headscope {
namespace {

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
      if (stop_.stop_requested()) return nullptr;
      const Tensor context = without(head);
      found->changes.push_back(changes({kind_, head.layer, 1, {}, context, {}, {}}).front() - found->clean);
      written.push_back(lost(head, context));
    }
    found->heads = heads;
    for (std::size_t i = 0; i < heads.size(); ++i)
      found->paths.push_back({heads[i], {}, into_logits(heads[i], written[i]) - found->clean});
    for (std::size_t into = 0; into < heads.size(); ++into) {
      if (stop_.stop_requested()) return nullptr;
      add_paths_into(heads, written, into, *found);
    }
    return stop_.stop_requested() ? nullptr : found;
  }

 private:
  const LanguageModel& model() const { return run_.model(); }
  Index d_k() const { return model().stack(kind_).head_dim; }

  double measure(const float* logits) const {
    const auto at = [&](Index id) { return static_cast<double>(logits[id]); };
    return at(question_.answer) - (question_.against ? at(*question_.against) : 0);
  }

  /// What the heads of its layer give without this one [n, heads d_k].
  Tensor without(const HeadPlace& head) const {
    const Tensor all = run_.context(kind_, head.layer, context_, stop_);
    Tensor context = context_.memory.take(all.shape());
    std::copy_n(all.data(), all.size(), context.data());
    as_matrix(context).middleCols(head.head * d_k(), d_k()).setZero();
    return context;
  }

  /// What the stream loses by that [n, d_model].
  Tensor lost(const HeadPlace& head, const Tensor& without_head) const {
    const AttentionWeights& weights = attention_weights(model(), kind_, head.layer);
    const auto added = [&](const Tensor& heads) {
      Tensor y = multiply(weights.o, heads, context_, stop_);
      if (weights.output_norm.present()) apply_norm(weights.output_norm, y.data(), y.dim(0), context_);
      return y;
    };
    Tensor change = added(without_head);
    as_matrix(change) -= as_matrix(added(run_.context(kind_, head.layer, context_, stop_)));
    as_matrix(change) *= static_cast<float>(model().config().residual_factor);
    return change;
  }

  /// What layer `until` reads, or what comes after the last one, if the stream loses `change` in the sender's
  /// layer and what all sublayers add is held.
  Tensor carried(const HeadPlace& from, const Tensor& change, Index until) {
    Tensor x = context_.memory.take(change.shape());
    const bool sums = model().config().norm_first;
    const Index first = sums ? until : from.layer;
    if (first == layers()) {
      const Tensor stream = run_.stream(kind_, context_.memory);
      as_matrix(x).setZero();
      as_matrix(x).bottomRows(stream.dim(0)) = as_matrix(stream);
    } else {
      as_matrix(x) = as_matrix(std::as_const(run_).x(kind_, first, context_.memory));
    }
    if (sums) as_matrix(x) += as_matrix(change);
    for (Index layer = first; layer < until; ++layer) {
      const Norm& after_attention = attention_weights(model(), kind_, layer).norm;
      const Norm& after_network =
          model().stack(kind_).layers[static_cast<std::size_t>(layer)].feed_forward.norm;
      const AddedToStream& added = added_in(layer);
      as_matrix(x) += as_matrix(added.attention);
      if (layer == from.layer) as_matrix(x) += as_matrix(change);
      if (after_attention.present()) apply_norm(after_attention, x.data(), x.dim(0), context_);
      as_matrix(x) += as_matrix(added.feed_forward);
      if (after_network.present()) apply_norm(after_network, x.data(), x.dim(0), context_);
    }
    return x;
  }

  Index layers() const { return model().stack(kind_).size.layers; }

  const AddedToStream& added_in(Index layer) {
    const auto [found, is_new] = added_.try_emplace(layer);
    if (is_new) found->second = added_to_stream(run_, kind_, layer, context_, stop_);
    return found->second;
  }

  double into_logits(const HeadPlace& from, const Tensor& change) {
    const Tensor stream = carried(from, change, layers());
    const Index row = question_.position;
    Tensor last = context_.memory.take({1, stream.dim(1)});
    as_matrix(last).row(0) = as_matrix(std::as_const(stream)).row(row);
    return measure(model().logits(last.data(), 1, context_, stop_).data());
  }

  std::vector<double> changes(const RunVariants& variants) const {
    const Tensor streams = final_streams(run_, variants, question_.position, context_, stop_);
    std::vector<double> measures(static_cast<std::size_t>(variants.count));
    if (stop_.stop_requested()) return measures;
    const Tensor logits = model().logits(streams.data(), variants.count, context_, stop_);
    for (Index i = 0; i < variants.count; ++i) measures[static_cast<std::size_t>(i)] = measure(logits.at(i));
    return measures;
  }

  void add_paths_into(const std::vector<HeadPlace>& heads, const std::vector<Tensor>& written,
                      std::size_t into, HeadPaths& found) {
    const HeadPlace& reader = heads[into];
    const auto senders = static_cast<Index>(
        std::ranges::count_if(heads, [&](const HeadPlace& one) { return one.layer < reader.layer; }));
    if (senders == 0) return;
    const Index n = written.front().dim(0);
    Tensor read = context_.memory.take({senders * n, written.front().dim(1)});
    // Heads are in order: those of earlier layers come first.
    for (Index i = 0; i < senders; ++i) {
      const auto at = static_cast<std::size_t>(i);
      as_matrix(read).middleRows(i * n, n) = as_matrix(carried(heads[at], written[at], reader.layer));
    }
    const Tensor given = contexts_of(run_, kind_, reader.layer, read, senders, context_, stop_);
    const Tensor own = run_.context(kind_, reader.layer, context_, stop_);
    RunVariants variants{kind_, reader.layer, senders, {}, context_.memory.take(given.shape()), {}, {}};
    for (Index i = 0; i < senders; ++i) {
      auto rows = as_matrix(variants.context).middleRows(i * n, n);
      rows = as_matrix(own);
      rows.middleCols(reader.head * d_k(), d_k()) =
          as_matrix(given).block(i * n, reader.head * d_k(), n, d_k());
    }
    const std::vector<double> measures = changes(variants);
    for (Index i = 0; i < senders; ++i) {
      const auto at = static_cast<std::size_t>(i);
      found.paths.push_back({heads[at], reader, measures[at] - found.clean});
    }
  }

  const ModelRun& run_;
  const CauseQuestion& question_;
  const ComputeContext& context_;
  const std::stop_token& stop_;
  std::map<Index, AddedToStream> added_;  // by layer, those that were needed
  static constexpr BlockKind kind_ = BlockKind::self;
};

}  // namespace

std::shared_ptr<const HeadPaths> find_paths(const ModelRun& run, const CauseQuestion& question,
                                            std::span<const HeadPlace> heads, const ComputeContext& context,
                                            const std::stop_token& stop) {
  const LanguageModel& model = run.model();
  if (model.config().encoder_decoder())
    throw input_error(
        "paths are between heads of a single stack of layers; this model has an encoder and a decoder");
  check_question(run, question);
  const ModelBlock block = model.blocks().front();
  for (const HeadPlace& head : heads)
    if (head.layer < 0 || head.layer >= block.layers || head.head < 0 || head.head >= block.heads)
      throw input_error("the head {}.{} does not exist; expected one up to {}.{}", head.layer, head.head,
                        block.layers - 1, block.heads - 1);
  return Paths(run, question, context, stop).find({heads.begin(), heads.end()});
}

std::vector<HeadPlace> heads_that_matter(const CauseMap& map, std::size_t count, double threshold) {
  std::vector<std::size_t> order(map.values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return std::abs(map.values[i]); });
  std::vector<HeadPlace> heads;
  for (const std::size_t i : order) {
    if (heads.size() == count || std::abs(map.values[i]) < threshold * std::abs(map.values[order.front()]))
      break;
    const auto at = static_cast<int>(i), of_layer = static_cast<int>(map.shape[1]);
    heads.push_back({map.kind, at / of_layer, at % of_layer});
  }
  std::ranges::sort(heads);
  return heads;
}

}  // namespace headscope

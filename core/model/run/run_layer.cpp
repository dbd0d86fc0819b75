#include "core/model/run/run_layer.h"

#include <algorithm>
#include <numeric>

#include "core/model/layer/layer_parts.h"

namespace headscope {
namespace {

class RunLayer : LayerWalk {
 public:
  RunLayer(const ModelRun& run, const std::vector<Index>& rows, const ComputeContext& context,
           const std::stop_token& stop)
      : LayerWalk(run.model(), context, stop), run_(run), rows_(rows) {}

  std::vector<SublayerOutput> from(BlockKind kind, Index layer) {
    const std::vector<Sublayer> all = layer_sublayers(model(), stack_of(kind), layer);
    const auto first = std::ranges::find(all, kind, &Sublayer::kind);
    const Tensor x = run_.x(kind, layer, context_.memory);
    walk({first, all.end()}, rows_.empty() ? x : picked(x, rows_, context_.memory));
    return std::move(outputs_);
  }

 private:
  void reach(const Sublayer& sublayer, const Tensor& /*x*/) override {
    outputs_.emplace_back().sublayer = sublayer;
  }
  Tensor added(const Sublayer& sublayer, const Tensor& read) override {
    return outputs_.back().added = LayerWalk::added(sublayer, read);
  }
  Tensor give(const Sublayer& sublayer, const Tensor& y) override {
    return outputs_.back().given = LayerWalk::give(sublayer, y);
  }
  Tensor attend(const Sublayer& sublayer, const Tensor& /*y*/) override {
    return outputs_.back().heads =
               contexts_of_rows(run_, sublayer.kind, sublayer.layer, rows_, context_, stop_);
  }
  Tensor mixed(const Sublayer& sublayer, const Tensor& /*y*/) override {
    const Tensor all = run_.mixed(sublayer.layer, context_, stop_);
    return outputs_.back().heads = rows_.empty() ? all : picked(all, rows_, context_.memory);
  }
  Tensor own_of_tokens(Index layer, Index rows) override {
    std::vector<Index> all(rows);
    std::iota(all.begin(), all.end(), 0);
    return layer_embedding(model(), run_.input(), layer, rows_.empty() ? all : rows_, context_, stop_);
  }
  /// Of the whole text's input, of which y has some rows.
  Tensor convolved(const ConvolutionWeights& weights, const Tensor& y) override {
    const Tensor input = run_.x(outputs_.back().sublayer.kind, 0, context_.memory);
    if (rows_.empty()) return LayerWalk::convolved(weights, input);
    Tensor given = context_.memory.take(y.shape());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Tensor row =
          convolution(model(), weights, input.data(), input.dim(0), rows_[i], 1, context_, stop_);
      std::copy_n(row.data(), row.size(), given.at(i));
    }
    return given;
  }
  void summed(const Sublayer& /*sublayer*/, const Tensor& sum) override { outputs_.back().sum = sum; }

  const ModelRun& run_;
  const std::vector<Index>& rows_;
  std::vector<SublayerOutput> outputs_;
};

}  // namespace

std::vector<SublayerOutput> outputs_of_layer(const ModelRun& run, BlockKind kind, Index layer,
                                             const std::vector<Index>& rows, const ComputeContext& context,
                                             const std::stop_token& stop) {
  return RunLayer(run, rows, context, stop).from(kind, layer);
}

Tensor contexts_of_rows(const ModelRun& run, BlockKind kind, Index layer, const std::vector<Index>& rows,
                        const ComputeContext& context, const std::stop_token& stop) {
  if (rows.size() == 1) return run.context_row(kind, layer, rows.front(), context, stop);
  const Tensor all = run.context(kind, layer, context, stop);
  return rows.empty() ? all : picked(all, rows, context.memory);
}

}  // namespace headscope

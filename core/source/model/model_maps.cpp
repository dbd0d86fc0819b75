#include "core/source/model/model_maps.h"

#include <algorithm>
#include <utility>

#include "core/attention/streamed_rows.h"
#include "core/base/flush_denormals.h"
#include "core/model/attention_parts.h"

namespace headscope {
namespace {

std::size_t bytes_of(const LayerQkv& layer) {
  return sizeof(float) * static_cast<std::size_t>(layer.q.size() + layer.k.size() + layer.v.size());
}

}  // namespace

ModelLayers::ModelLayers(std::shared_ptr<const ModelRun> run, BlockKind kind,
                         std::shared_ptr<OnDemandContext> on_demand)
    : run_(std::move(run)), kind_(kind), on_demand_(std::move(on_demand)) {}

std::shared_ptr<const LayerQkv> ModelLayers::find(int layer) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, layer, &Kept::layer);
  if (found == kept_.end()) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front().qkv;
}

void ModelLayers::keep(int layer, const std::shared_ptr<const LayerQkv>& qkv) const {
  const std::lock_guard lock(mutex_);
  kept_.push_front({layer, qkv});
  std::size_t bytes = 0;
  const auto too_many = std::ranges::find_if(
      kept_, [&](const Kept& kept) { return (bytes += bytes_of(*kept.qkv)) > max_bytes; });
  // Keep the current one and the one before.
  kept_.erase(std::max(too_many, kept_.begin() + std::min<Index>(2, std::ssize(kept_))), kept_.end());
}

std::shared_ptr<const LayerQkv> ModelLayers::qkv(int layer) const {
  if (auto known = find(layer)) return known;
  return on_demand_->compute([&](const ComputeContext& context) {
    if (auto known = find(layer)) return known;  // another thread has computed it meanwhile
    const auto result = std::make_shared<const LayerQkv>(run_->layer_qkv(kind_, layer, context));
    keep(layer, result);
    return result;
  });
}

LayerTrace ModelLayers::layer(int index) const {
  const auto known = qkv(index);
  LayerTrace trace;
  trace.q = known->q;
  trace.k = known->k;
  trace.v = known->v;
  on_demand_->compute([&](const ComputeContext& context) {
    trace.x = run_->x(kind_, index, context.memory);
    trace.context = run_->context(kind_, index, context);
    trace.output = multiply(attention_weights(run_->model(), kind_, index).o, trace.context, context);
  });
  return trace;
}

std::optional<Error> ModelMaps::error() const {
  try {
    layers_->run()->model().files().check_whole();
  } catch (const Error& damage) {
    return damage;
  }
  return {};
}

void ModelMaps::rows(int layer, int head, Index begin, Index end, float* out) const {
  const FlushDenormals flush;
  const auto known = layers_->qkv(layer);
  known->rows(head, begin, end, out, nullptr, best_kernels(), layers_->on_demand().memory());
}

bool ModelMaps::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  const FlushDenormals flush;
  const auto known = layers_->qkv(layer);
  known->rows(head, begin, end, nullptr, out, best_kernels(), layers_->on_demand().memory());
  return true;
}

Tensor ModelMaps::pooled(int layer, int head, const Groups& groups) const {
  const FlushDenormals flush;
  const auto known = layers_->qkv(layer);
  const HeadRows q(known->q), k(known->k);
  return groups_.read({layer, head, q, k, known->rule}, groups, layers_->on_demand().context());
}

bool ModelMaps::row_numbers(int layer, int head, const RowQuestion& question,
                            std::span<RowNumbers> rows) const {
  const FlushDenormals flush;
  const auto known = layers_->qkv(layer);
  stream_rows(HeadRows(known->q), HeadRows(known->k), known->rule, head, question, {},
              layers_->on_demand().context(), rows);
  return true;
}

}  // namespace headscope

#pragma once
#include <memory>
#include <mutex>

#include "core/base/buffer_pool.h"
#include "core/base/thread_pool.h"
#include "core/model/run/model_run.h"
#include "core/source/maps/computed_maps.h"
#include "core/source/trace.h"

namespace headscope {

/// Computes on demand for views of a trace, one request at a time, in the background of runs.
class OnDemandContext {
 public:
  /// Calls use(context).
  template <typename Use>
  auto compute(const Use& use) {
    const std::lock_guard lock(mutex_);
    return use(context());
  }
  /// May be used by any number of threads at once.
  BufferPool& memory() { return memory_; }
  ComputeContext context() { return {best_kernels(), threads_, memory_}; }

 private:
  std::mutex mutex_;
  ThreadPool threads_;
  // Memory freed by one request is reused by the next; keeping more would be a waste next to the weights.
  BufferPool memory_{std::size_t{128} << 20};
};

/// The layers of one block of a run. Q, K and V are computed from the layer's input on demand; the most
/// recently used are cached.
class ModelLayers : public LayerSource {
 public:
  /// `first`: where the block's first layer is in its stack.
  ModelLayers(std::shared_ptr<const ModelRun> run, const StackPlace& first,
              std::shared_ptr<OnDemandContext> on_demand);
  const ModelRun& run() const { return *run_; }
  /// Of a layer with attention.
  std::shared_ptr<const LayerQkv> qkv(int layer) const;
  /// Of one whose heads have a state in its place; nullptr: of others.
  std::shared_ptr<const StateHeads> state(int layer) const;
  LayerTrace layer(int index) const override;
  CellIntermediates way(int layer, int head, Index query, Index key) const override;
  Tensor values(int layer, Index kv_head) const override;
  std::shared_ptr<const OwnKeys> own_keys(int layer) const override {
    return has_attention(layer) ? qkv(layer)->rule.own_keys : nullptr;
  }
  RowRule rule(int layer, int head, Index query) const override;
  OnDemandContext& on_demand() const { return *on_demand_; }

  bool has_attention(int layer) const { return run_->model().attends(kind_, in_stack(layer)); }

 private:
  Index in_stack(Index layer) const { return first_ + layer; }
  CellIntermediates state_way(int layer, int head, Index query, Index key) const;
  /// What the state beside a layer's attention adds to a row of the stream.
  Eigen::RowVectorXd state_added(int layer, Index query) const;

  std::shared_ptr<const ModelRun> run_;
  BlockKind kind_;  // of the stack
  Index first_;
  std::shared_ptr<OnDemandContext> on_demand_;
  mutable Recent<int, std::shared_ptr<const LayerQkv>> kept_;
  mutable Recent<int, std::shared_ptr<const StateHeads>> states_;
};

/// The maps of one block of a run, by each layer's own rule; zeros of heads that a layer lacks.
class ModelMaps : public ComputedMaps {
 public:
  ModelMaps(const Size& size, std::shared_ptr<const ModelLayers> layers)
      : ComputedMaps(size, layers->on_demand().context()), layers_(std::move(layers)) {}
  /// Set if a weight file was truncated meanwhile, so that everything computed since is wrong.
  std::optional<Error> error() const override;
  void rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool no_token(int layer, int head, Index begin, Index end, float* out) const override;
  Tensor pooled(int layer, int head, const Pools& pools) const override;
  bool row_numbers(int layer, int head, const RowQuestion& question,
                   std::span<RowNumbers> rows) const override;

 private:
  bool attends(int layer, int head) const;
  std::shared_ptr<const LayerQkv> qkv(int layer) const override { return layers_->qkv(layer); }

  std::shared_ptr<const ModelLayers> layers_;
};

}  // namespace headscope

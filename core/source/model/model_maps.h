#pragma once
#include <deque>
#include <memory>
#include <mutex>

#include "core/base/buffer_pool.h"
#include "core/base/thread_pool.h"
#include "core/model/model_run.h"
#include "core/source/maps/map_source.h"
#include "core/source/maps/streamed_groups.h"
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
  ModelLayers(std::shared_ptr<const ModelRun> run, BlockKind kind,
              std::shared_ptr<OnDemandContext> on_demand);
  const std::shared_ptr<const ModelRun>& run() const { return run_; }
  std::shared_ptr<const LayerQkv> qkv(int layer) const;
  LayerTrace layer(int index) const override;
  CellIntermediates way(int layer, int head, Index query, Index key) const override;
  Tensor values(int layer, Index kv_head) const override { return qkv(layer)->v.part(kv_head); }
  RowRule rule(int layer, int head, Index query) const override;
  OnDemandContext& on_demand() const { return *on_demand_; }

 private:
  static constexpr std::size_t max_bytes = std::size_t{96} << 20;
  struct Kept {
    int layer;
    std::shared_ptr<const LayerQkv> qkv;
  };
  std::shared_ptr<const LayerQkv> find(int layer) const;
  void keep(int layer, const std::shared_ptr<const LayerQkv>& qkv) const;

  std::shared_ptr<const ModelRun> run_;
  BlockKind kind_;
  std::shared_ptr<OnDemandContext> on_demand_;
  mutable std::mutex mutex_;       // of kept_
  mutable std::deque<Kept> kept_;  // most recently used first
};

/// The maps of one block of a run, by each layer's own rule.
class ModelMaps : public MapSource {
 public:
  ModelMaps(const Size& size, std::shared_ptr<const ModelLayers> layers)
      : MapSource(size), layers_(std::move(layers)) {}
  const ModelLayers& layers() const { return *layers_; }
  /// Set if a weight file was truncated meanwhile, so that everything computed since is wrong.
  std::optional<Error> error() const override;
  void rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override;
  Tensor pooled(int layer, int head, const Groups& groups) const override;
  bool row_numbers(int layer, int head, const RowQuestion& question,
                   std::span<RowNumbers> rows) const override;

 private:
  Tensor take() const override { return layers_->on_demand().memory().take({size().n_q, size().n_k}); }

  std::shared_ptr<const ModelLayers> layers_;
  StreamedGroups groups_;
};

}  // namespace headscope

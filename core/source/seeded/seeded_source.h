#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/attention/forward.h"
#include "core/model/seeded/torch_random.h"
#include "core/source/source.h"

namespace headscope {

/// Layers whose parameters are drawn from a seed, as PyTorch draws them. They are drawn at the first run.
class SeededSource : public Source {
 public:
  explicit SeededSource(LayerParameters key) : key_(std::move(key)) {}

  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                   const ComputeContext& context, const std::stop_token& stop) const override;
  std::optional<Linear> projection(BlockKind block, int layer, ProjectionKind kind) const override;

 private:
  struct Parameters {
    std::vector<PackedLayer> layers;  // a single one if shared
    TorchRandom random;               // state after the draws
    const PackedLayer& layer(int index) const;
  };
  /// nullptr if stopped.
  const Parameters* drawn_parameters(const Inputs& inputs, const ComputeContext& context,
                                     const std::stop_token& stop) const;

  /// Fills the block's layers and maps. False if stopped.
  bool run_layers(const Inputs& inputs, const RunOptions& options, const Parameters& weights,
                  AttentionRequest& request, const ComputeContext& context, BlockTrace& block) const;

  const LayerParameters key_;
  mutable std::mutex mutex_;  // guards parameters_, which are immutable once drawn
  mutable std::unique_ptr<const Parameters> parameters_;
};

}  // namespace headscope

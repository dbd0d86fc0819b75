#pragma once
#include <vector>

#include "core/model/seeded/torch_random.h"
#include "core/source/maps/computed_maps.h"

namespace headscope {

/// The dropout of one layer's weights, [heads, n_q, n_k] factors in the order in which PyTorch draws them,
/// any row of which can be drawn again: the generator's state is saved at regular intervals.
class DropoutDraws {
 public:
  /// Draws all of them to `out`, unless that is nullptr, with PyTorch's inverted scaling: kept cells have 1 /
  /// (1 - probability); all are 0 if nothing is kept (PyTorch's 0 / 0 would be NaN).
  DropoutDraws(TorchRandom& random, double probability, Index heads, Index n_q, Index n_k,
               float* out = nullptr);
  /// The factors of rows [begin, end) of a head, to `out` [end - begin, n_k].
  void rows(Index head, Index begin, Index end, float* out) const;

 private:
  float* draw(TorchRandom& random, Index rows, float* out) const;

  double kept_;
  Index n_q_, n_k_, stride_ = 1;
  std::vector<TorchRandom> states_;  // before every stride-th row of [heads, n_q]
};

/// The maps of seeded layers: those that the run has kept, the others computed.
class SeededMaps : public ComputedMaps {
 public:
  struct Layer : LayerQkv {
    // The maps kept by the run, as in LayerTrace.
    Tensor weights;
    std::vector<int> kept_heads;
    std::vector<Extent> extents;
  };
  SeededMaps(const Size& size, std::vector<Layer> layers, const ComputeContext& context)
      : ComputedMaps(size, context), layers_(std::move(layers)) {}

  bool dropout_rows(int layer, int head, Index begin, Index end, float* out) const override;
  Tensor resident(int layer, int head) const override;
  std::optional<Extent> known_extent(int layer, int head) const override;

 private:
  const Layer& at(int layer) const { return layers_[layer]; }
  std::shared_ptr<const LayerQkv> qkv(int layer) const override {
    return {std::shared_ptr<void>(), &at(layer)};
  }

  std::vector<Layer> layers_;
};

}  // namespace headscope

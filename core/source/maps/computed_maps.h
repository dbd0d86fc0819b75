#pragma once
#include <memory>
#include <vector>

#include "core/attention/attention_rule.h"
#include "core/attention/forward.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/mask.h"
#include "core/base/buffer_pool.h"
#include "core/model/torch_random.h"
#include "core/source/maps/map_source.h"
#include "core/source/maps/streamed_groups.h"

namespace headscope {

/// The dropout of one layer's weights, [heads, n_q, n_k] factors in the order in which PyTorch draws them,
/// any row of which can be drawn again: the generator's state is saved at regular intervals.
class DropoutDraws {
 public:
  /// Draws all of them to `out`, with PyTorch's inverted scaling: kept cells have 1 / (1 - probability); all
  /// are 0 if nothing is kept (PyTorch's 0 / 0 would be NaN).
  DropoutDraws(TorchRandom& random, double probability, Index heads, Index n_q, Index n_k, float* out);
  /// The same without storing them.
  DropoutDraws(TorchRandom& random, double probability, Index heads, Index n_q, Index n_k);
  /// The factors of rows [begin, end) of a head, to `out` [end - begin, n_k].
  void rows(Index head, Index begin, Index end, float* out) const;

 private:
  Index share_out(Index heads, Index max_states);
  float* draw(TorchRandom& random, Index rows, float* out) const;

  double kept_;
  Index n_q_, n_k_, stride_ = 1;
  std::vector<TorchRandom> states_;  // before every stride-th row of [heads, n_q]
};

/// Maps computed from Q and K: softmax(mask(scale Q Kᵀ) / T), then dropout (Vaswani et al. 2017, equation 1).
/// Bit-identical to attend().
class ComputedMaps : public MapSource {
 public:
  struct Softmax {
    float scale = 1;                ///< 1 / sqrt(d_k), or 1 without it
    float inverse_temperature = 1;  ///< applied after the mask
    float fill = 0;                 ///< value of blocked scores: -infinity or -1e9
  };
  struct Layer {
    Tensor q;  // [heads, n_q, d_k]
    Tensor k;  // [kv_heads, n_k, d_k]
    std::optional<DropoutDraws> dropout;
    // The maps kept by the run, as in LayerTrace.
    Tensor weights;
    std::vector<int> kept_heads;
    std::vector<Extent> extents;
  };

  /// `masks`: one for all layers, or one for each.
  ComputedMaps(const Size& size, std::vector<Layer> layers, std::vector<Mask> masks, const Softmax& softmax,
               const ComputeContext& context);

  void rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool dropout_rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override;
  Tensor resident(int layer, int head) const override;
  Tensor pooled(int layer, int head, const Groups& groups) const override;
  bool row_numbers(int layer, int head, const RowQuestion& question,
                   std::span<RowNumbers> rows) const override;
  std::optional<Extent> known_extent(int layer, int head) const override;

 private:
  Tensor take() const override;
  /// Calls use(query, row, parts) for each row of scaled scores [n_k], padded to whole panels: only the keys
  /// in `parts` are valid, all or those that nearby queries see.
  template <typename Use>
  void for_scores(int layer, int head, Index begin, Index end, bool seen_alone, const Use& use) const;
  const Mask& mask_of(int layer) const {
    return masks_[masks_.size() == 1 ? 0 : static_cast<std::size_t>(layer)];
  }
  /// The rule that turns a layer's scores into weights; valid as long as this lives.
  AttentionRule rule(int layer) const;
  const Layer& at(int layer) const { return layers_[static_cast<std::size_t>(layer)]; }

  std::vector<Layer> layers_;
  std::vector<Mask> masks_;  // one for all layers, or one for each
  Softmax softmax_;
  const Kernels& kernels_;
  mutable ThreadPool threads_;
  mutable BufferPool memory_;
  StreamedGroups groups_;
};

}  // namespace headscope

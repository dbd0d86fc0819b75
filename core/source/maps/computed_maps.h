#pragma once
#include <memory>
#include <utility>

#include "core/attention/streamed_pass.h"
#include "core/source/map_source.h"

namespace headscope {

/// Maps computed from Q and K by each layer's rule. Bit-identical to attend_heads().
class ComputedMaps : public MapSource {
 public:
  ComputedMaps(const Size& size, const ComputeContext& context)
      : MapSource(size), kernels_(context.kernels), threads_(context.threads), memory_(context.memory) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool no_token(int layer, int head, Index begin, Index end, float* out) const override;
  Tensor pooled(int layer, int head, const Pools& pools) const override;
  bool row_numbers(int layer, int head, const RowQuestion& question,
                   std::span<RowNumbers> rows) const override;

 private:
  virtual std::shared_ptr<const LayerQkv> qkv(int layer) const = 0;
  Tensor take() const override { return memory_.take({size().n_q, size().n_k}); }

  const Kernels& kernels_;
  mutable ThreadPool threads_;
  mutable BufferPool memory_;
  // Row sums of passes over whole maps by layer and head: a part of a map then only computes its own keys.
  mutable Recent<std::pair<int, int>, std::shared_ptr<const StreamedMap>> sums_;
};

}  // namespace headscope

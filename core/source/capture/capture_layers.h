#pragma once
#include <memory>
#include <mutex>

#include "core/source/capture/capture_source.h"

namespace headscope {

/// Inputs and outputs of a block's layers, as far as the file has them.
class CaptureLayers : public LayerSource {
 public:
  CaptureLayers(std::shared_ptr<const Capture> capture, const Capture::Block& block, int sequence,
                std::shared_ptr<const CaptureMaps> maps);

  LayerTrace layer(int index) const override;
  bool has_arithmetic() const override { return block_.q && block_.k; }
  CellIntermediates way(int layer, int head, Index query, Index key) const override;
  Tensor values(int layer, Index kv_head) const override;
  /// The file does not say how scores are scaled: `by_sqrt_d_k` is inferred if q · k / √d_k reproduces them.
  RowRule rule(int layer, int head, Index query) const override;
  bool score_row(int layer, int head, Index query, float* out) const override;
  Tensor first_x() const { return read(block_.x, -1, n_q_); }

 private:
  /// A layer's part, without padding positions; layer -1: the array has no layer axis. Empty if it cannot be
  /// read; the error is kept.
  Tensor read(const std::optional<FiledArray>& array, int layer, Index n) const;
  /// What comes of a query with no key is NaN throughout, in PyTorch: vectors at positions [begin, end)
  /// become 0, like its row of weights.
  void clear_nan_vectors(float* vectors, Index begin, Index end, Index width) const;
  /// Rows [begin, end) of a head's part. 0 where it cannot be read or is not finite; the error is kept.
  Matrix rows(const FiledArray& array, int layer, Index head, Index begin, Index end) const;
  Index kv_head(int head) const { return Index{head} * block_.shape.kv_heads / block_.shape.heads; }
  /// q · k / √d_k of a row.
  Eigen::RowVectorXd scaled_products(const Matrix& k, int layer, int head, Index query) const;
  /// Decided by rows sampled from the whole block.
  bool scaled_by_sqrt_d_k() const;
  bool scaled_by_sqrt_d_k(int layer, int head) const;

  std::shared_ptr<const Capture> capture_;
  const Capture::Block& block_;  // of capture_
  int sequence_;
  Index n_q_, n_k_;
  std::shared_ptr<const CaptureMaps> maps_;
  mutable std::once_flag looked_;
  mutable bool by_sqrt_d_k_ = false;  // once looked_
};

}  // namespace headscope

#pragma once
#include <memory>
#include <mutex>

#include "core/source/capture/capture_source.h"

namespace headscope {

/// What a block's layers read and made, as far as the file tells.
class CaptureLayers : public LayerSource {
 public:
  CaptureLayers(std::shared_ptr<const Capture> capture, const Capture::Block& block, int sequence,
                std::shared_ptr<const CaptureMaps> maps);

  LayerTrace layer(int index) const override;
  bool has_arithmetic() const override { return block_.q && block_.k; }
  CellWay way(int layer, int head, Index query, Index key) const override;
  Tensor values(int layer, Index kv_head) const override;
  /// The file does not say how scores come about: `by_root` where q · k / √d_k gives them.
  RowRule rule(int layer, int head, Index query) const override;
  bool score_row(int layer, int head, Index query, float* out) const override;
  Tensor first_x() const { return read(block_.x, -1, n_q_); }

 private:
  /// A layer's part, without the positions that fill a sequence up; layer -1: the array has none. With the
  /// trouble kept, empty where it cannot be read.
  Tensor read(const std::optional<FiledArray>& array, int layer, Index n) const;
  /// Rows [begin, end) of a head's part. With the trouble kept, 0 where it cannot be read or is no number.
  Matrix rows(const FiledArray& array, int layer, Index head, Index begin, Index end) const;
  Index kv_head(int head) const { return Index{head} * block_.shape.kv_heads / block_.shape.heads; }
  /// q · k / √d_k of a row.
  Eigen::RowVectorXd scaled_products(const Matrix& k, int layer, int head, Index query) const;
  /// What rows from all over the block say.
  bool scaled_by_root() const;
  bool scaled_by_root(int layer, int head) const;

  std::shared_ptr<const Capture> capture_;
  const Capture::Block& block_;  // of capture_
  int sequence_;
  Index n_q_, n_k_;
  std::shared_ptr<const CaptureMaps> maps_;
  mutable std::once_flag looked_;
  mutable bool by_root_ = false;  // once looked_
};

}  // namespace headscope

#pragma once
#include <atomic>
#include <memory>

#include "core/base/buffer_pool.h"

namespace headscope {

/// Rows [parts, rows, width] of a run that a later run may extend: added rows are written after those of the
/// earlier run, which still sees only its own; if another run has extended it already, all are copied. Copies
/// share the rows. Rows are written once, by the run that reserved them.
class RowStore {
 public:
  RowStore() = default;
  /// `spare`: additional capacity in rows.
  RowStore(Index parts, Index rows, Index width, BufferPool& memory, Index spare = 0);
  /// The first `kept` rows, and room for more up to `rows` in all.
  RowStore extended(Index kept, Index rows, BufferPool& memory) const;

  Index parts() const { return parts_; }
  Index rows() const { return rows_; }
  Index width() const { return width_; }
  Index stride() const { return capacity_ * width_; }  ///< stride of parts in floats
  float* at(Index part, Index row = 0) { return memory_.data() + part * stride() + row * width_; }
  const float* at(Index part, Index row = 0) const { return memory_.data() + part * stride() + row * width_; }
  bool empty() const { return rows_ == 0; }
  /// [parts, rows, width], or without `parts` [rows, width]: shared if contiguous, otherwise a copy.
  Tensor tensor(BufferPool& memory, bool with_parts = true) const;

 private:
  Index parts_ = 0, rows_ = 0, width_ = 0, capacity_ = 0;
  Tensor memory_;                              // [parts, capacity, width]
  std::shared_ptr<std::atomic<Index>> taken_;  // rows already reserved
};

}  // namespace headscope

#pragma once
#include <memory>

#include "core/base/tensor.h"

namespace headscope {

/// Memory for tensors that is used again: a fresh 134 MB map costs more in page faults than in arithmetic. A
/// tensor gives its memory back when its last copy goes, from any thread, also after the pool itself is gone.
class BufferPool {
 public:
  /// Keeps at most `bytes` that nobody uses.
  explicit BufferPool(std::size_t bytes = std::size_t{600} << 20);

  /// Not initialized. Throws std::bad_alloc.
  Tensor take(std::vector<Index> shape);

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace headscope

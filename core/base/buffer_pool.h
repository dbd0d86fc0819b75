#pragma once
#include <memory>

#include "core/base/tensor.h"

namespace headscope {

/// Recycles memory of tensors: a fresh 134 MB map costs more in page faults than in arithmetic. A tensor
/// returns its memory when its last copy is destroyed, from any thread, even after the pool itself.
class BufferPool {
  struct Shelf;

 public:
  /// Keeps at most `bytes` of unused memory.
  explicit BufferPool(std::size_t bytes = std::size_t{600} << 20);

  /// Not initialized. Throws std::bad_alloc.
  Tensor take(std::vector<Index> shape);

  /// Bytes of unused memory.
  std::size_t kept() const;

  /// Scope of one computation. Afterwards the pool keeps no more than its peak, since the next computation is
  /// usually similar: after switching from a long text to a short one, the long one's memory is freed.
  class Use {
   public:
    explicit Use(const BufferPool& pool);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::shared_ptr<Shelf> shelf_;
  };

 private:
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace headscope

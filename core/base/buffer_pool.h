#pragma once
#include <memory>

#include "core/base/tensor.h"

namespace headscope {

/// Memory for tensors that is used again: a fresh 134 MB map costs more in page faults than in arithmetic. A
/// tensor gives its memory back when its last copy goes, from any thread, also after the pool itself is gone.
class BufferPool {
  struct Shelf;

 public:
  /// Keeps at most `bytes` that nobody uses.
  explicit BufferPool(std::size_t bytes = std::size_t{600} << 20);

  /// Not initialized. Throws std::bad_alloc.
  Tensor take(std::vector<Index> shape);

  /// Bytes that nobody uses.
  std::size_t kept() const;

  /// What is computed while one lives. Afterwards no more is kept than it took at most, since the next one is
  /// mostly like it: who went from a long text to a short one does not hold the memory of the long one.
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

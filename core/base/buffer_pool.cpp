#include "core/base/buffer_pool.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "core/system/memory.h"

namespace headscope {
namespace {

// Below this the system allocator is as good. It returns larger buffers to the system after each short text,
// and the next run then pays for page faults.
constexpr std::size_t smallest_kept = std::size_t{16} << 10;
// Kept regardless of what the last use took.
constexpr std::size_t always_kept = std::size_t{16} << 20;

// Large buffers are mapped separately: malloc() keeps freed ones between those still in use, so a
// long-running process would grow.
float* allocate(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  void* const memory = bytes < huge_page ? allocate_aligned(alignment, bytes) : map_memory(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<float*>(memory);
}

void release(float* memory, std::size_t bytes) {
  if (bytes < huge_page)
    free_aligned(memory);
  else
    unmap_memory(memory, bytes);
}

}  // namespace

struct BufferPool::Shelf {
  explicit Shelf(std::size_t limit_bytes) : limit(limit_bytes) {}
  ~Shelf() {
    for (const auto& [bytes, memory] : free) release(memory, bytes);
  }
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;

  // A buffer up to an eighth larger will do.
  std::pair<float*, std::size_t> take(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    const auto found = free.lower_bound(bytes);
    if (found == free.end() || found->first > bytes + bytes / 8) {
      note_taken(bytes);
      return {nullptr, 0};
    }
    note_taken(found->first);
    const std::pair result(found->second, found->first);
    kept -= found->first;
    free.erase(found);
    return result;
  }

  void give_back(float* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    taken -= bytes;
    try {
      free.emplace(bytes, memory);
    } catch (const std::bad_alloc&) {
      return release(memory, bytes);
    }
    kept += bytes;
    drop_beyond(uses > 0 ? limit : allowed);
  }

  void not_taken(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    taken -= bytes;
  }

  void begin_use() {
    const std::lock_guard lock(mutex);
    if (uses++ == 0) before_use = max_taken = taken;
  }
  void end_use() {
    const std::lock_guard lock(mutex);
    if (--uses > 0) return;
    allowed = std::min(limit, std::max(always_kept, max_taken - before_use));
    drop_beyond(allowed);
  }

  // Largest first: they cost the most to keep.
  void drop_beyond(std::size_t bytes) {
    while (kept > bytes) {
      const auto largest = std::prev(free.end());
      kept -= largest->first;
      release(largest->second, largest->first);
      free.erase(largest);
    }
  }
  void note_taken(std::size_t bytes) {
    taken += bytes;
    max_taken = std::max(max_taken, taken);
  }

  std::mutex mutex;
  std::multimap<std::size_t, float*> free;
  std::size_t kept = 0, taken = 0;
  const std::size_t limit;
  std::size_t allowed = limit;
  int uses = 0;  // in progress
  std::size_t before_use = 0, max_taken = 0;
};

BufferPool::BufferPool(std::size_t bytes) : shelf_(std::make_shared<Shelf>(bytes)) {}

Tensor BufferPool::take(std::vector<Index> shape) {
  const std::size_t bytes = Tensor::bytes_of(shape);
  if (bytes < smallest_kept) return Tensor(std::move(shape));
  auto [memory, size] = shelf_->take(bytes);
  if (memory == nullptr) {
    try {
      memory = allocate(bytes);
    } catch (const std::bad_alloc&) {
      shelf_->not_taken(bytes);
      throw;
    }
    size = bytes;
  }
  const auto give_back = [shelf = shelf_, bytes_taken = size](float* p) { shelf->give_back(p, bytes_taken); };
  return {std::move(shape), std::shared_ptr<float>(memory, give_back)};
}

std::size_t BufferPool::kept() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->kept;
}

BufferPool::Use::Use(const BufferPool& pool) : shelf_(pool.shelf_) {
  shelf_->begin_use();
}
BufferPool::Use::~Use() {
  shelf_->end_use();
}

}  // namespace headscope

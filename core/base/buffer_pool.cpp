#include "core/base/buffer_pool.h"

#include <sys/mman.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace headscope {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
// Below this the allocator of the system is as good.
constexpr std::size_t smallest_kept = std::size_t{256} << 10;

float* allocate(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  if (bytes >= huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<float*>(memory);
}

}  // namespace

struct BufferPool::Shelf {
  explicit Shelf(std::size_t limit_bytes) : limit(limit_bytes) {}
  ~Shelf() {
    for (const auto& [bytes, memory] : free) std::free(memory);
  }
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;

  // A buffer up to an eighth larger will do.
  std::pair<float*, std::size_t> take(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    const auto found = free.lower_bound(bytes);
    if (found == free.end() || found->first > bytes + bytes / 8) return {nullptr, 0};
    const std::pair result(found->second, found->first);
    kept -= found->first;
    free.erase(found);
    return result;
  }

  void give_back(float* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    free.emplace(bytes, memory);
    kept += bytes;
    while (kept > limit) {
      const auto largest = std::prev(free.end());
      kept -= largest->first;
      std::free(largest->second);
      free.erase(largest);
    }
  }

  std::mutex mutex;
  std::multimap<std::size_t, float*> free;
  std::size_t kept = 0;
  const std::size_t limit;
};

BufferPool::BufferPool(std::size_t bytes) : shelf_(std::make_shared<Shelf>(bytes)) {}

Tensor BufferPool::take(std::vector<Index> shape) {
  std::size_t bytes = sizeof(float);
  for (Index n : shape) bytes *= static_cast<std::size_t>(n);
  if (bytes < smallest_kept) return Tensor(std::move(shape));
  auto [memory, size] = shelf_->take(bytes);
  if (memory == nullptr) {
    memory = allocate(bytes);
    size = bytes;
  }
  const auto give_back = [shelf = shelf_, bytes_taken = size](float* p) { shelf->give_back(p, bytes_taken); };
  return {std::move(shape), std::shared_ptr<float>(memory, give_back)};
}

}  // namespace headscope

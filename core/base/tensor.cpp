#include "core/base/tensor.h"

#include <limits>
#include <new>
#include <utility>

#include "core/base/matrix.h"
#include "core/system/memory.h"

namespace headscope {
namespace {

Index product(const std::vector<Index>& shape) {
  if (shape.empty()) return 0;
  Index size = 1;
  for (Index n : shape) size *= n;
  return size;
}

std::shared_ptr<float> allocate(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  if (bytes == 0) return {};
  void* memory = allocate_aligned(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<float*>(memory), free_aligned};
}

}  // namespace

Tensor::Tensor(std::vector<Index> shape) : shape_(std::move(shape)), memory_(allocate(bytes_of(shape_))) {}

Tensor::Tensor(std::vector<Index> shape, std::shared_ptr<float> memory)
    : shape_(std::move(shape)), memory_(std::move(memory)) {}

Tensor Tensor::part(Index index) const {
  float* const begin = memory_.get() + index * (size() / shape_[0]);
  return {{shape_.begin() + 1, shape_.end()}, std::shared_ptr<float>(memory_, begin)};
}

std::size_t Tensor::bytes_of(const std::vector<Index>& shape) {
  constexpr std::size_t max_floats = std::numeric_limits<Index>::max() / sizeof(float);
  if (shape.empty()) return 0;
  std::size_t floats = 1;
  for (const Index n : shape) {
    const std::size_t of_axis = n;
    if (of_axis > 0 && floats > max_floats / of_axis) throw std::bad_alloc();
    floats *= of_axis;
  }
  return floats * sizeof(float);
}

Index Tensor::size() const {
  return product(shape_);
}

double largest_of(const Tensor& tensor) {
  return RowView(tensor.data(), tensor.size()).abs().maxCoeff<Eigen::PropagateNaN>();
}

bool finite(const Tensor& tensor) {
  return largest_of(tensor) <= std::numeric_limits<float>::max();
}

}  // namespace headscope

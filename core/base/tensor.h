#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "core/base/index.h"

namespace headscope {

/// A row-major float32 array of up to four axes. Copies share the same memory: a tensor is written once, by
/// its creator, and only read afterwards.
class Tensor {
 public:
  Tensor() = default;
  /// 64-byte aligned, not initialized.
  explicit Tensor(std::vector<Index> shape);
  /// In memory provided by the caller (a pool), at least size() floats.
  Tensor(std::vector<Index> shape, std::shared_ptr<float> memory);

  const std::vector<Index>& shape() const { return shape_; }
  Index dim(std::size_t axis) const { return shape_[axis]; }
  Index size() const;  ///< number of floats; 0 if default-constructed
  /// Of a tensor of this shape. Throws std::bad_alloc if no memory can be that large.
  static std::size_t bytes_of(const std::vector<Index>& shape);
  bool empty() const { return size() == 0; }
  float* data() { return memory_.get(); }
  const float* data() const { return memory_.get(); }
  /// The part at `index` of the first axis: for [heads, n_q, n_k] the map of one head.
  float* at(Index index) { return data() + index * (size() / shape_[0]); }
  const float* at(Index index) const { return data() + index * (size() / shape_[0]); }
  /// The same part as a tensor that shares the memory.
  Tensor part(Index index) const;

 private:
  std::vector<Index> shape_;
  std::shared_ptr<float> memory_;
};

/// The largest absolute value; NaN if there is one.
double largest_of(const Tensor& tensor);
/// Whether all numbers are finite: no infinity, no NaN.
bool finite(const Tensor& tensor);

}  // namespace headscope

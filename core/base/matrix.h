#pragma once
#include <Eigen/Core>

#include "core/base/tensor.h"

namespace headscope {

// Row-major everywhere: a row is a token, and a head's map lies in memory as it lies on the screen.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;
using MatrixSpan = Eigen::Map<Matrix>;

/// The last two axes of `tensor` at `index` of its first: one head's [n, d_k] or [n_q, n_k].
inline MatrixView as_matrix(const Tensor& tensor, Index index) {
  return {tensor.at(index), tensor.dim(1), tensor.dim(2)};
}
/// A two-axis tensor as a matrix.
inline MatrixView as_matrix(const Tensor& tensor) {
  return {tensor.data(), tensor.dim(0), tensor.dim(1)};
}

}  // namespace headscope

#pragma once
#include <Eigen/Core>

#include "core/base/tensor.h"

namespace headscope {

// Row-major everywhere: a row is a token, and a head's map has the same layout in memory as on the screen.
template <typename Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = MatrixOf<float>;
using MatrixView = Eigen::Map<const Matrix>;
using MatrixSpan = Eigen::Map<Matrix>;
/// One row of a matrix, for elementwise arithmetic.
using RowView = Eigen::Map<const Eigen::ArrayXf>;
using RowSpan = Eigen::Map<Eigen::ArrayXf>;

/// The last two axes of `tensor` at `index` of its first: one head's [n, d_k] or [n_q, n_k].
inline MatrixView as_matrix(const Tensor& tensor, Index index) {
  return {tensor.at(index), tensor.dim(1), tensor.dim(2)};
}
/// A two-axis tensor as a matrix.
inline MatrixView as_matrix(const Tensor& tensor) {
  return {tensor.data(), tensor.dim(0), tensor.dim(1)};
}
inline MatrixSpan as_matrix(Tensor& tensor) {
  return {tensor.data(), tensor.dim(0), tensor.dim(1)};
}
/// One row of a two-axis tensor.
inline RowView row_of(const Tensor& tensor, Index row) {
  return {tensor.at(row), tensor.dim(1)};
}
inline RowSpan row_of(Tensor& tensor, Index row) {
  return {tensor.at(row), tensor.dim(1)};
}

}  // namespace headscope

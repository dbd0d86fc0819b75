#include "core/base/finite.h"

#include <limits>

#include "core/base/matrix.h"

namespace headscope {

double largest_of(const Tensor& tensor) {
  return static_cast<double>(RowView(tensor.data(), tensor.size()).abs().maxCoeff<Eigen::PropagateNaN>());
}

bool finite(const Tensor& tensor) {
  return largest_of(tensor) <= static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace headscope

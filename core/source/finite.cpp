#include "core/source/finite.h"

#include <limits>

#include "core/base/matrix.h"

namespace headscope {
namespace {

// NaN if there is one.
double largest(const Tensor& tensor) {
  return static_cast<double>(RowView(tensor.data(), tensor.size()).abs().maxCoeff<Eigen::PropagateNaN>());
}

}  // namespace

bool finite(const Tensor& tensor) {
  return largest(tensor) <= static_cast<double>(std::numeric_limits<float>::max());
}

bool surely_finite(const LayerTrace& layer, const PackedLinear& o, double dropout) {
  // Rounding adds less than the rest, as many terms as a sum may have.
  constexpr double limit = static_cast<double>(std::numeric_limits<float>::max()) / 4;
  const auto d_k = static_cast<double>(layer.q.dim(2));
  const double context = largest(layer.v) / (1 - dropout);
  return d_k * largest(layer.q) * largest(layer.k) < limit && context < limit &&
         o.growth * context + o.offset < limit;
}

}  // namespace headscope

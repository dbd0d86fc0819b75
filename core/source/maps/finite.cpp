#include "core/source/maps/finite.h"

#include <algorithm>
#include <limits>

#include "core/base/matrix.h"

namespace headscope {
namespace {

// NaN if there is one.
double largest(const Tensor& tensor) {
  return static_cast<double>(RowView(tensor.data(), tensor.size()).abs().maxCoeff<Eigen::PropagateNaN>());
}

// The margin covers rounding of sums of any supported length.
constexpr double limit = static_cast<double>(std::numeric_limits<float>::max()) / 4;

bool surely_finite_scores(const LayerTrace& layer) {
  return static_cast<double>(layer.q.dim(2)) * largest(layer.q) * largest(layer.k) < limit;
}

}  // namespace

bool finite(const Tensor& tensor) {
  return largest(tensor) <= static_cast<double>(std::numeric_limits<float>::max());
}

bool surely_finite(const LayerTrace& layer, const PackedLinear& o, double dropout) {
  const double context = largest(layer.v) / (1 - dropout);
  return surely_finite_scores(layer) && context < limit && o.growth * context + o.offset < limit;
}

bool finite_scores(const LayerTrace& layer, const MapSource& maps, int index) {
  if (surely_finite_scores(layer)) return true;
  const auto [layers, heads, n_q, n_k] = maps.size();
  for (int h = 0; h < heads; ++h)
    for (Index begin = 0; begin < n_q; begin += MapSource::rows_at_once) {
      Tensor scores({std::min(MapSource::rows_at_once, n_q - begin), n_k});
      maps.score_rows(index, h, begin, begin + scores.dim(0), scores.data());
      if (!finite(scores)) return false;
    }
  return true;
}

}  // namespace headscope

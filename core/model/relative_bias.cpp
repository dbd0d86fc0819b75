#include "core/model/relative_bias.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headscope {

Index relative_bucket(Index key_minus_query, bool two_sided, Index buckets, Index max_distance) {
  Index first = 0;
  Index distance = std::max<Index>(-key_minus_query, 0);
  if (two_sided) {
    buckets /= 2;
    first = key_minus_query > 0 ? buckets : 0;
    distance = std::abs(key_minus_query);
  }
  const Index exact = buckets / 2;
  if (distance < exact) return first + distance;
  // In float32, in this order, as in training: at bucket boundaries the last bit decides.
  const auto near = static_cast<float>(exact);
  const float steps =
      std::log(static_cast<float>(distance) / near) /
      static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact))) *
      static_cast<float>(buckets - exact);
  return first + std::min(exact + static_cast<Index>(steps), buckets - 1);
}

Tensor relative_bias(const Tensor& table, Index n_q, Index n_k, bool two_sided, Index max_distance) {
  const Index heads = table.dim(1), distances = n_q + n_k - 1;
  Tensor bias({heads, distances});
  for (Index i = 0; i < distances; ++i) {
    const float* row = table.at(relative_bucket(i - (n_q - 1), two_sided, table.dim(0), max_distance));
    for (Index head = 0; head < heads; ++head) bias.at(head)[i] = row[head];
  }
  return bias;
}

}  // namespace headscope

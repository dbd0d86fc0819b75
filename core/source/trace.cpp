#include "core/source/trace.h"

#include <limits>

namespace headscope {

float Trace::masked_score(int layer, int head, Index query, Index key) const {
  if (mask.blocked(head, query, key))
    return inputs.mask_fill == MaskFill::minus_infinity ? -std::numeric_limits<float>::infinity() : -1e9F;
  const float score = layers[static_cast<std::size_t>(layer)].scores.at(head)[query * n_k() + key];
  return static_cast<float>(static_cast<double>(score) / inputs.temperature);
}

}  // namespace headscope

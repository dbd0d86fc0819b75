#include "core/inputs/cost.h"

#include "core/base/error.h"

namespace headscope {

std::int64_t parameter_count(const Inputs& inputs) {
  const std::int64_t d = inputs.d_model;
  const std::int64_t d_kv = inputs.key_value_heads() * (d / inputs.heads);
  std::int64_t count = 2 * d * (d + 1) + 2 * d_kv * (d + 1);
  if (inputs.feed_forward) count += 4 * d * (d + 1) + d * (4 * d + 1);
  // A single layer ends with its attention, unless a feed-forward network follows.
  if (inputs.layer_norm && (inputs.layers > 1 || inputs.feed_forward))
    count += 2 * d * (inputs.feed_forward ? 2 : 1);
  return count * (inputs.share_layers ? 1 : inputs.layers);
}

void check_parameter_count(const Inputs& inputs) {
  if (!inputs.seeded()) return;
  if (const auto parameters = parameter_count(inputs); parameters > Limits::max_parameters)
    throw input_error(
        "the layers have {} parameters; expected at most {}: use fewer layers, a smaller d_model or "
        "share_layers",
        parameters, Limits::max_parameters);
}

std::int64_t multiply_count(const Inputs& inputs, Index n_q, Index n_k) {
  const std::int64_t d = inputs.d_model;
  const std::int64_t d_kv = inputs.key_value_heads() * (d / inputs.heads);
  std::int64_t count = 2 * n_q * d * d + 2 * n_k * d * d_kv;  // Q and W_O, K and V
  count += 2 * d * n_q * n_k;                                 // scores and context
  if (inputs.feed_forward) count += 8 * n_q * d * d;
  return count * inputs.layers;
}

}  // namespace headscope

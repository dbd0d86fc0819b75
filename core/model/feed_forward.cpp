#include "core/model/feed_forward.h"

#include "core/model/activation.h"

namespace headscope {

Tensor feed_forward(const LanguageModel& model, const FeedForwardWeights& weights, const Tensor& y,
                    const ComputeContext& context, const std::stop_token& stop) {
  const Activation activation = model.config().activation;
  Tensor up = multiply_apart(weights.up, y, context, stop);
  if (!weights.gate) {
    apply_activation(activation, up, {}, context);
    return multiply(weights.down, up, context, stop);
  }
  Tensor gate = multiply_apart(*weights.gate, y, context, stop);
  apply_activation(activation, gate, up, context);
  return multiply(weights.down, gate, context, stop);
}

}  // namespace headscope
